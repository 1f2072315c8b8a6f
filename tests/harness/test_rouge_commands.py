"""`bakeoff rouge` and `bakeoff explain-rouge` on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command

CONFIG = """<ROUGE-EVAL version="1.0"><EVAL ID="1">
<PEER-ROOT>{root}</PEER-ROOT><MODEL-ROOT>{root}</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="17">peer</P></PEERS><MODELS><M ID="A">a</M><M ID="B">b</M></MODELS></EVAL></ROUGE-EVAL>"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    texts = {"peer": "x1 x2\n", "a": "x1 x2\n", "b": "x1 x2 x3 x4 x5 x6 x7 x8\nthe cats\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = tmp_path / "config.xml"
    path.write_text(CONFIG.format(root=tmp_path), encoding="utf-8")
    return path


def test_rouge_prints_as_the_perl_program_does(bakeoff: Command, config: Path) -> None:
    result = bakeoff("rouge", "-n", 1, "-x", "-f", "A", "-r", 10, "-d", "-a", config)
    assert result.code == 0
    lines = result.out.split("\n")
    assert lines[0] == "-" * 45
    assert lines[1] == "17 ROUGE-1 Average_R: 0.33333 (95%-conf.int. 0.33333 - 0.33333)"
    assert lines[-2] == "17 ROUGE-1 Eval 1.17 R:0.33333 P:1.00000 F:0.50000"


def test_rouge_takes_its_own_help_and_refuses_in_one_line(bakeoff: Command, tmp_path: Path) -> None:
    assert "ROUGE-1 to ROUGE-N" in bakeoff("rouge", "-h").out
    refused = bakeoff("rouge", "-a", tmp_path / "nothing.xml")
    assert refused.code != 0
    assert refused.err.count("\n") == 1
    assert "nothing.xml" in refused.err


def test_explanations_add_up(bakeoff: Command, config: Path) -> None:
    result = bakeoff("explain-rouge", config, "--json")
    assert result.code == 0
    for explanation in json.loads(result.out)["17"]:
        steps = sum(step["change"] for step in explanation["steps"])
        assert explanation["rouge_155"] + steps == pytest.approx(explanation["google"])


def test_an_unknown_system_is_refused(bakeoff: Command, config: Path) -> None:
    assert bakeoff("explain-rouge", config, "18").error.endswith("no system '18'; known: 17")
