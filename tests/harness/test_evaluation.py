"""The evaluator as TIRA calls it, read back by TIRA's own parser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import Command

from harness.store import open_dataset


@pytest.fixture
def exported(home: Path, bakeoff: Command, tmp_path: Path) -> Path:
    assert bakeoff("datasets", "export", "sotu-verification", "--format", "tira", "--out", tmp_path / "task").code == 0
    return tmp_path / "task"


def gold(folder: Path) -> Path:
    folder.mkdir()
    truths = open_dataset("sotu-verification").truths("test")
    rows = (json.dumps({"id": i, "value": float(truth.same)}) + "\n" for i, truth in truths.items())
    (folder / "answers.jsonl").write_text("".join(rows), encoding="utf-8")
    return folder


def test_the_command_that_the_export_names(bakeoff: Command, exported: Path, tmp_path: Path) -> None:
    run = gold(tmp_path / "run")
    result = bakeoff("evaluate", "-i", exported / "truths", "-r", run, "-o", tmp_path / "out")
    assert result.code == 0, result.err
    assert json.loads((tmp_path / "out" / "evaluation.json").read_text(encoding="utf-8"))["task"] == "verification"
    text = (exported / "README.md").read_text(encoding="utf-8")
    assert "bakeoff evaluate -i $inputDataset -r $inputRun -o $outputDir" in text


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # TIRA's parser leaves the file open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_tiras_parser_reads_it(bakeoff: Command, exported: Path, tmp_path: Path) -> None:
    from tira.io_utils import parse_prototext_key_values

    bakeoff("evaluate", "-i", exported / "truths", "-r", gold(tmp_path / "run"), "-o", tmp_path / "out")
    values = {row["key"]: row["value"] for row in parse_prototext_key_values(tmp_path / "out" / "evaluation.prototext")}
    assert float(values["c_at_1"]) == 1.0
    assert float(values["overall(year=2020)"]) == 1.0


def test_truths_of_no_task_are_refused(bakeoff: Command, tmp_path: Path) -> None:
    truths = tmp_path / "truths.jsonl"
    truths.write_text('{"id": "a", "colour": "blue"}\n', encoding="utf-8")
    assert "no task has such truths" in bakeoff("evaluate", "-i", truths, "-r", truths, "-o", tmp_path / "out").error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "system", ["constant(value='a')", "fuzzy_c_means(clusters=None)", "fuzzy_c_means(clusters=100000)"]
)
def test_ill_typed_parameters_are_wrong_use(bakeoff: Command, system: str) -> None:
    result = bakeoff("run", system, "sotu-verification")
    assert result.code == 2
    assert result.error.startswith(system.partition("(")[0])
