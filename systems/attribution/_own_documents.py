"""Regions learnt from an author's own documents alone: what the one-class SVM and data description share.

`nu`, the share of the documents that may lie outside, is chosen by cross-validation over `NU` unless given.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.attribution._kernels import check_kernel, kernels_of
from systems.attribution._mixture import mix
from systems.attribution._one_class import Program, Region
from systems.attribution._regions import Kernels, RegionSystem
from systems.text.arrays import Floats, Ints

NU = (0.5, 0.2, 0.1, 0.05)
"""The grid; where cross-validation cannot tell, earlier values are preferred."""


@dataclass(kw_only=True)
class OwnDocumentsSystem(RegionSystem[float]):
    """A region an author; subclasses name their parameters for the listing, and say how a region scores."""

    kernel: str = "bow"
    nu: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_kernel(self.kernel)
        if self.nu is not None and not (isinstance(self.nu, int | float) and 0 < self.nu <= 1):
            raise ValueError(f"nu is a share, in (0, 1], not {self.nu!r}; without one it is chosen")

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return kernels_of(self.kernel)

    @abstractmethod
    def _depths(self, kernel: Floats, own: Ints, nu: float) -> Floats:
        """How deep every document lies in the region of the documents `own`."""

    def _grid(self) -> Sequence[float]:
        return NU if self.nu is None else (self.nu,)

    def _score(self, kernels: Kernels, labels: Ints, settings: float) -> Floats:
        kernel = mix(kernels, np.ones(len(kernels)))
        authors = range(int(labels.max()) + 1)
        return np.stack(
            [self._depths(kernel, np.flatnonzero(labels == author), settings) for author in authors], axis=1
        )


def own_program(count: int, nu: float, cost: Floats | None = None) -> Program:
    """The program over an author's own documents: nothing is labelled, no bound is below what a sum of 1 needs."""
    bounds = np.full(count, max(1 / (nu * count), (1 + 1e-9) / count))
    return Program(signs=np.ones(count), labelled=np.zeros(count), bounds=bounds, cost=cost)


def squared_length(kernel: Floats, region: Region) -> float:
    """|w|² among the region's own documents."""
    return float(region.weights @ kernel @ region.weights)
