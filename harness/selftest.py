"""Proof that the evaluator can be trusted on a dataset, by runs whose scores are known beforehand."""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.check import apply_policy, check_run
from harness.dataset import Dataset
from harness.errors import BakeoffError
from harness.registry import get_metric
from harness.scoring import dataset_metrics, evaluate
from harness.task import LENIENT, Task

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One thing that must hold, and whether it did."""

    name: str
    passed: bool
    detail: str


def selftest(dataset: Dataset) -> Iterator[Trial]:
    """Gold is perfect, order is nothing, an empty run gets the floor, a constant gets what theory says."""
    task, truths = dataset.task, dataset.truths(dataset.evaluated)
    metrics = dataset_metrics(dataset)
    gold = {identifier: task.gold(truth) for identifier, truth in truths.items()}
    scores = _scored_from_file(task, truths, gold, metrics)
    if task.gold_is_perfect:
        best = {text: get_metric(text).bounds[1 if get_metric(text).direction == "max" else 0] for text in metrics}
        yield _compare("gold against gold is perfect", scores, best)
    else:
        others = dict(zip(gold, [*list(gold.values())[1:], *list(gold.values())[:1]], strict=True))
        yield _better(
            "gold is better than the gold of another problem", scores, _scored_from_file(task, truths, others, metrics)
        )
    shuffled = list(gold.items())
    random.Random(0).shuffle(shuffled)
    yield _compare("shuffled rows change nothing", _scored_from_file(task, truths, dict(shuffled), metrics), scores)
    yield _every_format(task, truths, gold, metrics, scores)
    for expectation in task.expectations:
        answers = dict(zip(truths, expectation.answers(list(truths.values())), strict=True))
        given = {identifier: answer for identifier, answer in answers.items() if answer is not None}
        theory = expectation.values(list(truths.values()))
        found = _scored_from_file(task, truths, given, list(theory))
        yield _compare(f"{expectation.name} gets what theory says", found, theory)


def _every_format(
    task: Task[Any, Any, Any],
    truths: Mapping[str, Any],
    gold: Mapping[str, Any],
    metrics: Sequence[str],
    scores: Mapping[str, float],
) -> Trial:
    writable = [answer_format for answer_format in task.formats if answer_format.write]
    for answer_format in writable:
        found = _scored_from_file(task, truths, gold, metrics, format_name=answer_format.name)
        trial = _compare(f"gold as {answer_format.name} scores the same", found, scores)
        if not trial.passed:
            return trial
    names = ", ".join(answer_format.name for answer_format in writable)
    return Trial(name="every answer format scores the same", passed=True, detail=names)


def _scored_from_file(
    task: Task[Any, Any, Any],
    truths: Mapping[str, Any],
    answers: Mapping[str, Any],
    metrics: Sequence[str],
    *,
    format_name: str | None = None,
) -> dict[str, float]:
    """Write the answers as a run, then read, check and score it as any other; undefined metrics are left out."""
    write = next(f.write for f in task.formats if f.write and format_name in (None, f.name))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers"
        rows = ((identifier, task.answer_row(answer)) for identifier, answer in answers.items())
        path.write_text("".join(write(rows)), encoding="utf-8")
        treated = apply_policy(check_run(path, task, list(truths)), LENIENT)
    columns = task.columns(list(truths.values()), [treated.answers[i] for i in truths])
    values = {text: evaluate(get_metric(text), columns)[0] for text in metrics}
    return {text: value for text, value in values.items() if value is not None}


def _better(name: str, found: Mapping[str, float], other: Mapping[str, float]) -> Trial:
    """Whether each value is better than the other; for a gold that is one of several truths."""
    wrong = []
    for text, value in found.items():
        gap = value - other[text] if get_metric(text).direction == "max" else other[text] - value
        if gap <= 0:
            wrong.append(f"{text} is {value:.6f}, no better than {other[text]:.6f}")
    return Trial(name=name, passed=not wrong, detail="; ".join(wrong) or f"{len(found)} metrics")


def _compare(name: str, found: Mapping[str, float], expected: Mapping[str, float]) -> Trial:
    if not found:
        raise BakeoffError("no metric has a value on this dataset; does its truth have more than one class?")
    wrong = [
        f"{metric} is {value:.6f}, not {expected[metric]:.6f}"
        for metric, value in found.items()
        if metric in expected and not math.isclose(value, expected[metric], abs_tol=_TOLERANCE)
    ]
    detail = "; ".join(wrong) or f"{len(found)} metrics"
    return Trial(name=name, passed=not wrong, detail=detail)
