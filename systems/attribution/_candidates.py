"""What every attribution system starts from and ends with: the candidates of a training set, and scores as answers.

A training text whose author is `<UNK>` is by none of the candidates, and no system learns from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.errors import NeedsTrainingError
from harness.tasks.attribution import UNKNOWN, Answer, Problem, Truth
from systems.text.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class Candidates:
    """The authors in order of name, the texts known to be theirs, and the number of each text's author."""

    authors: tuple[str, ...]
    texts: tuple[str, ...]
    labels: Ints


def read_candidates(system: str, problems: Sequence[Problem], truths: Sequence[Truth]) -> Candidates:
    """Who is in question; refuses a training set without any candidate."""
    if len(problems) != len(truths):
        raise ValueError(f"{len(problems)} training problems, but {len(truths)} truths; each problem needs one")
    known = [(p.document.text, t.author) for p, t in zip(problems, truths, strict=True) if t.author != UNKNOWN]
    if not known:
        raise NeedsTrainingError(system)
    authors = sorted({author for _, author in known})
    number = {author: place for place, author in enumerate(authors)}
    return Candidates(
        authors=tuple(authors),
        texts=tuple(text for text, _ in known),
        labels=np.array([number[author] for _, author in known], dtype=np.int64),
    )


def best_author(
    problems: Sequence[Problem], authors: Sequence[str], scores: Floats, *, unknown: Bools | None = None
) -> dict[str, Answer]:
    """The author with the highest score (problems x authors), the first by name among equals; or `<UNK>`."""
    answers: dict[str, Answer] = {}
    for place, (problem, row) in enumerate(zip(problems, scores, strict=True)):
        author = authors[int(row.argmax())] if unknown is None or not unknown[place] else UNKNOWN
        answers[problem.id] = Answer(author=author, scores=dict(zip(authors, row.tolist(), strict=True)))
    return answers


def texts_of(problems: Sequence[Problem]) -> list[str]:
    """The questioned texts in order."""
    return [problem.document.text for problem in problems]
