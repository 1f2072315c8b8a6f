"""Compression: the author whose known texts, joined, predict the questioned one in the fewest bits.

One PPM model an author (see `systems.text.ppm`; Teahan & Harper 2003), as the profile-based methods of Stamatatos,
A survey of modern authorship attribution methods, 2009. The score is minus the bits a character. Never answers `<UNK>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import best_author, read_candidates, texts_of
from systems.text.ppm import PpmModel, build_model, cross_entropy


@dataclass(kw_only=True)
class Compression(System[Problem, Truth, Answer]):
    """PPM contexts of up to `order` characters.

    An empty questioned text costs nothing under any model, so the first author by name gets it; an author
    without any character knows none, and each costs 8 bits.
    """

    order: int = 5
    _models: dict[str, PpmModel] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.order < 0:
            raise ValueError(f"order must be at least 0, not {self.order}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """A model of each author's texts, joined in the order they come."""
        del seed
        known = read_candidates("compression", problems, truths)
        texts: dict[str, list[str]] = {author: [] for author in known.authors}
        for text, label in zip(known.texts, known.labels, strict=True):
            texts[known.authors[label]].append(text)
        self._models = {author: build_model("\n".join(own), order=self.order) for author, own in texts.items()}

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """Least cross-entropy."""
        if self._models is None:
            raise NeedsTrainingError("compression")
        models = list(self._models.values())
        bits = np.array([[cross_entropy(model, text) for model in models] for text in texts_of(problems)])
        return best_author(problems, list(self._models), 0.0 - bits)  # not -bits: no bits would score -0
