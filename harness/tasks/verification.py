"""Author verification, as PAN has set it since 2013: are these texts by the same author?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.formats import pan, pan_release, tira
from harness.jsonl import Row
from harness.records import Document
from harness.task import AnswerError, Collection, Expectation, Task, collect, require

UNANSWERED = 0.5
Letter = Literal["Y", "N", "-"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Texts known to be by one author, and a questioned text."""

    id: str
    known: tuple[Document, ...]
    questioned: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Whether the questioned text is by the known author; `group` is PAN 2013's class (EN, GR, SP)."""

    same: bool
    authors: tuple[str, ...] = ()
    group: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Probability of "same author"; exactly 0.5 leaves the problem unanswered. PAN 2013 adds a letter."""

    value: float
    letter: Letter | None = None


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "known": [document ids], "questioned": document id}`"""
    known, questioned = row.get("known"), row.get("questioned")
    require(isinstance(known, list) and known, '"known" must list at least one document id')
    require(isinstance(questioned, str), '"questioned" must be a document id')
    documents = collect(collection, [*known, questioned])  # type: ignore[misc,list-item]
    return Problem(id=row["id"], known=documents[:-1], questioned=documents[-1])


def read_truth(row: Row) -> Truth:
    """`{"id", "same": bool, "authors"?: [...], "group"?: str}`"""
    require(isinstance(row.get("same"), bool), '"same" must be true or false')
    authors, group = row.get("authors", []), row.get("group")
    require(isinstance(authors, list) and all(isinstance(a, str) for a in authors), '"authors" must be a list of names')
    require(group is None or isinstance(group, str), '"group" must be a text')
    return Truth(same=row["same"], authors=tuple(authors), group=group)


def truth_row(truth: Truth) -> Row:
    """The reverse of `read_truth`, without the id."""
    row: Row = {"same": truth.same}
    if truth.authors:
        row["authors"] = list(truth.authors)
    if truth.group is not None:
        row["group"] = truth.group
    return row


def read_answer(row: Row) -> Answer:
    """`{"id", "value": 0..1, "answer"?: "Y"|"N"|"-"}`; raises `AnswerError` for anything else."""
    letter = row.get("answer")
    if letter not in (None, "Y", "N", "-"):
        raise AnswerError("wrong_type", f'"answer" must be Y, N or -, not {letter!r}')
    if "value" not in row:
        raise AnswerError("wrong_type", 'no "value"')
    return Answer(value=read_value(row["value"]), letter=letter)


def read_value(value: Any) -> float:
    """A number in [0, 1], or the fault with what could still be meant."""
    if isinstance(value, list) and len(value) == 1:
        raise AnswerError("wrapped", f"the value {value!r} is wrapped in a list", _salvaged(value[0]))
    if isinstance(value, str):
        raise AnswerError("text_number", f"the value {value!r} is a text, not a number", _salvaged(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AnswerError("wrong_type", f"the value {value!r} is not a number", _salvaged(value))
    if math.isnan(value):
        raise AnswerError("nan", "the value is NaN")
    if not 0 <= value <= 1:
        raise AnswerError("out_of_range", f"the value {value!r} is outside [0, 1]", Answer(value=float(value)))
    return float(value)


def _salvaged(value: Any) -> Answer | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isnan(number) else Answer(value=number)


def answer_row(answer: Answer) -> Row:
    """The reverse of `read_answer`, without the id."""
    row: Row = {"value": answer.value}
    if answer.letter is not None:
        row["answer"] = answer.letter
    return row


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; `None` is a problem that the run leaves out."""
    import numpy as np

    given = np.array([answer is not None for answer in answers], dtype=bool)
    value = np.array([UNANSWERED if answer is None else answer.value for answer in answers], dtype=float)
    verdict = np.array([-1 if answer is None else _verdict(answer) for answer in answers], dtype=np.int8)
    same = np.array([truth.same for truth in truths], dtype=bool)
    return {"same": same, "answer": value, "given": given, "verdict": verdict}


def _verdict(answer: Answer) -> int:
    if answer.letter is not None:
        return {"Y": 1, "N": 0, "-": -1}[answer.letter]
    return -1 if answer.value == UNANSWERED else int(answer.value > UNANSWERED)


def credit(truth: Truth, answer: Answer | None) -> float:
    """1 right, 0 wrong, 0.5 unanswered."""
    verdict = -1 if answer is None else _verdict(answer)
    return 0.5 if verdict < 0 else float(verdict == truth.same)


def _share(truths: Sequence[Truth]) -> float:
    return sum(truth.same for truth in truths) / len(truths)


def _floor(truths: Sequence[Truth]) -> dict[str, float]:
    values = {"auc": 0.5, "c_at_1": 0.0, "f_05_u": 0.0, "f1": 0.0, "brier": 0.75}
    return {
        **values,
        "overall": 1.25 / 5,
        "overall(year=2020)": 0.5 / 4,
        "auc_c_at_1": 0.0,
        "recall_2013": 0.0,
        "precision_2013": 0.0,
        "f1_2013": 0.0,
        "auc_2013": 0.0,
    }


def _always_same(truths: Sequence[Truth]) -> dict[str, float]:
    p = _share(truths)
    f1, f_05_u = 2 * p / (1 + p), 1.25 * p / (1 + 0.25 * p)
    return {
        "auc": 0.5,
        "c_at_1": p,
        "f_05_u": f_05_u,
        "f1": f1,
        "brier": p,
        "overall": (0.5 + p + f_05_u + f1 + p) / 5,
        "overall(year=2020)": (0.5 + p + f_05_u + f1) / 4,
        "auc_c_at_1": 0.5 * p,
        "recall_2013": p,
        "precision_2013": p,
        "f1_2013": p,
        "auc_2013": 0.5,
    }


task: Task[Problem, Truth, Answer] = Task(
    name="verification",
    title="Author verification",
    summary="is the questioned text by the author of the known texts? (PAN 2013 to 2023)",
    problem=read_problem,
    truth=read_truth,
    truth_row=truth_row,
    answer=read_answer,
    answer_row=answer_row,
    unanswered=Answer(value=UNANSWERED),
    metrics=(
        "overall", "auc", "c_at_1", "f_05_u", "f1", "brier", "overall(year=2020)", "auc_c_at_1",
        "recall_2013", "precision_2013", "f1_2013", "auc_2013",
    ),
    columns=columns,
    gold=lambda truth: Answer(value=float(truth.same)),
    credit=credit,
    formats=(pan.ANSWERS_JSONL, pan.ANSWERS_2013, pan.ANSWERS_TXT),
    truth_formats=(pan.TRUTH_JSONL, pan.TRUTH_TXT),
    exports={
        "pan": pan_release.write_release,
        "tira": tira.exporter(
            input_row=pan_release.text_row, truth_row=truth_row, truth_field="same", answer_field="value"
        ),
    },
    expectations=(
        Expectation(name="an empty run", answers=lambda truths: [None] * len(truths), values=_floor),
        Expectation(
            name="always 'same author'",
            answers=lambda truths: [Answer(value=1.0)] * len(truths),
            values=_always_same,
        ),
    ),
    group=lambda truth: truth.group,
)  # fmt: skip
