"""One region for each author, learnt from the author's own documents alone: the one-class SVM.

Schölkopf, Williamson, Smola, Shawe-Taylor & Platt, 1999; a baseline of Nasir et al. 2014. It is SSAD without labels:
kappa = 0 and eta = 1/(nu n). `nu`, the share of the documents that may lie outside, is chosen by cross-validation
over `NU` unless given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.attribution._kernels import check_kernel, kernels_of
from systems.attribution._mixture import mix
from systems.attribution._one_class import Program, Region, solve
from systems.attribution._regions import Kernels, RegionSystem, depth
from systems.text.arrays import Floats, Ints

NU = (0.5, 0.2, 0.1, 0.05)
"""The grid; where cross-validation cannot tell, earlier values are preferred."""


@dataclass(kw_only=True)
class Ocsvm(RegionSystem[float]):
    """`kernel` is function_words, pos, suffixes, bow or sum; `nu` None is chosen by cross-validation."""

    kernel: str = "bow"
    nu: float | None = None
    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_kernel(self.kernel)
        check_nu(self.nu)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return kernels_of(self.kernel)

    def _grid(self) -> Sequence[float]:
        return NU if self.nu is None else (self.nu,)

    def _score(self, kernels: Kernels, labels: Ints, settings: float) -> Floats:
        kernel = mix(kernels, np.ones(len(kernels)))
        return np.stack(
            [_column(kernel, labels == author, settings) for author in range(int(labels.max()) + 1)], axis=1
        )


def check_nu(nu: float | None) -> None:
    """Refuse what is not a share."""
    if nu is not None and not (isinstance(nu, int | float) and 0 < nu <= 1):
        raise ValueError(f"nu is a share, in (0, 1], not {nu!r}; without one it is chosen")


def own_program(count: int, nu: float, cost: Floats | None = None) -> Program:
    """The program over an author's own documents: nothing is labelled, no bound is below what a sum of 1 needs."""
    bounds = np.full(count, max(1 / (nu * count), (1 + 1e-9) / count))
    return Program(signs=np.ones(count), labelled=np.zeros(count), bounds=bounds, cost=cost)


def squared_length(kernel: Floats, region: Region) -> float:
    """|w|² among the region's own documents."""
    return float(region.weights @ kernel @ region.weights)


def _column(kernel: Floats, own: Floats, nu: float) -> Floats:
    numbers = np.flatnonzero(own)
    part = kernel[np.ix_(numbers, numbers)]
    region = solve(part, own_program(len(numbers), nu))
    return depth(kernel[:, numbers] @ region.weights - region.rho, squared_length(part, region))
