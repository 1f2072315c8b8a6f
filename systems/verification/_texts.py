"""The distinct texts of a list of problems, and which problem has which.

Corpora repeat texts between problems, so each text is analysed once; and a text is known by its digest, so that
no more than one problem's texts need be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from harness.errors import NeedsTrainingError
from harness.tasks.verification import Answer, Problem, Truth
from systems.text.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class TextIndex:
    """Numbers for the distinct texts: `known[i]` and `questioned[i]` are those of problem i."""

    problems: Sequence[Problem]
    digests: tuple[bytes, ...]
    known: tuple[Ints, ...]
    questioned: Ints

    def texts(self) -> Iterator[str]:
        """Each distinct text once, in the order of the numbers."""
        next_number = 0
        for problem, known, questioned in zip(self.problems, self.known, self.questioned, strict=True):
            documents = (*problem.known, problem.questioned)
            for document, number in zip(documents, [*known, questioned], strict=True):
                if number == next_number:
                    next_number += 1
                    yield document.text

    def answers(self, values: Floats) -> dict[str, Answer]:
        """One value a problem, as the answers of a system."""
        pairs = zip(self.problems, values, strict=True)
        return {problem.id: Answer(value=float(value)) for problem, value in pairs}


def index_texts(problems: Sequence[Problem]) -> TextIndex:
    """Number the distinct texts in order of first appearance, each problem's known texts before the questioned."""
    numbers: dict[bytes, int] = {}
    known, questioned = [], []
    for problem in problems:
        own = [numbers.setdefault(digest(d.text), len(numbers)) for d in (*problem.known, problem.questioned)]
        known.append(np.array(own[:-1], dtype=np.int64))
        questioned.append(own[-1])
    return TextIndex(problems, tuple(numbers), tuple(known), np.array(questioned, dtype=np.int64))


def digest(text: str) -> bytes:
    """What tells one text from another."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def labels(system: str, problems: Sequence[Problem], truths: Sequence[Truth]) -> Bools:
    """Whether each training problem is "same author"; refuses an empty training set."""
    if not len(problems):
        raise NeedsTrainingError(system)
    if len(problems) != len(truths):
        raise ValueError(f"{len(problems)} training problems, but {len(truths)} truths; each problem needs one")
    return np.array([truth.same for truth in truths], dtype=bool)
