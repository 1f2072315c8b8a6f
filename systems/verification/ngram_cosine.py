"""The naive baseline of PAN 2020: tf-idf of character 4-grams, cosine, and two thresholds.

The most frequent n-grams of the training texts (lower case, runs of white space as one space) are counted,
weighted by smoothed inverse document frequency, and each text becomes a vector of unit length. Several known
texts are represented by the mean of their vectors. The two thresholds are found by a search over all pairs of
mid-points between training similarities, by the criterion of `systems.text.threshold`; a similarity between them
leaves the problem unanswered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth
from systems.text.arrays import Codes, Floats
from systems.text.ngrams import count_ngrams, fold, frequent_ngrams, inverse_document_frequency, unit_rows
from systems.text.threshold import Boundary, learn_band
from systems.verification._texts import TextIndex, index_texts, labels


@dataclass(frozen=True, slots=True)
class _Model:
    vocabulary: Codes
    weights: Floats
    boundary: Boundary


@dataclass(kw_only=True)
class NgramCosine(System[Problem, Truth, Answer]):
    """`n` characters an n-gram, the `features` most frequent ones.

    With one class in training every problem that looks like them gets that class. A text without any known
    n-gram (an empty one, say) has similarity 0 to every other.
    """

    n: int = 4
    features: int = 3000
    _model: _Model | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.n < 1 or self.features < 1:
            raise ValueError(f"n and features must be at least 1, not {self.n} and {self.features}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Vocabulary and weights from the training texts, thresholds from the training problems."""
        del seed
        same = labels("ngram_cosine", problems, truths)
        index = index_texts(problems)
        vocabulary = frequent_ngrams(map(fold, index.texts()), n=self.n, limit=self.features)
        counts = count_ngrams(map(fold, index.texts()), vocabulary, n=self.n)
        weights = inverse_document_frequency(counts)
        self._model = _Model(vocabulary, weights, learn_band(_similarities(index, counts, weights), same))

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """Cosine, rescaled by the thresholds."""
        if self._model is None:
            raise NeedsTrainingError("ngram_cosine")
        index = index_texts(problems)
        counts = count_ngrams(map(fold, index.texts()), self._model.vocabulary, n=self.n)
        return index.answers(self._model.boundary.rescale(_similarities(index, counts, self._model.weights)))


def _similarities(index: TextIndex, counts: sparse.csr_array, weights: Floats) -> Floats:
    """Cosine between the mean of the known texts' unit vectors and the questioned text, for each problem."""
    vectors = unit_rows(sparse.csr_array(counts @ sparse.diags_array(weights)))
    sizes = [len(known) for known in index.known]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.concatenate([np.empty(0, dtype=np.int64), *index.known])
    membership = sparse.csr_array((np.ones(len(columns)), (owners, columns)), shape=(len(sizes), counts.shape[0]))
    centres = unit_rows(sparse.csr_array(membership @ vectors))
    products = np.asarray(centres.multiply(vectors[index.questioned]).sum(axis=1)).ravel()
    return np.asarray(np.clip(products, 0.0, 1.0), dtype=np.float64)
