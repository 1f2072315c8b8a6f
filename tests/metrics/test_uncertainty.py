"""Bootstrap intervals against scipy.stats.bootstrap, against resamples scored from scratch, and at their edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import auc, brier, c_at_1, f1, overall
from metrics.classification import accuracy, macro_f1
from metrics.metric import Metric, as_column
from metrics.uncertainty import (
    bca_interval,
    bootstrap,
    bootstrap_interval,
    bootstrap_weights,
    jackknife,
    percentile_interval,
    rank_intervals,
)

VERIFICATION = [auc, brier, c_at_1, f1, overall]


def run(seed: int, size: int = 80) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    same = generator.random(size) < 0.5
    return same, np.round(np.clip(generator.normal(0.4 + 0.2 * same, 0.2), 0, 1), 2)


def drawn(size: int, resamples: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, size, size=(resamples, size))


@pytest.mark.parametrize("metric", VERIFICATION, ids=str)
def test_resamples_are_those_scored_from_scratch(metric: Metric) -> None:
    columns = run(1)
    again = [metric(*(column[rows] for column in columns)) for rows in drawn(80, 60, seed=7)]
    assert bootstrap(metric, columns, resamples=60, seed=7) == pytest.approx(again, rel=1e-12)


def test_resamples_of_texts() -> None:
    generator = np.random.default_rng(2)
    columns = tuple(as_column(list(generator.choice(["ann", "bob", "cy"], 50))) for _ in range(2))
    for metric in (accuracy, macro_f1):
        again = [metric(*(column[rows] for column in columns)) for rows in drawn(50, 40)]
        assert bootstrap(metric, columns, resamples=40) == pytest.approx(again, rel=1e-12)


@pytest.mark.parametrize("metric", VERIFICATION, ids=str)
def test_jackknife_leaves_out_each_problem(metric: Metric) -> None:
    columns = run(3)
    left_out = [metric(*(np.delete(column, row) for column in columns)) for row in range(80)]
    assert jackknife(metric, columns) == pytest.approx(left_out, rel=1e-12)


def scipy_interval(metric: Metric, columns: tuple[np.ndarray, ...], method: Any, resamples: int) -> tuple[float, float]:
    def statistic(*data: np.ndarray) -> float:
        return metric(*data)

    found = stats.bootstrap(
        columns,
        statistic,
        paired=True,
        vectorized=False,
        n_resamples=resamples,
        method=method,
        rng=np.random.default_rng(0),
    )
    interval = found.confidence_interval
    return float(interval.low), float(interval.high)


@pytest.mark.parametrize("metric", [brier, c_at_1, auc], ids=str)
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_interval_approaches_scipy(metric: Metric, method: Any) -> None:
    columns = run(5, size=60)
    ours = bootstrap_interval(metric, columns, resamples=3000, method=method)
    assert ours is not None
    low, high = scipy_interval(metric, columns, method, 1500)
    assert ours == pytest.approx((low, high), abs=0.06 * (high - low) + 0.003)


@pytest.mark.parametrize("seed", range(6))
def test_bca_equals_scipy_on_the_same_draws(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.exponential(size=30)
    found = stats.bootstrap((values,), np.mean, n_resamples=500, method="BCa", rng=np.random.default_rng(seed))
    left_out = np.array([np.delete(values, row).mean() for row in range(30)])
    ours = bca_interval(found.bootstrap_distribution, float(values.mean()), left_out)
    interval = found.confidence_interval
    assert ours == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_percentiles_are_the_middle_of_the_values() -> None:
    values = np.arange(1001, dtype=float)
    assert percentile_interval(values) == pytest.approx((25.0, 975.0))
    assert percentile_interval(values, level=0.5) == pytest.approx((250.0, 750.0))


def test_undefined_resamples_are_left_out() -> None:
    assert percentile_interval(np.array([np.nan, 1.0, 1.0])) == (1.0, 1.0)
    assert percentile_interval(np.array([np.nan, np.nan])) is None
    assert bca_interval(np.array([np.nan]), 0.5, np.array([0.5])) is None
    rare = np.array([True] + [False] * 20), np.linspace(1, 0, 21)
    values = bootstrap(auc, rare, resamples=200)
    assert np.isnan(values).any()
    assert (values[~np.isnan(values)] == 1.0).all()
    assert bootstrap_interval(auc, rare, resamples=200) == (1.0, 1.0)


def test_bca_falls_back_where_the_correction_has_no_value() -> None:
    values = np.linspace(0, 1, 101)
    assert bca_interval(values, 2.0, np.array([0.1, 0.2])) == percentile_interval(values)
    assert bca_interval(values, 0.5, np.array([0.2, 0.2])) == percentile_interval(values)


@given(problems=st.integers(1, 40), resamples=st.integers(1, 30), seed=st.integers(0, 5))
def test_weights_draw_as_many_as_there_are(problems: int, resamples: int, seed: int) -> None:
    weights = np.concatenate(list(bootstrap_weights(problems, resamples=resamples, seed=seed)))
    assert weights.shape == (resamples, problems)
    assert (weights.sum(axis=1) == problems).all()
    expected = [np.bincount(rows, minlength=problems) for rows in drawn(problems, resamples, seed)]
    assert weights.tolist() == np.array(expected).tolist()


def test_values_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = run(6)
    whole = bootstrap(overall, columns, resamples=40), jackknife(overall, columns)
    monkeypatch.setattr("metrics.uncertainty._CHUNK", 500)
    parts = bootstrap(overall, columns, resamples=40), jackknife(overall, columns)
    assert parts[0] == pytest.approx(whole[0], rel=1e-15)
    assert parts[1] == pytest.approx(whole[1], rel=1e-15)


def test_one_seed_draws_the_same_for_every_system() -> None:
    same, answer = run(8)
    first = bootstrap(brier, (same, answer), resamples=20, seed=3)
    assert bootstrap(brier, (same, answer), resamples=20, seed=3).tolist() == first.tolist()
    assert bootstrap(brier, (same, answer), resamples=20, seed=4).tolist() != first.tolist()


def test_rank_intervals_by_hand() -> None:
    values = np.array([[0.9] * 100, [0.8] * 90 + [0.95] * 10, [0.1] * 99 + [np.nan]])
    assert rank_intervals(values) == [(1, 2), (1, 2), (3, 3)]
    assert rank_intervals(values, direction="min") == [(2, 3), (2, 3), (1, 1)]
    assert rank_intervals(np.array([[0.5] * 10, [0.5] * 10])) == [(1, 1), (1, 1)]


@given(
    table=st.integers(1, 4).flatmap(
        lambda systems: st.lists(
            st.lists(st.integers(0, 3), min_size=systems, max_size=systems), min_size=1, max_size=9
        )
    )
)
def test_ranks_count_the_better_systems(table: list[list[int]]) -> None:
    values = np.array(table, dtype=float).T
    for row, (low, high) in enumerate(rank_intervals(values, level=1.0)):
        ranks = [1 + sum(other > own for other in column) for column, own in zip(table, values[row], strict=True)]
        assert (low, high) == (min(ranks), max(ranks))
