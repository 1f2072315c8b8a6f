"""How sure a number is: bootstrap intervals and rank intervals, all by re-weighting problems.

A resample is a row of weights: how often each problem is drawn. Every metric evaluates many rows at once
(`Metric.resampled`), so nothing is scored again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from metrics.metric import Array, Floats, Metric

RESAMPLES = 1000
_CHUNK = 4_000_000
"""Weights held at once (32 MB), so that memory does not grow with the number of resamples."""


def bootstrap_weights(problems: int, *, resamples: int = RESAMPLES, seed: int = 0) -> Iterator[Floats]:
    """Rows of weights, in chunks; the same seed draws the same problems for every system."""
    generator = np.random.default_rng(seed)
    rows = max(1, _CHUNK // max(problems, 1))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        weights = np.empty((size, problems))
        for row in weights:  # a row at a time stays in the processor's cache
            row[:] = np.bincount(generator.integers(0, problems, size=problems, dtype=np.int64), minlength=problems)
        yield weights


def bootstrap(metric: Metric, columns: Sequence[Array], *, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """The metric's value on each bootstrap resample of the problems; NaN where it is undefined."""
    chunks = bootstrap_weights(len(columns[0]), resamples=resamples, seed=seed)
    return np.concatenate([metric.resampled(columns, weights) for weights in chunks])


def jackknife(metric: Metric, columns: Sequence[Array]) -> Floats:
    """The metric's value with each problem left out in turn."""
    problems = len(columns[0])
    rows = max(1, _CHUNK // problems)
    values = []
    for start in range(0, problems, rows):
        weights = np.ones((min(rows, problems - start), problems))
        weights[np.arange(len(weights)), start + np.arange(len(weights))] = 0.0
        values.append(metric.resampled(columns, weights))
    return np.concatenate(values)


def percentile_interval(values: Floats, *, level: float = 0.95) -> tuple[float, float] | None:
    """The middle `level` of the values; `None` where every resample was undefined."""
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca_interval(
    values: Floats, estimate: float, left_out: Floats, *, level: float = 0.95
) -> tuple[float, float] | None:
    """Bias-corrected and accelerated interval (Efron 1987) from bootstrap and jackknife values.

    Where no resample lies on one side of the estimate, or the jackknife does not vary, the correction
    has no value and the percentile interval is what remains.
    """
    from scipy.special import ndtr, ndtri

    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return None
    below = (np.count_nonzero(defined < estimate) + 0.5 * np.count_nonzero(defined == estimate)) / len(defined)
    spread = np.nanmean(left_out) - left_out[~np.isnan(left_out)]
    scale = float((spread**2).sum() ** 1.5)
    if not 0 < below < 1 or scale == 0:
        return percentile_interval(values, level=level)
    bias, acceleration = float(ndtri(below)), float((spread**3).sum()) / (6 * scale)
    ends = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(defined, ndtr(bias + ends / (1 - acceleration * ends)))
    return float(low), float(high)


def bootstrap_interval(
    metric: Metric,
    columns: Sequence[Array],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    method: Literal["percentile", "bca"] = "percentile",
) -> tuple[float, float] | None:
    """A confidence interval of the metric over problems."""
    values = bootstrap(metric, columns, resamples=resamples, seed=seed)
    if method == "percentile":
        return percentile_interval(values, level=level)
    estimate = float(metric.resampled(columns, None)[0])
    return bca_interval(values, estimate, jackknife(metric, columns), level=level)


def rank_intervals(
    values: Floats, *, direction: Literal["max", "min"] = "max", level: float = 0.95
) -> list[tuple[int, int]]:
    """For systems (rows) over the same resamples (columns): the ranks each holds in the middle `level` of them.

    Equal values share the better rank. An undefined value ranks last.
    """
    worst_last = np.where(np.isnan(values), np.inf, -values if direction == "max" else values)
    ranks = 1 + (worst_last[None, :, :] < worst_last[:, None, :]).sum(axis=1)
    ends = np.quantile(ranks, [(1 - level) / 2, (1 + level) / 2], axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]
