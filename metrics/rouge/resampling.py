"""The bootstrap of ROUGE-1.5.5: which topics each resample draws, and the interval made of the resamples.

Resample `s` seeds the `drand48` generator with `s`, so the same evaluations are drawn on every machine. What is
printed as the average is the mean of the resamples, not that of the evaluations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.rouge.kernels import Floats, compiled
from metrics.rouge.scoring import divide


class Interval(NamedTuple):
    """The mean of the resamples, and the bounds."""

    mean: float
    low: float
    high: float


@compiled
def resampled_sums(values: Floats, resamples: int) -> Floats:
    """Column sums over the rows that each resample draws, added in the order of the draw."""
    rows, columns = values.shape
    sums = np.zeros((resamples, columns))
    scale = rows / 281474976710656.0  # drand48 is a 48-bit generator
    for seed in range(resamples):
        state = (np.int64(seed) << 16) + 0x330E
        for _ in range(rows):
            state = (state * 0x5DEECE66D + 0xB) & 0xFFFFFFFFFFFF
            row = np.int64(state * scale)
            for column in range(columns):
                sums[seed, column] += values[row, column]
    return sums


def interval(values: Floats, confidence: float) -> Interval:
    """The mean and the middle `confidence` percent of the resamples' values."""
    ordered = np.sort(values)
    resamples = len(ordered)
    delta = resamples * (100 - confidence) / 200
    lower, upper = int(delta), int(resamples - delta - 1)
    fraction = (resamples - delta - 1) - upper  # ROUGE-1.5.5 uses the upper bound's fraction for both
    low, high = (_between(ordered, place, fraction) for place in (lower, upper))
    # Added from the smallest on, one by one: at a tie of the fifth decimal the order of additions shows.
    return Interval(float(np.cumsum(ordered)[-1]) / resamples, low, high)


def _between(ordered: Floats, place: int, fraction: float) -> float:
    # Beyond the last value ROUGE-1.5.5 reads a 0, which shows with one resample.
    here, following = (ordered[at] if at < len(ordered) else 0.0 for at in (place, place + 1))
    return float(here + fraction * (following - here))


def token_rates(sums: Floats, alpha: float) -> Floats:
    """Recall, precision and F of each resample from its sums of model, peer and hit counts, for `-t 1`.

    Nothing is rounded, and W is not taken back through its weighting function.
    """
    model, peer, hits = sums.T
    recall, precision = divide(hits, model), divide(hits, peer)
    return np.column_stack([recall, precision, divide(recall * precision, (1 - alpha) * precision + alpha * recall)])
