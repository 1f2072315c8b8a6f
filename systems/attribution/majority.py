"""The same answer to every text: the author with most known texts.

Among equals the first by name. Each author's share of the known texts is the score. Never answers `<UNK>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import best_author, read_candidates
from systems.text.arrays import Floats


@dataclass(kw_only=True)
class Majority(System[Problem, Truth, Answer]):
    """No parameters."""

    _shares: tuple[tuple[str, ...], Floats] | None = field(default=None, init=False, repr=False)

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Count the texts of each author."""
        del seed
        known = read_candidates("majority", problems, truths)
        counts = np.bincount(known.labels, minlength=len(known.authors))
        self._shares = known.authors, counts / counts.sum()

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The commonest author."""
        if self._shares is None:
            raise NeedsTrainingError("majority")
        authors, shares = self._shares
        return best_author(problems, authors, np.tile(shares, (len(problems), 1)))
