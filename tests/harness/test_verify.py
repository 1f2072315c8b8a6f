"""Verification of a dataset on disk: sound ones pass, every kind of damage is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import pan14, pan20

from harness.corpora import Source
from harness.dataset import Dataset
from harness.store import add_dataset, open_dataset
from harness.verify import verify

Rows = list[dict[str, object]]


@pytest.fixture
def dataset(tmp_path: Path, home: Path) -> Dataset:
    add_dataset("mine", [Source(path=pan14(tmp_path / "c", count=30, shared={3: 0}))], like="pan14")
    return open_dataset("mine")


def change(dataset: Dataset, name: str, edit: Callable[[Rows], object]) -> list[str]:
    path = dataset.folder / name
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    edit(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(verify(dataset))


def test_a_sound_dataset_has_no_fault(dataset: Dataset, tmp_path: Path) -> None:
    assert list(verify(dataset)) == []
    sources = [Source(path=pan20(tmp_path / "train")), Source(path=pan20(tmp_path / "test", seed="q"))]
    add_dataset("pan20", sources)
    assert list(verify(open_dataset("pan20"))) == []


@pytest.mark.parametrize("name", ["documents.jsonl", "train/inputs.jsonl", "train/truths.jsonl", "folds.jsonl"])
def test_one_changed_byte_is_found(dataset: Dataset, name: str) -> None:
    path = dataset.folder / name
    path.write_bytes(path.read_bytes() + b" ")
    faults = list(verify(dataset))
    assert faults[0].startswith(f"{path}: not the file the manifest describes; add the dataset again")


def test_counts_truths_and_folds_are_compared(dataset: Dataset) -> None:
    faults = change(dataset, "train/inputs.jsonl", lambda rows: rows.pop())
    assert "train: 29 problems, 30 in the manifest" in faults
    assert "train: truths for 1 problems that are not there, DE030 first" in faults


def test_a_missing_truth_is_found(dataset: Dataset) -> None:
    faults = change(dataset, "train/truths.jsonl", lambda rows: rows.pop(0))
    assert "train: no truth for 1 problems, DE001 first" in faults


def test_a_missing_fold_is_found(dataset: Dataset) -> None:
    faults = change(dataset, "folds.jsonl", lambda rows: rows.pop(0))
    assert any(fault.endswith("folds.jsonl: no fold for 1 problems, 'DE001' first") for fault in faults)


def test_a_row_without_its_fold_is_found(dataset: Dataset) -> None:
    faults = change(dataset, "folds.jsonl", lambda rows: rows[1].pop("fold"))
    assert any("folds.jsonl, line 2: 'DE002' has no \"fold\"" in fault for fault in faults)


def test_a_text_on_both_sides_is_found(dataset: Dataset) -> None:
    def part(rows: Rows) -> None:
        rows[3]["fold"] = (int(str(rows[0]["fold"])) + 1) % 10

    assert any("DE001 and DE004 share a text" in fault for fault in change(dataset, "folds.jsonl", part))


@pytest.mark.parametrize(
    "name, edit, said",
    [
        ("train/inputs.jsonl", lambda rows: rows[4].update(known=[]), "'DE005': \"known\" must list"),
        ("train/truths.jsonl", lambda rows: rows[4].update(same="Y"), "line 5: id 'DE005': \"same\" must"),
        ("train/truths.jsonl", lambda rows: rows[4].update(id="DE001"), "line 5: id 'DE001' occurs twice"),
        ("documents.jsonl", lambda rows: rows.pop(0), "no document 'train/DE001/known01.txt'"),
    ],
)
def test_what_stops_the_reading_does_not_hide_the_rest(
    dataset: Dataset, name: str, edit: Callable[[Rows], object], said: str
) -> None:
    faults = change(dataset, name, edit)
    assert "not the file the manifest describes" in faults[0]
    assert any(said in fault for fault in faults[1:])
    assert not any("\n" in fault for fault in faults)


def test_a_file_that_the_manifest_does_not_know_is_found(dataset: Dataset) -> None:
    """Else a split slipped in would change what a run depends on, but not its identity."""
    (dataset.folder / "test").mkdir()
    (dataset.folder / "test" / "inputs.jsonl").write_bytes((dataset.folder / "train" / "inputs.jsonl").read_bytes())
    assert any(f"{dataset.folder}/test/inputs.jsonl: not in the manifest" in fault for fault in verify(dataset))


def test_a_dataset_without_any_split(dataset: Dataset) -> None:
    empty = Dataset(folder=dataset.folder / "nowhere", manifest={"id": "x", "task": "verification", "files": {}})
    assert [fault.split(": ", 1)[1] for fault in verify(empty)] == [
        "neither a train nor a test split; add the dataset again"
    ]
