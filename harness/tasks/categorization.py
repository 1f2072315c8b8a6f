"""Text categorization: which of the labels does this document have?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.formats import tira
from harness.formats.jsonlines import TRUTHS, answers_format
from harness.jsonl import Row
from harness.records import Document
from harness.task import STRICT, AnswerError, Collection, Expectation, Task, collect, require


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One document."""

    id: str
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Its label."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A label, and optionally a score for each label, greater meaning more likely."""

    label: str
    scores: Mapping[str, float] | None = None


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "document": document id}`"""
    require(isinstance(row.get("document"), str), '"document" must be a document id')
    (document,) = collect(collection, [row["document"]])
    return Problem(id=row["id"], document=document)


def read_truth(row: Row) -> Truth:
    """`{"id", "label": str}`"""
    require(isinstance(row.get("label"), str) and row["label"], '"label" must be a text')
    return Truth(label=row["label"])


def read_answer(row: Row) -> Answer:
    """`{"id", "label": str, "scores"?: {label: number}}`"""
    label, scores = row.get("label"), row.get("scores")
    if not isinstance(label, str) or not label:
        raise AnswerError("wrong_type", f"the label must be a text, not {label!r}")
    if scores is not None and not _are_numbers(scores):
        raise AnswerError("wrong_type", '"scores" must give each label a number', Answer(label=label))
    return Answer(label=label, scores=scores)


def _are_numbers(scores: object) -> bool:
    return isinstance(scores, dict) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
        for value in scores.values()
    )


def answer_row(answer: Answer) -> Row:
    """The reverse of `read_answer`, without the id."""
    return {"label": answer.label, **({"scores": dict(answer.scores)} if answer.scores else {})}


def within(task: Task[Problem, Truth, Answer], manifest: Mapping[str, Any]) -> Task[Problem, Truth, Answer]:
    """The task of a dataset that lists its labels: any other label is a fault."""
    labels = manifest.get("labels")
    if not labels:
        return task

    def read_known(row: Row) -> Answer:
        answer = read_answer(row)
        if answer.label not in labels:
            raise AnswerError("out_of_range", f"no label {answer.label!r}; the labels are {', '.join(labels)}")
        return answer

    return replace(task, answer=read_known)


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; a document left out has the empty label, which is always wrong."""
    import numpy as np

    return {
        "label": np.array([truth.label for truth in truths], dtype=object),
        "predicted": np.array(["" if answer is None else answer.label for answer in answers], dtype=object),
    }


def _first_label(truths: Sequence[Truth]) -> str:
    return min(truth.label for truth in truths)


def _of_one_label(truths: Sequence[Truth]) -> Mapping[str, float]:
    """One label's recall is 1, its precision its share; all others have nothing."""
    share = sum(truth.label == _first_label(truths) for truth in truths) / len(truths)
    labels = len({truth.label for truth in truths})
    return {
        "accuracy": share,
        "micro_f1": share,
        "macro_f1": 2 * share / (1 + share) / labels,
        "macro_precision": share / labels,
        "macro_recall": 1 / labels,
    }


_METRICS = ("accuracy", "micro_f1", "macro_f1", "macro_precision", "macro_recall")

task: Task[Problem, Truth, Answer] = Task(
    name="categorization",
    title="Text categorization",
    summary="which of the labels does a document have? (WebKB, polarity, subjectivity, Amazon, TagMyNews)",
    problem=read_problem,
    truth=read_truth,
    truth_row=lambda truth: {"label": truth.label},
    answer=read_answer,
    answer_row=answer_row,
    unanswered=Answer(label=""),
    metrics=_METRICS,
    columns=columns,
    gold=lambda truth: Answer(label=truth.label),
    credit=lambda truth, answer: float(answer is not None and answer.label == truth.label),
    formats=(answers_format(STRICT),),
    truth_formats=(TRUTHS,),
    exports={
        "tira": tira.exporter(
            input_row=lambda problems: lambda problem: {"text": problem.document.text},
            truth_row=lambda truth: {"label": truth.label},
            truth_field="label",
            answer_field="label",
        ),
    },
    expectations=(
        Expectation(
            name="an empty run",
            answers=lambda truths: [None] * len(truths),
            values=lambda truths: dict.fromkeys(_METRICS, 0.0),
        ),
        Expectation(
            name="always one label",
            answers=lambda truths: [Answer(label=_first_label(truths))] * len(truths),
            values=_of_one_label,
        ),
    ),
    within=within,
)
