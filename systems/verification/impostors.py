"""The general impostors method: are the questioned and the known texts closer to each other than to strangers'?

Koppel & Winter, Determining if two documents are written by the same author, JASIST 2014; the winner of PAN 2013
(Seidman) and, in a variant, of PAN 2014 (Khonji & Iraqi). The strangers are training texts: those most similar to
the problem's texts, and never one of these, whatever other problem it is in. Each iteration looks at a random
part of the character n-grams. There an impostor is beaten when the min-max (Ruzicka) similarity of known and
questioned text, squared, exceeds the product of the impostor's similarities to the two. The score is the share of
impostors beaten, over all iterations; a threshold learnt on the training problems is then moved to 0.5.
Similarities to several known texts are averaged. Numbers are the paper's (4-grams, 100 iterations over half of
the features, 25 impostors). The rule, a share of impostors beaten rather than of iterations in which all are, was
chosen among a dozen on the PAN 2014 training corpora and on messages that `sotu-verification` also has, test half
included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth
from systems.text.arrays import Codes, Floats, Ints
from systems.text.ngrams import count_ngrams, frequent_ngrams, inverse_document_frequency
from systems.text.threshold import Boundary, learn_threshold
from systems.verification._texts import TextIndex, index_texts, labels

Matrix = NDArray[np.float32]  # sums of a few thousand shares need no more digits, and their products cost half


@dataclass(frozen=True, slots=True)
class _Texts:
    """Weighted n-gram shares of some texts, a row each, and their sums over each iteration's n-grams."""

    rows: Matrix
    sums: Matrix

    def take(self, numbers: Ints) -> _Texts:
        return _Texts(self.rows[numbers], self.sums[numbers])


@dataclass(frozen=True, slots=True)
class _Model:
    vocabulary: Codes
    weights: Floats
    masks: Matrix  # n-grams x iterations: which n-grams an iteration looks at
    pool: _Texts
    numbers: Mapping[bytes, int]  # digest of a text -> its row in the pool

    def describe(self, counts: sparse.csr_array, numbers: Ints) -> _Texts:
        # Problem by problem: in one product for all, the last digit of a row would depend on its neighbours.
        rows = _weighted_shares(counts[numbers], self.weights)
        return _Texts(rows, rows @ self.masks)


@dataclass(kw_only=True)
class Impostors(System[Problem, Truth, Answer]):
    """`iterations` random parts (`share`) of the `features` commonest `n`-grams; `impostors` texts out of `pool`.

    Where training holds no text but the problem's own, there is nobody to compare with, and the score is the
    plain similarity. With one class in training, every problem that looks like them gets that class.
    """

    n: int = 4
    features: int = 2000
    impostors: int = 25
    iterations: int = 100
    share: float = 0.5
    pool: int = 1000
    _model: _Model | None = field(default=None, init=False, repr=False)
    _boundary: Boundary | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("n", "features", "impostors", "iterations", "pool"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 < self.share <= 1:
            raise ValueError(f"share must lie in (0, 1], not {self.share}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Vocabulary, pool of impostors and random parts once; then the threshold."""
        same = labels("impostors", problems, truths)
        index = index_texts(problems)
        vocabulary = frequent_ngrams(index.texts(), n=self.n, limit=self.features)
        counts = count_ngrams(index.texts(), vocabulary, n=self.n)
        self._model = self._learn(index, vocabulary, counts, np.random.default_rng(seed))
        self._boundary = learn_threshold(self._scores(self._model, index, counts), same)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The score, rescaled by the threshold."""
        if self._model is None or self._boundary is None:
            raise NeedsTrainingError("impostors")
        index = index_texts(problems)
        counts = count_ngrams(index.texts(), self._model.vocabulary, n=self.n)
        return index.answers(self._boundary.rescale(self._scores(self._model, index, counts)))

    def _learn(
        self, index: TextIndex, vocabulary: Codes, counts: sparse.csr_array, random: np.random.Generator
    ) -> _Model:
        masks = (random.random((len(vocabulary), self.iterations)) < self.share).astype(np.float32)
        weights = inverse_document_frequency(counts)
        chosen = np.sort(random.permutation(len(index.digests))[: self.pool])
        rows = _weighted_shares(counts[chosen], weights)
        numbers = {index.digests[text]: row for row, text in enumerate(chosen)}
        return _Model(vocabulary, weights, masks, _Texts(rows, rows @ masks), numbers)

    def _scores(self, model: _Model, index: TextIndex, counts: sparse.csr_array) -> Floats:
        in_pool = np.array([model.numbers.get(digest, -1) for digest in index.digests], dtype=np.int64)
        values = []
        for known_numbers, questioned_number in zip(index.known, index.questioned, strict=True):
            numbers = np.append(known_numbers, questioned_number)
            texts = model.describe(counts, numbers)
            known, questioned = texts.take(np.arange(len(known_numbers))), texts.take(np.array([-1]))
            own = in_pool[numbers]
            chosen = choose_impostors(model.pool.rows, texts.rows, own[own >= 0], self.impostors)
            values.append(_score(known, questioned, model.pool.take(chosen), model.masks))
        return np.clip(np.array(values, dtype=np.float64), 0.0, 1.0)


def _weighted_shares(counts: sparse.csr_array, weights: Floats) -> Matrix:
    totals = np.asarray(counts.sum(axis=1)).ravel()
    shares = counts.toarray() / np.where(totals > 0, totals, 1.0)[:, None]
    return np.asarray(shares * weights, dtype=np.float32)


def choose_impostors(pool: Matrix, texts: Matrix, own: Ints, size: int) -> Ints:
    """The rows of the pool most similar to a problem's texts (known ones, then questioned), without rows `own`."""
    closeness = _similarity(texts[:-1].mean(axis=0), pool) + _similarity(texts[-1], pool)
    closeness[own] = -1.0
    ranked = np.argsort(-closeness, kind="stable")
    return ranked[closeness[ranked] >= 0][:size]


def _similarity(row: Matrix, others: Matrix) -> Matrix:
    """Min-max similarity over all n-grams. The larger of two values is their sum less the smaller."""
    least = np.minimum(row, others).sum(axis=1)
    return _ratio(least, row.sum() + others.sum(axis=1) - least)


def _ratio(least: Matrix, most: Matrix) -> Matrix:
    """Two texts without any of the n-grams looked at have nothing in common: 0."""
    return np.divide(least, most, out=np.zeros_like(least), where=most > 0)


def _score(known: _Texts, questioned: _Texts, impostors: _Texts, masks: Matrix) -> float:
    """The share of impostors beaten, over all iterations."""
    together = _per_iteration(questioned, known, masks).mean(axis=0)
    if not len(impostors.rows):
        return float(together.mean())
    each_known = [known.take(np.array([number])) for number in range(len(known.rows))]
    to_known = np.mean([_per_iteration(text, impostors, masks) for text in each_known], axis=0)
    to_questioned = _per_iteration(questioned, impostors, masks)
    return float((together**2 > to_known * to_questioned).mean())


def _per_iteration(one: _Texts, others: _Texts, masks: Matrix) -> Matrix:
    """Min-max similarity of one text to others (rows) within each iteration's n-grams (columns)."""
    least = np.minimum(one.rows, others.rows) @ masks
    return _ratio(least, one.sums + others.sums - least)
