"""One region for each author, in the mixture of four kernels that suits the author best (MKL-SSAD).

Nasir, Görnitz & Brefeld, An Off-the-shelf Approach to Authorship Attribution, COLING 2014: semi-supervised anomaly
detection (`_one_class`) with p-norm multiple kernel learning (`_mixture`) over function words, parts of speech,
suffixes and words (`_kernels`). The questioned documents take part in training, unlabelled. Errors in the printed
equations, and the reading followed, are named in those modules.

Choices the paper leaves open, as they are here:
- eta_l, eta_u and kappa come from cross-validation over `ETA_L`, `ETA_U` and `KAPPA`, unless given, with all
  kernels weighted alike: the solution does not depend on a kernel's scale, so one choice serves every p;
- kappa is lowered to the greatest for which an author's program has a solution, and eta_l of an author with very few
  documents is raised until it has one;
- kernels are centred (`centred=false` is the raw cosine), chosen as told in `_kernels` and not by cross-validation. At
  eta_l 1, eta_u .001 and kappa 1 the sum of kernels finds .97 of C50's held-out articles (two tenths) centred and .92
  raw, .95 and .80 of the undisputed Federalist papers held out; the disputed ones then go to Madison, where raw
  kernels give them to Hamilton.

The paper's claim that mixtures beat every single kernel is not confirmed: over all tenths of C50's ten authors F micro
is 98.3 to 98.4 for its five p, 98.1 for the bag of words and 98.3 for the plain sum. The mixture does protect
against a bad kernel: function words alone have 79.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.tasks.attribution import Problem, Truth
from systems.attribution._kernels import NAMES
from systems.attribution._mixture import Mixed, check_norm, learn_mixture, mix
from systems.attribution._one_class import Program, largest_kappa
from systems.attribution._regions import UNLABELLED, Kernels, RegionSystem, depth
from systems.text.arrays import Floats, Ints

ETA_L = (1.0, 0.1)
ETA_U = (0.001, 0.0001)
KAPPA = (1.0, 2.0, 4.0)
"""The grids; where cross-validation cannot tell, earlier values are preferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a labelled and an unlabelled document outside its region costs, and the weight of the margin."""

    eta_l: float = ETA_L[0]
    eta_u: float = ETA_U[0]
    kappa: float = KAPPA[0]


@dataclass(kw_only=True)
class MklSsad(RegionSystem[Settings]):
    """`p` is the norm of the mixture, inf the plain sum of kernels; settings that are None are chosen among the grids.

    `folds` of cross-validation; `open_set` answers `<UNK>` for a text in nobody's region, as the paper's decision
    rule f(x) > 0 has it; `tagger` is one of `systems.text.tagging`.
    `mixtures` has each author's weight of each kernel after `answer`, authors as "set/author" where sets are named.
    """

    p: float = 2.0
    eta_l: float | None = None
    eta_u: float | None = None
    kappa: float | None = None
    centred: bool = True
    folds: int = 5
    open_set: bool = False
    tagger: str = "pattern"
    mixtures: dict[str, dict[str, float]] = field(default_factory=dict, init=False, repr=False)
    regions: list[Mixed] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_norm(self.p)
        check_settings(self.eta_l, self.eta_u, self.kappa)

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        self.mixtures = {}
        super().fit(problems, truths, seed=seed)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        return NAMES

    def _grid(self) -> Sequence[Settings]:
        return settings_grid(self.eta_l, self.eta_u, self.kappa)

    def _score(self, kernels: Kernels, labels: Ints, settings: Settings) -> Floats:
        self.regions = learn_regions(kernels, labels, settings, p=self.p)
        return score_regions(kernels, self.regions)

    def _selection_score(self, kernels: Kernels, labels: Ints, settings: Settings) -> Floats:
        together = [mix(kernels, np.ones(len(kernels)))]
        return score_regions(together, learn_regions(together, labels, settings, p=np.inf))

    def _learned(self, candidates: str, authors: Sequence[str]) -> None:
        for author, mixed in zip(authors, self.regions, strict=True):
            key = f"{candidates}/{author}" if candidates else author
            self.mixtures[key] = dict(zip(self.kernel_names, map(float, mixed.theta), strict=True))


def check_settings(eta_l: float | None, eta_u: float | None, kappa: float | None) -> None:
    """Refuse what no program can be made of."""
    for name, value in (("eta_l", eta_l), ("eta_u", eta_u)):
        if value is not None and not (isinstance(value, int | float) and 0 < value < np.inf):
            raise ValueError(f"{name} must be a positive number, not {value!r}; without one it is chosen")
    if kappa is not None and not (isinstance(kappa, int | float) and 0 <= kappa < np.inf):
        raise ValueError(f"kappa must be a number from 0 on, not {kappa!r}; without one it is chosen")


def settings_grid(eta_l: float | None, eta_u: float | None, kappa: float | None) -> list[Settings]:
    """Every combination of what is not given."""
    return [
        Settings(eta_l=labelled, eta_u=unlabelled, kappa=margin)
        for margin in (KAPPA if kappa is None else (kappa,))
        for unlabelled in (ETA_U if eta_u is None else (eta_u,))
        for labelled in (ETA_L if eta_l is None else (eta_l,))
    ]


def learn_regions(kernels: Kernels, labels: Ints, settings: Settings, *, p: float) -> list[Mixed]:
    """A region for each author among the labels; -1 is an unlabelled document."""
    count = int(labels.max()) + 1
    return [learn_mixture(kernels, author_program(labels, author, settings), p=p) for author in range(count)]


def author_program(labels: Ints, author: int, settings: Settings) -> Program:
    """The program of one author against all others, made feasible where the settings are not."""
    unlabelled = labels == UNLABELLED
    own = labels == author
    bounds = np.where(unlabelled, settings.eta_u, settings.eta_l)
    lacking = 1 - bounds[own | unlabelled].sum()
    if lacking > 0:
        bounds[own] += lacking / max(int(own.sum()), 1) * (1 + 1e-9)
    signs = np.where(own | unlabelled, 1.0, -1.0)
    free = Program(signs=signs, labelled=(~unlabelled).astype(np.float64), bounds=bounds)
    kappa = min(settings.kappa, largest_kappa(free))
    return Program(signs=free.signs, labelled=free.labelled, bounds=bounds, kappa=kappa)


def score_regions(kernels: Kernels, regions: Sequence[Mixed]) -> Floats:
    """Each document's depth in each author's region."""
    columns = []
    for mixed in regions:
        weights = mixed.region.weights
        used = np.flatnonzero(weights)
        inner = sum(t * (kernel[:, used] @ weights[used]) for t, kernel in zip(mixed.theta, kernels, strict=True))
        columns.append(depth(np.asarray(inner - mixed.region.rho), float(weights @ inner)))
    return np.stack(columns, axis=1)
