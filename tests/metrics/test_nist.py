"""NIST's scorer, number by number: every run of the oracle, and files in and out."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.det import normal_deviate
from metrics.nist import (
    Costs,
    KeyRecord,
    NistError,
    NistScore,
    Rates,
    Sweep,
    SystemFile,
    SystemRecord,
    read_key,
    read_system,
    score_files,
    write_key,
    write_system,
)
from metrics.nist_files import leading_number

ORACLES = Path(__file__).parents[1] / "oracles"
with gzip.open(ORACLES / "tdt_link.json.gz", "rt", encoding="utf-8") as stream:
    CASES: dict[str, dict[str, Any]] = {case["name"]: case for case in json.load(stream)["cases"]}
RUNS = [(case, run) for case in CASES for run in CASES[case]["runs"]]
NAMES_OF_COLUMNS = "opt_names_short"
"""The one refusal without a counterpart: option -N renames the columns of the printed report."""


def options(argv: list[str]) -> dict[str, Any]:
    """Arguments of the Perl script as arguments of `score_files`."""
    given_options = dict(pairwise(argv))
    try:
        c_miss, c_fa = (float(part) for part in given_options.get("-C", "1:0.1").split(":"))
    except ValueError:
        c_miss = c_fa = float("nan")
    return {
        "costs": Costs(c_miss=c_miss, c_fa=c_fa, p_target=float(given_options.get("-P", 0.02))),
        "skip_spurious": "-S" in argv,
        "curves": "-d" in argv,
        "utility_weight": float(given_options.get("-W", 10)),
        "utility_floor": float(given_options.get("-M", -0.5)),
    }


def score(case: dict[str, Any], run: dict[str, Any], folder: Path, **more: Any) -> NistScore:
    compress, ending = (gzip.compress, ".gz") if case["gzip"] else (bytes, "")
    key, system = folder / f"key{ending}", folder / f"sys{ending}"
    key.write_bytes(compress(case["key"].encode()))
    system.write_bytes(compress(case["system"].encode()))
    return score_files(key, system, **options(run["argv"]), **more)


def printed(value: float | None) -> float | None:
    """What Perl prints: 15 significant digits."""
    return None if value is None else float(f"{value:.15g}")


def rates(found: Rates) -> list[float | None]:
    return [printed(value) for value in (found.p_miss, found.p_fa, found.cost, found.norm_cost)]


def number(value: Any) -> Any:
    return None if value in ("--", "NULL") else value


def field(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def check_sweep(sweep: Sweep | None, curve: list[Any] | None, minimum: dict[str, Any]) -> None:
    if curve is not None:
        assert sweep is not None
        rows = [[printed(value) for value in row] for row in sweep.curve.tolist()]
        if rows and len(rows[0]) > 2:
            written = [(text or "").split() for text in sweep.thresholds]
            parts = zip(rows, written, strict=True)
            rows = [row[:6] + [field(text) for text in texts] + row[7:] for row, texts in parts]
        assert rows == curve
    best = sweep.minimum if sweep is not None else None
    if minimum["norm_cost"] == "NULL":
        assert best is None or curve is None
    else:
        assert best is not None
        deviates = [float(normal_deviate(value)) for value in (best.p_miss, best.p_fa, best.norm_cost)]
        values = [deviates[0], deviates[1], best.cost, deviates[2], best.norm_cost, best.threshold]
        assert [printed(value) for value in values] == list(minimum.values())


def check_curves(found: NistScore, det: dict[str, Any]) -> None:
    check_sweep(found.pooled, det.get("pooled_curve"), det["min_pooled"])
    check_sweep(found.block_weighted, det.get("block_weighted_curve"), det["min_block_weighted"])


@pytest.mark.parametrize(("name", "run_name"), RUNS)
def test_oracle(name: str, run_name: str, tmp_path: Path) -> None:
    case = CASES[name]
    run = case["runs"][run_name]
    order = case["block_order"] if "-d" in run["argv"] else None
    if run["exit_code"] != 0 and name != NAMES_OF_COLUMNS:
        with pytest.raises(NistError) as error:
            score(case, run, tmp_path, block_order=order)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) > 20
        return
    found = score(case, run, tmp_path, block_order=order)
    if name == NAMES_OF_COLUMNS:
        return
    expected = [number(value) for value in run["overall"].values()]
    assert rates(found.topic_weighted) + rates(found.story_weighted) == expected[:8]
    blocks = {
        block: [s.hits, s.misses, s.rejections, s.false_alarms, *rates(s.rates)] for block, s in found.blocks.items()
    }
    assert blocks == {block: [number(v) for v in values.values()] for block, values in run["blocks"].items()}
    assert list(blocks) == list(run["blocks"])
    utility = [round(found.utility.mean, 2), round(found.utility.mean_normed, 4), round(found.utility.mean_scaled, 4)]
    assert utility == list(run["utility"].values())
    if run.get("det"):
        check_curves(found, run["det"])


@pytest.mark.parametrize("name", ["opt_a_shifted_blocks", "opt_a_perfect"])
def test_oracle_of_rescaled_scores(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    run = case["runs"]["det_a"]
    found = score(case, run, tmp_path, block_order=case["block_order_rescaled"], rescaled=True)
    check_curves(found, run["det_oraclecost"])


def test_block_without_targets_cannot_be_rescaled(tmp_path: Path) -> None:
    case = CASES["opt_a_block_without_targets"]
    with pytest.raises(NistError, match="block 'T02' lacks targets or non-targets"):
        score(case, case["runs"]["det_a"], tmp_path, rescaled=True)


@pytest.mark.parametrize(
    ("name", "run", "message"),
    [
        ("missing_three_pairs", "report", "3 pairs of the key without an answer: 'D00016 D00017'"),
        ("spurious_two_pairs", "report", "2 pairs of the system not in the key"),
        ("key_header_missing", "report", "line 1: a key starts with '# LINK_DETECTION'"),
        ("block_without_nontargets_1of4", "report", "has no non-target with a decision YES or NO"),
        ("no_targets_anywhere", "report", "no target has a decision YES or NO"),
        ("only_one_block_with_targets", "det", "needs two blocks with targets and non-targets"),
        ("identical_blocks", "det", "a variance just below 0 by rounding"),
        ("opt_P_0", "report", "p_target between 0 and 1"),
    ],
)
def test_refusals_say_why(name: str, run: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(NistError, match=message):
        score(CASES[name], CASES[name]["runs"][run], tmp_path)


def test_block_order_must_name_the_blocks(tmp_path: Path) -> None:
    case = CASES["size_2topics_40"]
    with pytest.raises(NistError, match="block_order must name each scored block once: T01, T02"):
        score(case, case["runs"]["det"], tmp_path, block_order=["T01"])


def test_a_score_that_is_nan_is_refused(tmp_path: Path) -> None:
    case = CASES["size_2topics_40"]
    broken = {**case, "system": case["system"].replace(" 2.15638", " NaN")}
    with pytest.raises(NistError, match="the score of 'D00002 D00003' is NaN"):
        score(broken, case["runs"]["report"], tmp_path)


def test_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NistError, match="absent: cannot be read"):
        read_key(tmp_path / "absent")
    (tmp_path / "latin").write_bytes(b"# caf\xe9\n")
    with pytest.raises(NistError, match="latin: cannot be read"):
        read_system(tmp_path / "latin")
    (tmp_path / "text.gz").write_bytes(b"# LINK_DETECTION\n")
    with pytest.raises(NistError, match=r"text\.gz: cannot be read"):
        read_key(tmp_path / "text.gz")


NAME = st.text(alphabet="abcXYZ019._-é", min_size=1, max_size=6)
PAIR = st.tuples(NAME, NAME).map(" ".join)


@given(
    pairs=st.lists(PAIR, min_size=1, max_size=8, unique=True),
    ending=st.sampled_from(["", ".gz"]),
    data=st.data(),
)
def test_files_read_back_as_written(
    pairs: list[str], ending: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("nist")
    labels = st.sampled_from(["TARGET", "NONTARGET", "OTHER"])
    key = [KeyRecord(pair=pair, label=data.draw(labels), block=data.draw(NAME)) for pair in pairs]
    write_key(folder / f"key{ending}", key, description="made up")
    assert read_key(folder / f"key{ending}") == key
    records = [SystemRecord(pair=p, decision="YES", score=repr(data.draw(st.floats(allow_nan=False)))) for p in pairs]
    system = SystemFile(system="bstm", deferral="10", description="free text", records=records)
    write_system(folder / f"sys{ending}", system)
    assert read_system(folder / f"sys{ending}") == system


@pytest.mark.parametrize("bad", ["a", "a b c", "a #b", "a ", "a\tb c"])
def test_names_the_format_cannot_hold_are_refused(bad: str, tmp_path: Path) -> None:
    with pytest.raises(NistError, match=r"pair|cannot be written"):
        write_key(tmp_path / "key", [KeyRecord(pair=bad, label="TARGET", block="T1")])
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.83", 0.83), ("+1e3x", 1000.0), ("abc", 0.0), ("0x1A", 0.0), ("0,9", 0.0), ("", 0.0), (".5 note", 0.5)],
)
def test_scores_count_by_their_leading_number(text: str, value: float) -> None:
    assert leading_number(text) == value


def test_infinite_scores() -> None:
    assert leading_number("-Inf") == -np.inf
    assert leading_number("1e400") == np.inf
