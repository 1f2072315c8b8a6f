"""Authorship attribution: who of the candidates wrote this text, or none of them?

A problem is one text. Candidates and their known texts are the training problems; where a corpus has several
sets of candidates (PAN 2018 and 2019), `set` keeps them apart and every set is a round of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.formats import pan_attribution, tira
from harness.formats.jsonlines import TRUTHS
from harness.jsonl import Row
from harness.records import Document
from harness.task import AnswerError, Collection, Expectation, Task, collect, require

UNKNOWN = "<UNK>"
"""None of the candidates. A text left out counts as this, as it does in PAN: right only where the truth says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One text, and the set of candidates it belongs to."""

    id: str
    document: Document
    set: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Its author; `<UNK>` where it is none of the candidates."""

    author: str
    set: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The author, and optionally a score for each candidate, greater meaning more likely."""

    author: str
    scores: Mapping[str, float] | None = None


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "document": document id, "set"?: str}`"""
    require(isinstance(row.get("document"), str), '"document" must be a document id')
    require(isinstance(row.get("set", ""), str), '"set" must be a text')
    (document,) = collect(collection, [row["document"]])
    return Problem(id=row["id"], document=document, set=row.get("set", ""))


def read_truth(row: Row) -> Truth:
    """`{"id", "author": str, "set"?: str}`"""
    require(isinstance(row.get("author"), str) and row["author"], '"author" must be a name')
    require(isinstance(row.get("set", ""), str), '"set" must be a text')
    return Truth(author=row["author"], set=row.get("set", ""))


def truth_row(truth: Truth) -> Row:
    """The reverse of `read_truth`, without the id."""
    return {"author": truth.author, **({"set": truth.set} if truth.set else {})}


def read_answer(row: Row) -> Answer:
    """`{"id", "author": str, "scores"?: {author: number}}`"""
    author, scores = row.get("author"), row.get("scores")
    if not isinstance(author, str) or not author:
        raise AnswerError("wrong_type", f"the author must be a name, not {author!r}")
    if scores is not None:
        numbers = isinstance(scores, dict) and all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in scores.values()
        )
        if not numbers:
            raise AnswerError("wrong_type", '"scores" must give each author a number', Answer(author=author))
        if any(math.isnan(value) for value in scores.values()):
            raise AnswerError("nan", '"scores" holds a NaN', Answer(author=author))
    return Answer(author=author, scores=scores)


def answer_row(answer: Answer) -> Row:
    """The reverse of `read_answer`, without the id."""
    return {"author": answer.author, **({"scores": dict(answer.scores)} if answer.scores else {})}


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; candidates of different sets are different authors even if named alike."""
    import numpy as np

    said = [UNKNOWN if answer is None else answer.author for answer in answers]
    return {
        "label": np.array([_label(truth.set, truth.author) for truth in truths], dtype=object),
        "predicted": np.array([_label(t.set, a) for t, a in zip(truths, said, strict=True)], dtype=object),
        "problem": np.array([truth.set for truth in truths], dtype=object),
    }


def _label(candidates: str, author: str) -> str:
    return author if author == UNKNOWN or not candidates else f"{candidates}/{author}"


def _text(problem: Problem) -> Row:
    return {"text": problem.document.text, **({"set": problem.set} if problem.set else {})}


def _of_nothing(truths: Sequence[Truth]) -> Mapping[str, float]:
    """Every text counts as `<UNK>`: right where the truth says so, and nowhere in a closed set."""
    share = sum(truth.author == UNKNOWN for truth in truths) / len(truths)
    closed = {"micro_f1": 0.0, "macro_f1": 0.0, "macro_precision": 0.0, "macro_recall": 0.0, "max_f1": 0.0}
    return {"accuracy": share, **({} if share else closed)}


def _first_author(truths: Sequence[Truth]) -> str:
    return min(truth.author for truth in truths)


def _of_one_author(truths: Sequence[Truth]) -> Mapping[str, float]:
    """One author's recall is 1, his precision his share; all others have nothing."""
    share = sum(truth.author == _first_author(truths) for truth in truths) / len(truths)
    values = {"accuracy": share, "micro_f1": share}
    if len({truth.set for truth in truths}) > 1:
        return values
    authors = len({truth.author for truth in truths})
    f1 = 2 * share / (1 + share)
    return {
        **values,
        "macro_f1": f1 / authors,
        "macro_precision": share / authors,
        "macro_recall": 1 / authors,
        "max_f1": f1,
    }


task: Task[Problem, Truth, Answer] = Task(
    name="attribution",
    title="Authorship attribution",
    summary="who of the candidates wrote this text, or none of them? (C50, Federalist, Usenet, PAN 2018 and 2019)",
    problem=read_problem,
    truth=read_truth,
    truth_row=truth_row,
    answer=read_answer,
    answer_row=answer_row,
    unanswered=Answer(author=UNKNOWN),
    metrics=(
        "macro_f1", "accuracy", "micro_f1", "macro_precision", "macro_recall", "min_f1", "max_f1", "std_f1",
        "macro_f1_2015", "macro_f1_2018", "macro_f1_2019",
    ),
    columns=columns,
    gold=lambda truth: Answer(author=truth.author),
    credit=lambda truth, answer: float((UNKNOWN if answer is None else answer.author) == truth.author),
    formats=(pan_attribution.ANSWERS_JSONL, pan_attribution.ANSWERS),
    truth_formats=(TRUTHS, pan_attribution.TRUTHS),
    exports={
        "tira": tira.exporter(
            input_row=lambda problems: _text, truth_row=truth_row, truth_field="author", answer_field="author"
        ),
    },
    expectations=(
        Expectation(name="an empty run", answers=lambda truths: [None] * len(truths), values=_of_nothing),
        Expectation(
            name="always one author",
            answers=lambda truths: [Answer(author=_first_author(truths))] * len(truths),
            values=_of_one_author,
        ),
    ),
)  # fmt: skip
