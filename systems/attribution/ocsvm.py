"""One region for each author, learnt from the author's own documents alone: the one-class SVM.

Schölkopf, Williamson, Smola, Shawe-Taylor & Platt, 1999; a baseline of Nasir et al. 2014. It is SSAD without labels:
kappa = 0 and eta = 1/(nu n). `nu`, the share of the documents that may lie outside, is chosen by cross-validation
unless given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from systems.attribution._one_class import solve
from systems.attribution._own_documents import OwnDocumentsSystem, own_program, squared_length
from systems.attribution._regions import depth
from systems.text.arrays import Floats, Ints


@dataclass(kw_only=True)
class Ocsvm(OwnDocumentsSystem):
    """`kernel` is function_words, pos, suffixes, bow or sum; `nu` None is chosen by cross-validation."""

    kernel: str = "bow"
    nu: float | None = None
    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"

    def _depths(self, kernel: Floats, own: Ints, nu: float) -> Floats:
        part = kernel[np.ix_(own, own)]
        region = solve(part, own_program(len(own), nu))
        return depth(kernel[:, own] @ region.weights - region.rho, squared_length(part, region))
