"""From a similarity to an answer: a boundary learnt on scored training problems, moved to 0.5.

A similarity of [0, 1] says "same author" the more, the higher it is, but where "same" begins differs by corpus.
`learn_threshold` finds one boundary, `learn_band` two with a band of silence between them; `Boundary.rescale`
maps them to 0.5, monotonically, so that the ranking of the problems is kept. The criterion is accuracy in
which a problem left open earns the average of those answered: (right + open * right / n) / n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from systems.text.arrays import Bools, Floats

_JUST_ABOVE_HALF = float(np.nextafter(0.5, 1.0))
_MOST_CANDIDATES = 512
_MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Boundary:
    """Below `low` is "different", above `high` is "same", anything between (and both ends) is left open."""

    low: float
    high: float

    def rescale(self, scores: Floats) -> Floats:
        """Piecewise linear to [0, .5), exactly .5, and (.5, 1]."""
        below, above = scores < self.low, scores > self.high
        answers = np.full(scores.shape, 0.5)
        answers[below] = 0.5 * (scores[below] / self.low)
        answers[above] = 0.5 + 0.5 * ((scores[above] - self.high) / (1 - self.high))
        # Rounding must not turn a score above the boundary into an unanswered one.
        answers[above] = np.clip(answers[above], _JUST_ABOVE_HALF, 1.0)
        return answers


def learn_threshold(scores: Floats, same: Bools) -> Boundary:
    """The single boundary with the highest accuracy; among equals, the middle one.

    With one class in training it lies beyond every score seen: what looks like the training problems gets
    their class.
    """
    candidates, lower_right, upper_right, _, _ = _outcomes(scores, same)
    right = lower_right + upper_right
    best = np.flatnonzero(right == right.max())
    threshold = float(candidates[best[len(best) // 2]])
    return Boundary(threshold, threshold)


def learn_band(scores: Floats, same: Bools) -> Boundary:
    """The two boundaries that are best by the criterion; among equals, those that leave least open."""
    candidates, lower_right, upper_right, below, above = _outcomes(scores, same)
    right = lower_right[:, None] + upper_right[None, :]
    unanswered = len(scores) - below[:, None] - above[None, :]
    value = right * (1 + unanswered / len(scores))
    value[np.tril_indices(len(candidates), -1)] = -1.0  # the lower boundary may not lie above the upper
    best = np.argwhere(value == value.max())
    width = best[:, 1] - best[:, 0]
    narrowest = best[width == width.min()]
    low, high = narrowest[len(narrowest) // 2]
    return Boundary(float(candidates[low]), float(candidates[high]))


def _outcomes(scores: Floats, same: Bools) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """For each candidate boundary: right below it, right above it, all below it, all above it."""
    candidates = _candidates(scores)
    ranked, ranked_same = np.sort(scores), np.sort(scores[same])
    below = np.searchsorted(ranked, candidates, side="left").astype(np.float64)
    same_below = np.searchsorted(ranked_same, candidates, side="left")
    above = len(ranked) - np.searchsorted(ranked, candidates, side="right").astype(np.float64)
    same_above = len(ranked_same) - np.searchsorted(ranked_same, candidates, side="right").astype(np.float64)
    return candidates, below - same_below, same_above, below, above


def _candidates(scores: Floats) -> Floats:
    """Mid-points between neighbouring scores, and one outside on either side.

    The outer ones may leave [0, 1], so that even scores of exactly 0 can be "same", or of 1 "different".
    """
    points = np.unique(np.concatenate([[-_MARGIN, 1 + _MARGIN], scores]))
    if len(points) > _MOST_CANDIDATES:
        points = points[np.linspace(0, len(points) - 1, _MOST_CANDIDATES).round().astype(int)]
    middles: Floats = (points[:-1] + points[1:]) / 2
    return middles
