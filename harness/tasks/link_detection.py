"""Story link detection, as TDT set it: do these two stories report the same event?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.formats import nist, tira
from harness.formats.jsonlines import TRUTHS, answers_format
from harness.jsonl import Row
from harness.records import Document
from harness.task import AnswerError, Collection, Expectation, Official, Task, collect, require


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Two stories."""

    id: str
    first: Document
    second: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Whether the stories are linked, the block (topic) they count for, and whether they count at all."""

    linked: bool
    block: str
    scored: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The decision (`None`: a word that is neither YES nor NO, which NIST does not count) and a score of any scale."""

    linked: bool | None
    score: float


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "first": document id, "second": document id}`"""
    for name in ("first", "second"):
        require(isinstance(row.get(name), str), f'"{name}" must be a document id')
    first, second = collect(collection, [row["first"], row["second"]])
    return Problem(id=row["id"], first=first, second=second)


def read_truth(row: Row) -> Truth:
    """`{"id", "linked": bool, "block": str, "scored"?: bool}`"""
    require(isinstance(row.get("linked"), bool), '"linked" must be true or false')
    require(isinstance(row.get("block"), str), '"block" must be a text')
    return Truth(linked=row["linked"], block=row["block"], scored=row.get("scored", True))


def truth_row(truth: Truth) -> Row:
    """The reverse of `read_truth`, without the id."""
    row: Row = {"linked": truth.linked, "block": truth.block}
    return row if truth.scored else {**row, "scored": False}


def read_answer(row: Row) -> Answer:
    """`{"id", "linked": bool, "score": number}`"""
    linked, score = row.get("linked"), row.get("score")
    if not isinstance(linked, bool):
        raise AnswerError("wrong_type", f"the decision must be yes or no, not {linked!r}")
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise AnswerError("wrong_type", f"the score {score!r} is not a number")
    if math.isnan(score):
        raise AnswerError("nan", "the score is NaN")
    if math.isinf(score):
        raise AnswerError("out_of_range", "the score is infinite")
    return Answer(linked=linked, score=float(score))


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; a pair left out counts as a confident NO: it can be missed, never helpful."""
    import numpy as np

    given = [answer.score for answer in answers if answer is not None]
    lowest = min(given, default=0.0) - 1.0
    rows = [(truth, answer) for truth, answer in zip(truths, answers, strict=True) if truth.scored]
    decisions = [0 if a is None else -1 if a.linked is None else int(a.linked) for _, a in rows]
    return {
        "target": np.array([truth.linked for truth, _ in rows], dtype=bool),
        "decision": np.array(decisions, dtype=np.int8),
        "score": np.array([lowest if answer is None else answer.score for _, answer in rows], dtype=float),
        "block": np.array([truth.block for truth, _ in rows], dtype=object),
    }


def read_officially(run: Path, key: Path) -> Official[Truth, Answer]:
    """Both files as NIST's scorer reads them: odd words and scores count as they do there."""
    truths: dict[str, Truth] = {}
    answers: dict[str, Answer] = {}
    trials, minima = nist.read_officially(run, key)
    for number, trial in enumerate(trials):
        decision = {"YES": True, "NO": False}.get(trial.decision)
        truths[str(number)] = Truth(linked=trial.target, block=trial.block)
        answers[str(number)] = Answer(linked=decision, score=trial.value)
    return Official(truths=truths, answers=answers, values=minima)


def _texts(problem: Problem) -> Row:
    return {"pair": [problem.first.text, problem.second.text]}


def _constant(linked: bool, score: float) -> Any:
    return lambda truths: [Answer(linked=linked, score=score)] * len(truths)


def _always(linked: bool) -> Mapping[str, float]:
    miss, alarm = (0.0, 1.0) if linked else (1.0, 0.0)
    cost = 0.02 * miss + 0.098 * alarm
    decided = {"p_miss": miss, "p_fa": alarm, "c_det": cost, "norm_c_det": cost / 0.02}
    topics = {f"topic_{name}": value for name, value in decided.items()}
    return {**decided, **topics, "min_c_det": 1.0, "topic_min_c_det": 1.0, "eer": 0.5}


task: Task[Problem, Truth, Answer] = Task(
    name="link_detection",
    title="Story link detection",
    summary="do two stories report the same event? (TDT)",
    problem=read_problem,
    truth=read_truth,
    truth_row=truth_row,
    answer=read_answer,
    answer_row=lambda answer: {"linked": answer.linked, "score": answer.score},
    unanswered=Answer(linked=False, score=0.0),
    metrics=(
        "topic_norm_c_det", "topic_p_miss", "topic_p_fa", "topic_c_det", "topic_min_c_det", "topic_min_c_det_nist",
        "norm_c_det", "p_miss", "p_fa", "c_det", "min_c_det", "min_c_det_nist", "eer",
    ),
    columns=columns,
    gold=lambda truth: Answer(linked=truth.linked, score=float(truth.linked)),
    credit=lambda truth, answer: float(answer is not None and answer.linked == truth.linked),
    formats=(answers_format(nist.NIST), nist.ANSWERS),
    truth_formats=(TRUTHS, nist.KEY),
    exports={
        "tira": tira.exporter(
            input_row=lambda problems: _texts,
            truth_row=truth_row,
            truth_field="linked",
            answer_field="score",
        ),
    },
    expectations=(
        Expectation(name="always no", answers=_constant(False, 0.0), values=lambda truths: _always(False)),
        Expectation(name="always yes", answers=_constant(True, 0.0), values=lambda truths: _always(True)),
    ),
    meant=lambda identifier: " ".join(reversed(identifier.split(" "))),
    read_officially=read_officially,
)  # fmt: skip
