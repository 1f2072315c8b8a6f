"""One ball for each author, around the author's own documents: support vector data description.

Tax & Duin, 1999; a baseline of Nasir et al. 2014. min R² + C sum xi_i; in the dual, max sum_i a_i K_ii - a'Ka with
sum a_i = 1 and 0 <= a_i <= C, C = 1/(nu n). A document's score is (R² - |x - c|²) / (2 |c|): scaled as the distance
from a hyperplane is, so that with K_ii = 1 (raw cosines) it equals `ocsvm`'s, and the two answer alike. With centred
kernels they differ. `nu` is chosen by cross-validation over the grid of `ocsvm` unless given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from systems.attribution._one_class import solve
from systems.attribution._own_documents import OwnDocumentsSystem, own_program, squared_length
from systems.attribution._regions import depth
from systems.text.arrays import Floats, Ints


@dataclass(kw_only=True)
class Svdd(OwnDocumentsSystem):
    """`kernel` is function_words, pos, suffixes, bow or sum; `nu` None is chosen by cross-validation."""

    kernel: str = "bow"
    nu: float | None = None
    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"

    def _depths(self, kernel: Floats, own: Ints, nu: float) -> Floats:
        """With w = c and the multiplier -rho of the equality, R² = |c|² - 2 rho: half of R² - |x - c|² is below."""
        part = kernel[np.ix_(own, own)]
        region = solve(part, own_program(len(own), nu, cost=-part.diagonal() / 2))
        inner = kernel[:, own] @ region.weights
        return depth(inner - kernel.diagonal() / 2 - region.rho, squared_length(part, region))
