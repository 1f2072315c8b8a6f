"""Headline compression: one short sentence for a group of related ones.

Sentences come tokenised, with part-of-speech tags where the corpus has them; a compression and its references are
tokens joined by blanks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.formats import summaries, tira
from harness.formats.jsonlines import TRUTHS, answers_format
from harness.jsonl import Row
from harness.task import AnswerError, Collection, Expectation, Task, require


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence as tokens; `tags` are as many, or none where nobody tagged it."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A group of related sentences, in the order of the corpus, and their language (an ISO 639-1 code)."""

    id: str
    sentences: tuple[Sentence, ...]
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Compressions by people, the first of which is what training aims at; and the mean length of the sentences."""

    references: tuple[str, ...]
    words: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A compression."""

    compression: str


def read_problem(row: Row, collection: Collection) -> Problem:
    """`{"id", "sentences": [{"tokens": [str], "tags"?: [str]}], "language"?: str}`"""
    del collection
    sentences, language = row.get("sentences"), row.get("language", "en")
    require(isinstance(sentences, list) and sentences, '"sentences" must be a list')
    require(isinstance(language, str), '"language" must be a text')
    return Problem(id=row["id"], sentences=tuple(map(_sentence, sentences or [])), language=language)


def _sentence(row: object) -> Sentence:
    tokens = row.get("tokens") if isinstance(row, dict) else None
    tags = row.get("tags", []) if isinstance(row, dict) else None
    require(_are_texts(tokens) and tokens, 'a sentence must have "tokens", a list of texts')
    require(_are_texts(tags) and len(tags or tokens) == len(tokens), '"tags" must be as many texts as tokens')  # type: ignore[arg-type]
    return Sentence(tokens=tuple(tokens or ()), tags=tuple(tags or ()))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def read_truth(row: Row) -> Truth:
    """`{"id", "references": [str], "words": number}`"""
    references, words = row.get("references"), row.get("words")
    require(_are_texts(references) and references, '"references" must be a list of one or more texts')
    require(isinstance(words, int | float) and words > 0, '"words" must be the mean length of the sentences')
    return Truth(references=tuple(references or ()), words=float(words or 0))


def truth_row(truth: Truth) -> Row:
    """The reverse of `read_truth`, without the id."""
    return {"references": list(truth.references), "words": truth.words}


def read_answer(row: Row) -> Answer:
    """`{"id", "compression": str}`"""
    compression = row.get("compression")
    if not isinstance(compression, str):
        raise AnswerError("wrong_type", f"the compression must be a text, not {compression!r:.60}")
    if not compression.strip():
        raise AnswerError("wrong_type", "the compression is empty")
    return Answer(compression=compression)


def columns(truths: Sequence[Truth], answers: Sequence[Answer | None]) -> Mapping[str, Any]:
    """What the metrics read; a group left out is an empty compression."""
    import numpy as np

    said, references = np.empty(len(answers), dtype=object), np.empty(len(truths), dtype=object)
    for place, (truth, answer) in enumerate(zip(truths, answers, strict=True)):
        said[place], references[place] = "" if answer is None else answer.compression, list(truth.references)
    words = np.array([truth.words for truth in truths], dtype=float)
    return {"peer": said, "hypothesis": said, "references": references, "words": words}


def credit(truth: Truth, answer: Answer | None) -> float:
    """ROUGE-1 F against the best reference."""
    from metrics import rouge_n

    said = ["" if answer is None else answer.compression]
    return max(rouge_n.with_(score="f", tokens="unicode")(said, [[reference]]) for reference in truth.references)


def _inputs(problem: Problem) -> Row:
    sentences = [{"tokens": list(s.tokens), "tags": list(s.tags)} for s in problem.sentences]
    return {"sentences": sentences, "language": problem.language}


_METRICS = ("rouge_n(score=f)", "rouge_n(n=2,score=f)", "rouge_w(score=f)")

task: Task[Problem, Truth, Answer] = Task(
    name="compression",
    title="Headline compression",
    summary="one short sentence for a group of related ones (LINA-MSC, groups of headlines)",
    problem=read_problem,
    truth=read_truth,
    truth_row=truth_row,
    answer=read_answer,
    answer_row=lambda answer: {"compression": answer.compression},
    unanswered=Answer(compression=""),
    metrics=_METRICS,
    columns=columns,
    gold=lambda truth: Answer(compression=truth.references[0]),
    gold_is_perfect=False,
    credit=credit,
    formats=(answers_format(summaries.DUC),),
    truth_formats=(TRUTHS,),
    exports={
        "tira": tira.exporter(
            input_row=lambda problems: _inputs,
            truth_row=truth_row,
            truth_field="references",
            answer_field="compression",
        ),
    },
    expectations=(
        Expectation(
            name="an empty run",
            answers=lambda truths: [None] * len(truths),
            values=lambda truths: dict.fromkeys(_METRICS, 0.0),
        ),
    ),
)
