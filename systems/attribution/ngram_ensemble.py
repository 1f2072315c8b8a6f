"""A strong entry of today: tf-idf of character 2- to 5-grams and of words and word pairs, and a linear SVM.

Upper and lower case are kept apart in characters and folded in words. An n-gram of fewer than `least` known texts is
left out; term frequencies are 1 + ln(count), weighted by smoothed inverse document frequency; each of the two families
is a vector of unit length. One machine an author against the rest; the score is the distance from its hyperplane.

`unknown` is the share of questioned texts that are expected to be by none of the candidates. By default it is 0 and
the answer is always a candidate. Above 0, a text is answered `<UNK>` where the two best scores are too close; how close
is learnt by cross-validation in which each author in turn is a stranger to the machines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import Candidates, best_author, read_candidates, texts_of
from systems.attribution._ngram_vectors import Vectoriser, learn_vectoriser
from systems.attribution._one_vs_rest import OneVsRest, fit_one_vs_rest
from systems.text.arrays import Bools, Floats, Ints

_FOLDS = 5
_FEWEST = 3  # candidates: with one of them a stranger, two are left to choose from


@dataclass(frozen=True, slots=True)
class _Model:
    authors: tuple[str, ...]
    vectoriser: Vectoriser
    machines: OneVsRest
    closest: float


@dataclass(kw_only=True)
class NgramEnsemble(System[Problem, Truth, Answer]):
    """`least` texts an n-gram must be in, the machine's `c`, and the expected share of `unknown` authors.

    With fewer than three candidates there is nothing to learn a threshold from, and `<UNK>` is never answered.
    Where nothing tells the authors apart the first by name is answered.
    """

    least: int = 2
    c: float = 1.0
    unknown: float = 0.0
    _model: _Model | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ValueError(f"least must be at least 1, not {self.least}")
        if not 0 < self.c < np.inf:
            raise ValueError(f"c must be greater than 0, not {self.c}")
        if not 0 <= self.unknown < 1:
            raise ValueError(f"unknown must lie in [0, 1), not {self.unknown}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Vocabulary and weights, machines, and where sets are open the threshold."""
        known = read_candidates("ngram_ensemble", problems, truths)
        vectoriser = learn_vectoriser(known.texts, least=self.least)
        vectors = vectoriser.vectors(known.texts)
        closest = -np.inf
        if self.unknown > 0 and len(known.authors) >= _FEWEST:
            closest = self._learn_threshold(vectors, known, seed)
        machines = fit_one_vs_rest(vectors, known.labels, len(known.authors), c=self.c, seed=seed)
        self._model = _Model(known.authors, vectoriser, machines, closest)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The best author, or `<UNK>` where the second best is too close."""
        if self._model is None:
            raise NeedsTrainingError("ngram_ensemble")
        scores = self._model.machines.decide(self._model.vectoriser.vectors(texts_of(problems)))
        strangers = _leads(scores) < self._model.closest
        return best_author(problems, self._model.authors, scores, unknown=strangers)

    def _learn_threshold(self, vectors: sparse.csr_array, known: Candidates, seed: int) -> float:
        """Each fold leaves some authors out altogether, and of the others every `_FOLDS`-th text."""
        folds = min(_FOLDS, len(known.authors))
        turn = _turns(known.labels) % folds
        leads, right, stranger = [], [], []
        for fold in range(folds):
            away = known.labels % folds == fold
            tested = away | (turn == fold)
            machines = fit_one_vs_rest(vectors[~tested], known.labels[~tested], len(known.authors), c=self.c, seed=seed)
            present = np.unique(known.labels[~tested])
            if len(present) < 2:
                continue
            scores = machines.decide(vectors[tested])[:, present]
            leads.append(_leads(scores))
            right.append(present[scores.argmax(axis=1)] == known.labels[tested])
            stranger.append(away[tested])
        if not leads:
            return -np.inf
        return best_threshold(np.concatenate(leads), np.concatenate(right), np.concatenate(stranger), self.unknown)


def best_threshold(leads: Floats, right: Bools, stranger: Bools, unknown: float) -> float:
    """The lead from which on to name an author, by expected accuracy if a share `unknown` are strangers.

    Without any stranger or without any known author's text nothing can be weighed, and nothing is rejected.
    """
    if stranger.all() or not stranger.any():
        return -np.inf
    levels = np.unique(leads)
    candidates = np.concatenate([[-np.inf], (levels[1:] + levels[:-1]) / 2, [np.inf]])
    gained = np.sort(leads[~stranger & right])
    refused = np.sort(leads[stranger])
    accepted = 1 - np.searchsorted(gained, candidates) / max(len(gained), 1)
    share_right = len(gained) / (~stranger).sum()
    value = (1 - unknown) * share_right * accepted + unknown * np.searchsorted(refused, candidates) / len(refused)
    return float(candidates[value.argmax()])


def _leads(scores: Floats) -> Floats:
    """By how much the best author leads the second; a single author leads for ever."""
    if scores.shape[1] < 2:
        return np.full(len(scores), np.inf)
    ranked = np.sort(scores, axis=1)
    return np.asarray(ranked[:, -1] - ranked[:, -2])


def _turns(labels: Ints) -> Ints:
    """For each text, how many of the same author came before it."""
    turns = np.zeros(len(labels), dtype=np.int64)
    for author in np.unique(labels):
        own = labels == author
        turns[own] = np.arange(own.sum())
    return turns
