"""The self-test holds on a sound evaluator and finds a broken one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.records import Entry
from harness.selftest import selftest
from harness.store import open_dataset


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path))
    return open_dataset("sotu-verification")


def test_everything_holds(dataset) -> None:
    trials = list(selftest(dataset))
    assert len(trials) >= 5
    assert all(trial.passed for trial in trials), trials


def broken(dataset, **changes):
    return replace_task(dataset, replace(dataset.task, **changes))


def replace_task(dataset, task):
    dataset.__dict__["task"] = task
    return dataset


def test_a_scorer_that_pairs_by_position_is_found(dataset) -> None:
    task = dataset.task
    inner = task.formats[0]

    def by_position(path):
        ids = iter(dataset.inputs(dataset.evaluated))
        for entry in inner.read(path):
            yield Entry(line=entry.line, id=next(ids), row=entry.row)

    wrong = broken(dataset, formats=(replace(inner, read=by_position), *task.formats[1:]))
    failed = {trial.name for trial in selftest(wrong) if not trial.passed}
    assert "shuffled rows change nothing" in failed


def test_a_truth_turned_round_is_found(dataset) -> None:
    task = dataset.task
    wrong = broken(dataset, gold=lambda truth: task.gold(replace(truth, same=not truth.same)))
    failed = {trial.name for trial in selftest(wrong) if not trial.passed}
    assert "gold against gold is perfect" in failed


def test_missing_counted_as_yes_is_found(dataset) -> None:
    task = dataset.task
    yes = task.gold(replace(next(iter(dataset.truths("test").values())), same=True))

    def columns(truths, answers):
        return task.columns(truths, [yes if answer is None else answer for answer in answers])

    failed = {trial.name for trial in selftest(broken(dataset, columns=columns)) if not trial.passed}
    assert "an empty run gets what theory says" in failed
