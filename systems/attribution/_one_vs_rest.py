"""A linear support vector machine for each author against the rest, on sparse rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from systems.text.arrays import Floats, Ints

_MOST_ITERATIONS = 10_000


@dataclass(frozen=True, slots=True)
class OneVsRest:
    """Weights (authors x features) and intercepts."""

    weights: Floats
    intercepts: Floats

    def decide(self, features: sparse.csr_array) -> Floats:
        """Texts x authors: above 0 on the author's side."""
        return np.asarray(features @ self.weights.T + self.intercepts)


def fit_one_vs_rest(features: sparse.csr_array, labels: Ints, authors: int, *, c: float, seed: int) -> OneVsRest:
    """Authors without a text, or no features, or a single author, give rows of 0: nothing tells them apart."""
    from sklearn.svm import LinearSVC

    weights, intercepts = np.zeros((authors, features.shape[1])), np.zeros(authors)
    present = np.unique(labels)
    if len(present) > 1 and features.nnz:
        places = features.indices.astype(np.int32), features.indptr.astype(np.int32)
        rows = sparse.csr_matrix((features.data, *places), shape=features.shape)  # what liblinear reads
        fitted = LinearSVC(C=c, random_state=seed, max_iter=_MOST_ITERATIONS).fit(rows, labels)
        binary = len(present) == 2  # then there is one machine, for the second of the two
        weights[present] = np.vstack([-fitted.coef_, fitted.coef_]) if binary else fitted.coef_
        intercepts[present] = np.concatenate([-fitted.intercept_, fitted.intercept_]) if binary else fitted.intercept_
    return OneVsRest(weights, intercepts)
