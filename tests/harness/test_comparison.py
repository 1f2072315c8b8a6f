"""Two runs side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.comparison import compare_runs
from harness.store import open_dataset


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path / "home"))
    return open_dataset("sotu-verification")


def write(path: Path, rows: dict[str, float]) -> Path:
    path.write_text("".join(json.dumps({"id": i, "value": v}) + "\n" for i, v in rows.items()), encoding="utf-8")
    return path


def test_a_better_run_wins_by_every_test(dataset, tmp_path: Path) -> None:
    truths = dataset.truths("test")
    gold = {i: float(truth.same) for i, truth in truths.items()}
    wrong = dict(list(gold.items()))
    spoilt = list(gold)[:60]
    wrong.update({i: 1 - gold[i] for i in spoilt})
    result = compare_runs(write(tmp_path / "a", gold), write(tmp_path / "b", wrong), dataset)
    for difference in result.differences:
        assert difference.difference > 0
        assert difference.interval[0] > 0
        assert difference.p_value < 0.05
    assert result.first_better == spoilt
    assert result.second_better == []
    assert all(p < 0.001 for p in result.tests.values())


def test_equal_runs_do_not_differ(dataset, tmp_path: Path) -> None:
    values = {i: (n % 10) / 10 for n, i in enumerate(dataset.truths("test"))}
    result = compare_runs(write(tmp_path / "a", values), write(tmp_path / "b", values), dataset)
    assert {difference.difference for difference in result.differences} == {0.0}
    assert {difference.p_value for difference in result.differences} == {1.0}
    assert set(result.tests.values()) == {1.0}
