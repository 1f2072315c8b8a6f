"""Is one system better than another? Paired tests over the same problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.metric import Array, Floats, Metric, MetricError

_CHUNK = 4_000_000


def approximate_randomisation(
    metric: Metric, first: Sequence[Array], second: Sequence[Array], *, trials: int = 1000, seed: int = 0
) -> float:
    """Two-sided p of the difference under random swaps of the two systems' answers (Noreen 1989).

    Both systems' rows are stacked and a trial is a row of 0/1 weights that takes, for each problem, one
    system's row: any metric that can be resampled can be tested. With t trials the least p is 1/(t+1).
    """
    problems = len(first[0])
    if {len(column) for column in (*first, *second)} != {problems}:
        raise MetricError("both systems must answer the same problems")
    stacked = tuple(np.concatenate(pair) for pair in zip(first, second, strict=True))
    observed = abs(_difference(metric, stacked, np.ones((1, problems), dtype=bool))[0])
    if np.isnan(observed):
        return float("nan")
    generator = np.random.default_rng(seed)
    rows = max(1, _CHUNK // max(2 * problems, 1))
    extreme = 0
    for start in range(0, trials, rows):
        swaps = generator.integers(0, 2, size=(min(rows, trials - start), problems), dtype=np.uint8).astype(bool)
        differences = np.abs(_difference(metric, stacked, swaps))
        extreme += int(np.count_nonzero(differences >= observed - 1e-12))
    return (extreme + 1) / (trials + 1)


def _difference(metric: Metric, stacked: Sequence[Array], takes_first: Array) -> Floats:
    chosen = np.concatenate([takes_first, ~takes_first], axis=1).astype(np.float64)
    return metric.resampled(stacked, chosen) - metric.resampled(stacked, 1.0 - chosen)


def _differences(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    ours, theirs = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if ours.shape != theirs.shape or ours.ndim != 1:
        raise MetricError(f"both systems need a value for each problem; shapes are {ours.shape} and {theirs.shape}")
    return ours - theirs


def paired_t_test(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Two-sided p of the paired t-test; 1 where the two never differ, or there is but one problem."""
    differences = _differences(first, second)
    if len(differences) < 2 or not differences.any():
        return 1.0
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(differences, 0.0).pvalue)


def wilcoxon_test(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Two-sided p of the Wilcoxon signed-rank test, ties dropped; 1 where the two never differ."""
    differences = _differences(first, second)
    if not differences.any():
        return 1.0
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences, zero_method="wilcox").pvalue)


def sign_test(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Two-sided p of the sign test after dropping ties; 1 where the two never differ."""
    differences = _differences(first, second)
    return _fair_coin(int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences)))


def micro_sign_test(first_right: npt.ArrayLike, second_right: npt.ArrayLike) -> float:
    """The micro sign test of Yang & Liu (1999): over single decisions, those where exactly one system is right."""
    first, second = np.asarray(first_right, dtype=bool), np.asarray(second_right, dtype=bool)
    return _fair_coin(int(np.count_nonzero(first & ~second)), int(np.count_nonzero(first != second)))


def _fair_coin(heads: int, tosses: int) -> float:
    if tosses == 0:
        return 1.0
    from scipy.stats import binomtest

    result: Any = binomtest(heads, tosses)
    return float(result.pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction; the order of the input is kept."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected = [0.0] * len(p_values)
    running = 0.0
    for position, index in enumerate(order):
        running = max(running, min(1.0, p_values[index] * (len(p_values) - position)))
        corrected[index] = running
    return corrected
