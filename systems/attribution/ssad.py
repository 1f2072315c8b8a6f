"""One region for each author under one kernel, or the plain sum of four: semi-supervised anomaly detection.

Görnitz, Kloft, Rieck & Brefeld, Toward Supervised Anomaly Detection, JAIR 2013; the single-kernel baseline of Nasir et
al. 2014. Everything but the mixture is as in `mkl_ssad`; `ssad(kernel=sum)` is `mkl_ssad(p=inf)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.attribution._kernels import check_kernel, kernels_of
from systems.attribution._mixture import mix
from systems.attribution._regions import Kernels, RegionSystem
from systems.attribution.mkl_ssad import Settings, check_settings, learn_regions, score_regions, settings_grid
from systems.text.arrays import Floats, Ints


@dataclass(kw_only=True)
class Ssad(RegionSystem[Settings]):
    """`kernel` is function_words, pos, suffixes, bow or sum; settings that are None are chosen by cross-validation."""

    kernel: str = "bow"
    eta_l: float | None = None
    eta_u: float | None = None
    kappa: float | None = None
    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_kernel(self.kernel)
        check_settings(self.eta_l, self.eta_u, self.kappa)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return kernels_of(self.kernel)

    def _grid(self) -> Sequence[Settings]:
        return settings_grid(self.eta_l, self.eta_u, self.kappa)

    def _score(self, kernels: Kernels, labels: Ints, settings: Settings) -> Floats:
        together = [mix(kernels, np.ones(len(kernels)))]
        return score_regions(together, learn_regions(together, labels, settings, p=np.inf))
