"""ROUGE-1.5.5's own output, to the last printed digit: every topic, average and interval of twelve option sets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from metrics.rouge.program import run

CASES = [
    "duc2004_task2_b665",
    "l100_U",
    "b75_headline",
    "plain_nostem",
    "best_fB_stem",
    "stop_stem",
    "unlimited_skip_U",
    "alpha03_c90_r500",
    "tokens_t1",
    "counts_t2",
    "c99_r250",
    "plain_stem_U",
]
EVAL = re.compile(r"(\S+) (\S+) Eval (\S+)\.\S+ R:(\S+) P:(\S+) F:(\S+)")
AVERAGE = re.compile(r"(\S+) (\S+) Average_(.): (\S+) \(.*conf\.int\. (\S+) - (\S+)\)")
TOTAL = re.compile(r"(\S+) (\S+) M_count: (\S+) P_count: (\S+) H_count: (\S+)")


def parse(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Averages and topics in the oracle's shape."""
    average: dict[str, Any] = {}
    per_topic: dict[str, Any] = {}
    for line in text.splitlines():
        if match := EVAL.fullmatch(line):
            values = [float(value) for value in match.groups()[3:]]
            per_topic.setdefault(match[1], {}).setdefault(match[2], {})[match[3]] = values
        elif match := AVERAGE.fullmatch(line):
            values = [float(value) for value in match.groups()[3:]]
            average.setdefault(match[1], {}).setdefault(match[2], {})[match[3]] = values
        elif match := TOTAL.fullmatch(line):
            values = [float(value) for value in match.groups()[2:]]
            average.setdefault(match[1], {})[match[2]] = dict(zip("MPH", values, strict=True))
        else:
            assert set(line) in ({"-"}, {"."}), line
    return average, per_topic


def test_no_option_set_is_left_out(official: dict[str, Any]) -> None:
    assert list(official) == CASES


@pytest.mark.parametrize("case", CASES)
def test_every_printed_number_is_the_official_one(case: str, official: dict[str, Any], evaluation: Path) -> None:
    expected = official[case]
    result = run([*expected["options"].split(), "config.xml"], evaluation)
    average, per_topic = parse(result.stdout)
    assert result.exit_code == 0
    assert per_topic == expected["per_topic"]
    assert average == expected["average"]
