"""What the one-class systems share: a region for each author, the choice of settings, and the answers.

A document goes to the author a whose region it lies deepest in: the greatest f_a(x) / |w_a|, its distance from the
region's edge. (The paper does not say how it combined its classifiers; f_a alone would favour authors with a long
w_a.) Ties go to the author first in the alphabet. Every set of candidates is a round of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from harness.errors import InputError, NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import UNKNOWN, Answer, Problem, Truth
from systems.attribution._kernels import centre, kernel_matrices
from systems.text.arrays import Floats, Ints
from systems.text.tagging import get_tagger

S = TypeVar("S")
UNLABELLED = -1
_SHORTEST = 1e-9
Kernels = Sequence[Floats]
Score = Callable[[Kernels, Ints, S], Floats]
"""From kernels, the number of each document's author (-1 if unlabelled) and settings to one column an author."""


@dataclass(frozen=True, slots=True)
class _Round(Generic[S]):
    """The training documents of one set of candidates, and the settings chosen for it."""

    texts: tuple[str, ...]
    authors: tuple[str, ...]
    labels: Ints
    settings: S


@dataclass(kw_only=True)
class RegionSystem(System[Problem, Truth, Answer], Generic[S]):
    """A one-class system: subclasses say which kernels, which settings to choose from, and how to score."""

    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"
    _rounds: dict[str, _Round[S]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise ValueError(f"folds must be at least 2, not {self.folds}")
        get_tagger(self.tagger)

    @property
    @abstractmethod
    def kernel_names(self) -> tuple[str, ...]:
        """The kernels needed, in the order in which `choose` and `score` get their matrices."""

    @abstractmethod
    def _grid(self) -> Sequence[S]:
        """The settings to choose from, the preferred ones first."""

    @abstractmethod
    def _score(self, kernels: Kernels, labels: Ints, settings: S) -> Floats:
        """A row for each document, a column for each author: how deep it lies in the author's region."""

    def _selection_score(self, kernels: Kernels, labels: Ints, settings: S) -> Floats:
        """What stands for `_score` while settings are chosen."""
        return self._score(kernels, labels, settings)

    def _learned(self, candidates: str, authors: Sequence[str]) -> None:
        """Called after the final regions of a set are learnt."""

    def choose(self, kernels: Kernels, labels: Ints, *, seed: int) -> S:
        """The settings for documents with these (raw) kernels and numbers of authors."""
        grid = self._grid()
        if len(grid) == 1 or len(np.unique(labels)) == 1:
            return grid[0]
        ready = self._prepare(kernels)
        return choose_settings(self._selection_score, ready, labels, grid, folds=self.folds, seed=seed)

    def score(self, kernels: Kernels, labels: Ints, settings: S) -> Floats:
        """Learn from labelled and unlabelled (-1) documents with these (raw) kernels, and score them all."""
        return self._score(self._prepare(kernels), labels, settings)

    def _prepare(self, kernels: Kernels) -> list[Floats]:
        return [centre(kernel) for kernel in kernels] if self.centred else list(kernels)

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Choose the settings by cross-validation; the regions wait for the questioned documents."""
        if not len(problems):
            raise NeedsTrainingError(self._name)
        if len(problems) != len(truths):
            raise ValueError(f"{len(problems)} training problems, but {len(truths)} truths; each problem needs one")
        groups: dict[str, tuple[list[str], list[str]]] = {}
        for problem, truth in zip(problems, truths, strict=True):
            if truth.author != UNKNOWN:  # a text by none of the candidates has no region to train
                texts, names = groups.setdefault(problem.set, ([], []))
                texts.append(problem.document.text)
                names.append(truth.author)
        if not groups:
            raise NeedsTrainingError(self._name)
        self._rounds = {key: self._train(texts, names, seed) for key, (texts, names) in groups.items()}

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """Learn each author's region with the questioned documents as unlabelled ones, then ask it."""
        if not self._rounds:
            raise NeedsTrainingError(self._name)
        answers: dict[str, Answer] = {}
        for candidates in dict.fromkeys(problem.set for problem in problems):
            if candidates not in self._rounds:
                raise InputError(f"{self._name} has no training documents for the set of candidates {candidates!r}")
            asked = [problem for problem in problems if problem.set == candidates]
            answers |= self._answer_set(candidates, [p.id for p in asked], [p.document.text for p in asked])
        return answers

    @property
    def _name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    def _train(self, texts: Sequence[str], names: Sequence[str], seed: int) -> _Round[S]:
        authors, labels = np.unique(np.array(names, dtype=object), return_inverse=True)
        return _Round(tuple(texts), tuple(authors), labels, self.choose(self._matrices(texts), labels, seed=seed))

    def _matrices(self, texts: Sequence[str]) -> list[Floats]:
        return kernel_matrices(texts, self.kernel_names, get_tagger(self.tagger))

    def _answer_set(self, candidates: str, ids: Sequence[str], texts: Sequence[str]) -> dict[str, Answer]:
        known = self._rounds[candidates]
        labels = np.concatenate([known.labels, np.full(len(texts), UNLABELLED)])
        scores = self.score(self._matrices([*known.texts, *texts]), labels, known.settings)[len(known.texts) :]
        self._learned(candidates, known.authors)
        best = scores.argmax(axis=1)
        answers = {}
        for identifier, row, column in zip(ids, scores, best, strict=True):
            outside = self.open_set and row[column] <= 0
            by_author = dict(zip(known.authors, map(float, row), strict=True))
            answers[identifier] = Answer(author=UNKNOWN if outside else known.authors[column], scores=by_author)
        return answers


def choose_settings(score: Score[S], kernels: Kernels, labels: Ints, grid: Sequence[S], *, folds: int, seed: int) -> S:
    """The settings under which held-out documents, unlabelled in training, are best given to their authors.

    "Best" is the mean over authors of the share found, so that a prolific author counts as one; ties go to
    the settings named first. An author's only document is never held out; if there are no others, the first
    settings are chosen.
    """
    parts = draw_folds(labels, folds, np.random.default_rng(seed))
    held_out = parts >= 0
    if not held_out.any():
        return grid[0]
    best, chosen = -1.0, grid[0]
    for settings in grid:
        predicted = np.full(len(labels), UNLABELLED)
        for fold in np.unique(parts[held_out]):
            here = parts == fold
            predicted[here] = score(kernels, np.where(here, UNLABELLED, labels), settings)[here].argmax(axis=1)
        right = predicted == labels
        value = float(np.mean([right[held_out & (labels == author)].mean() for author in np.unique(labels[held_out])]))
        if value > best + 1e-12:
            best, chosen = value, settings
    return chosen


def draw_folds(labels: Ints, folds: int, random: np.random.Generator) -> Ints:
    """The fold of each document, an author's documents spread evenly; -1 for an author's only one."""
    parts = np.full(len(labels), -1)
    for author in np.unique(labels):
        own = random.permutation(np.flatnonzero(labels == author))
        if len(own) > 1:
            parts[own] = (np.arange(len(own)) + random.integers(folds)) % folds
    return parts


def depth(values: Floats, squared_length: float) -> Floats:
    """f(x) / |w|; f(x) itself where all documents are alike and w is 0."""
    length = float(np.sqrt(max(squared_length, 0.0)))
    return values / length if length > _SHORTEST else values
