"""The baseline of PAN 2018: frequencies of character 3-grams and a linear SVM, one author against the rest.

As the published baseline does it: the vocabulary is the n-grams that occur at least `least` times in the known texts
together (occurrences, not texts), upper and lower case kept apart; counts are divided by the length of the text in
characters, each feature by its greatest value in training; C = 1. As there, the vocabulary is taken from the text as
it stands and counts from the text with each run of white space as one space. The score is the distance from the
author's hyperplane. Never answers `<UNK>`: the task of that year had closed sets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import best_author, read_candidates, texts_of
from systems.attribution._one_vs_rest import OneVsRest, fit_one_vs_rest
from systems.text.arrays import Codes, Floats
from systems.text.ngrams import count_ngrams, ngram_codes

_WHITE = re.compile(r"\s\s+")


@dataclass(frozen=True, slots=True)
class _Model:
    authors: tuple[str, ...]
    vocabulary: Codes
    greatest: Floats
    machines: OneVsRest


@dataclass(kw_only=True)
class CharNgramSvm(System[Problem, Truth, Answer]):
    """`n` characters an n-gram, those that occur `least` times or more, and the machine's `c`.

    Where nothing tells the authors apart (no n-gram is frequent enough, or all texts are empty) the first by name is
    answered.
    """

    n: int = 3
    least: int = 5
    c: float = 1.0
    _model: _Model | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.n < 1 or self.least < 1:
            raise ValueError(f"n and least must be at least 1, not {self.n} and {self.least}")
        if not 0 < self.c < np.inf:
            raise ValueError(f"c must be greater than 0, not {self.c}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Vocabulary, scale and machines."""
        known = read_candidates("char_ngram_svm", problems, truths)
        codes, counts = np.unique(np.concatenate([ngram_codes(t, self.n) for t in known.texts]), return_counts=True)
        vocabulary = codes[counts >= self.least]
        frequencies = _frequencies(known.texts, vocabulary, self.n)
        greatest = frequencies.max(axis=0).toarray().ravel() if len(vocabulary) else np.empty(0)
        greatest[greatest == 0] = 1.0
        scaled = sparse.csr_array(frequencies @ sparse.diags_array(1 / greatest))
        machines = fit_one_vs_rest(scaled, known.labels, len(known.authors), c=self.c, seed=seed)
        self._model = _Model(known.authors, vocabulary, greatest, machines)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The author whose hyperplane is furthest behind the text."""
        if self._model is None:
            raise NeedsTrainingError("char_ngram_svm")
        frequencies = _frequencies(texts_of(problems), self._model.vocabulary, self.n)
        scaled = sparse.csr_array(frequencies @ sparse.diags_array(1 / self._model.greatest))
        return best_author(problems, self._model.authors, self._model.machines.decide(scaled))


def _frequencies(texts: Sequence[str], vocabulary: Codes, n: int) -> sparse.csr_array:
    counts = count_ngrams((_WHITE.sub(" ", text) for text in texts), vocabulary, n=n)
    lengths = np.array([max(len(text), 1) for text in texts], dtype=np.float64)
    return sparse.csr_array(sparse.diags_array(1 / lengths) @ counts)
