"""Multi-document summarization, as DUC set it: one summary of a cluster of documents, within a budget.

A summary and a reference have one sentence per line, as ROUGE-1.5.5 reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from harness.formats import summaries, tira
from harness.jsonl import Row
from harness.records import Document
from harness.task import AnswerError, Collection, Expectation, Task, collect, require

Unit = Literal["words", "bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a summary may be: words between white space, or bytes of UTF-8, line ends not counted."""

    limit: int
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A topic: its documents in the order of the corpus, the budget, and the language (an ISO 639-1 code)."""

    id: str
    documents: tuple[Document, ...]
    budget: Budget
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Summaries by people."""

    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A summary."""

    summary: str


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "documents": [document id], "budget": {"limit": int, "unit": "words"|"bytes"}, "language"?: str}`"""
    documents, budget, language = row.get("documents", []), row.get("budget", {}), row.get("language", "en")
    require(_are_texts(documents) and documents, '"documents" must be a list of document ids')
    require(isinstance(budget, dict), '"budget" must be {"limit": …, "unit": …}')
    limit, unit = budget.get("limit"), budget.get("unit")
    require(type(limit) is int and limit > 0, '"limit" must be a number above 0')
    require(unit in get_args(Unit), '"unit" must be words or bytes')
    require(isinstance(language, str), '"language" must be a text')
    found = collect(collection, documents)
    return Problem(id=row["id"], documents=found, budget=Budget(limit=limit, unit=unit), language=language)


def read_truth(row: Row) -> Truth:
    """`{"id", "references": [str]}`"""
    references = row.get("references")
    require(_are_texts(references) and references, '"references" must be a list of one or more texts')
    return Truth(references=tuple(row["references"]))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def read_answer(row: Row) -> Answer:
    """`{"id", "summary": str or [sentence]}`"""
    summary = row.get("summary")
    if isinstance(summary, list) and _are_texts(summary):
        summary = "\n".join(sentence.replace("\n", " ") for sentence in summary)
    if not isinstance(summary, str):
        raise AnswerError("wrong_type", f"the summary must be a text, not {summary!r:.60}")
    if not summary.strip():
        raise AnswerError("wrong_type", "the summary is empty")
    return Answer(summary=summary)


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; a topic left out is an empty summary."""
    import numpy as np

    peers = np.empty(len(answers), dtype=object)
    references = np.empty(len(truths), dtype=object)
    for place, (truth, answer) in enumerate(zip(truths, answers, strict=True)):
        peers[place], references[place] = "" if answer is None else answer.summary, truth.references
    return {"peer": peers, "references": references}


def credit(truth: Truth, answer: Answer | None) -> float:
    """ROUGE-1 F, whatever the dataset's own measure is: it only says on which topics one run does better."""
    from metrics import rouge_n

    return rouge_n.with_(score="f", stem=True)(["" if answer is None else answer.summary], [truth.references])


def within(task: Task[Problem, Truth, Answer], manifest: Mapping[str, Any]) -> Task[Problem, Truth, Answer]:
    """The task with the measures of a dataset: `rouge` of its manifest is a preset, with `tokens` and `lang`."""
    rouge = manifest.get("rouge")
    return replace(task, metrics=measures(**rouge)) if rouge else task


def measures(*, preset: str, score: str = "recall", **text: Any) -> tuple[str, ...]:
    """ROUGE-1, -2, -L, -W-1.2 and -SU4 with the settings of a campaign."""
    from metrics import rouge_l, rouge_n, rouge_su, rouge_w
    from metrics.rouge.presets import settings_of

    common = {**settings_of(preset), "score": score, **text}
    chosen = (rouge_n.with_(n=1), rouge_n.with_(n=2), rouge_l, rouge_w.with_(weight=1.2), rouge_su.with_(gap=4))
    return tuple(str(metric.with_(**common)) for metric in chosen)


def _inputs(problem: Problem) -> Row:
    documents = [{"id": d.id, "date": d.date, "headline": d.headline, "text": d.text} for d in problem.documents]
    budget = {"limit": problem.budget.limit, "unit": problem.budget.unit}
    return {"documents": documents, "budget": budget, "language": problem.language}


def truth_row(truth: Truth) -> Row:
    """The reverse of `read_truth`, without the id."""
    return {"references": list(truth.references)}


_METRICS = ("rouge_n", "rouge_n(n=2)", "rouge_l", "rouge_w", "rouge_su")

task: Task[Problem, Truth, Answer] = Task(
    name="summarization",
    title="Multi-document summarization",
    summary="one summary of a cluster of documents, within a budget (DUC 2001 to 2004, MultiLing 2011, Opinosis)",
    problem=read_problem,
    truth=read_truth,
    truth_row=truth_row,
    answer=read_answer,
    answer_row=lambda answer: {"summary": answer.summary},
    unanswered=Answer(summary=""),
    metrics=_METRICS,
    columns=columns,
    gold=lambda truth: Answer(summary=truth.references[0]),
    gold_is_perfect=False,
    credit=credit,
    formats=(summaries.JSONL, summaries.FOLDER),
    truth_formats=(summaries.TRUTHS, summaries.MODELS),
    exports={
        "tira": tira.exporter(
            input_row=lambda problems: _inputs,
            truth_row=truth_row,
            truth_field="references",
            answer_field="summary",
        ),
    },
    expectations=(
        Expectation(
            name="an empty run",
            answers=lambda truths: [None] * len(truths),
            values=lambda truths: dict.fromkeys(_METRICS, 0.0),
        ),
    ),
    within=within,
)
