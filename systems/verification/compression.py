"""The compression baseline of PAN 2020: cross-entropies of each text under a PPM model of the other.

Two numbers describe a problem: the mean and the absolute difference of the bits a character that the questioned
text costs under the model of the known ones, and the reverse. Logistic regression on the training problems makes
a probability of them. Two points differ from the published baseline, which knows pairs only and trains on
tens of thousands: several known texts are joined into one, and the two numbers are standardised, for
otherwise the regression's penalty keeps every probability near 0.5 when training problems are few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth
from systems.text.arrays import Bools, Floats
from systems.text.ppm import PpmModel, build_model, cross_entropy
from systems.verification._texts import labels

_MODELS_KEPT = 128  # about half a megabyte each for a text of 2,500 words


@dataclass(frozen=True, slots=True)
class _Regression:
    centre: Floats
    scale: Floats
    weights: Floats
    intercept: float

    def probabilities(self, features: Floats) -> Floats:
        from scipy.special import expit

        return np.asarray(expit((features - self.centre) / self.scale @ self.weights + self.intercept))


@dataclass(kw_only=True)
class Compression(System[Problem, Truth, Answer]):
    """PPM contexts of up to `order` characters; a probability within `radius` of 0.5 is left unanswered.

    With one class in training every answer is that class. An empty text costs no bits.
    """

    order: int = 5
    radius: float = 0.05
    _regression: _Regression | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.order < 0:
            raise ValueError(f"order must be at least 0, not {self.order}")
        if not 0 <= self.radius < 0.5:
            raise ValueError(f"radius must lie in [0, 0.5), not {self.radius}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Cross-entropies of the training problems, and the regression on them."""
        del seed
        same = labels("compression", problems, truths)
        self._regression = _regress(_features(problems, self.order), same)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The regression's probability, silent near 0.5."""
        if self._regression is None:
            raise NeedsTrainingError("compression")
        values = self._regression.probabilities(_features(problems, self.order))
        values[np.abs(values - 0.5) <= self.radius] = 0.5
        return {problem.id: Answer(value=float(value)) for problem, value in zip(problems, values, strict=True)}


def _features(problems: Sequence[Problem], order: int) -> Floats:
    """Mean and absolute difference of the two cross-entropies, a row for each problem."""

    @lru_cache(maxsize=_MODELS_KEPT)
    def model(text: str) -> PpmModel:
        return build_model(text, order=order)

    entropies = [_both_ways(problem, model) for problem in problems]
    both = np.array(entropies, dtype=np.float64).reshape(-1, 2)
    return np.column_stack([both.mean(axis=1), np.abs(both[:, 0] - both[:, 1])])


def _both_ways(problem: Problem, model: Callable[[str], PpmModel]) -> tuple[float, float]:
    known = "\n".join(document.text for document in problem.known)
    questioned = problem.questioned.text
    return cross_entropy(model(known), questioned), cross_entropy(model(questioned), known)


def _regress(features: Floats, same: Bools) -> _Regression:
    """Logistic regression with scikit-learn's usual penalty, on standardised features."""
    centre, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    if same.all() or not same.any():
        return _Regression(centre, scale, np.zeros(2), np.inf if same.all() else -np.inf)
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression().fit((features - centre) / scale, same)
    return _Regression(centre, scale, fitted.coef_[0], float(fitted.intercept_[0]))
