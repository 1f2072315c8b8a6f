"""Boundaries: found by trying all, and rescaled without changing any order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.text.threshold import Boundary, learn_band, learn_threshold

scores = st.floats(0, 1)
scored = st.lists(st.tuples(st.integers(0, 20).map(lambda step: step / 20), st.booleans()), min_size=1, max_size=12)
ends = st.tuples(st.floats(-0.1, 1.1), st.floats(-0.1, 1.1)).map(sorted)


def value_of(answers: np.ndarray, same: np.ndarray) -> float:
    answered = answers != 0.5
    right = int((answered & ((answers > 0.5) == same)).sum())
    return right + int((~answered).sum()) * right / len(same)


def columns(pairs: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in pairs]), np.array([same for _, same in pairs])


def places(values: np.ndarray) -> list[float]:
    """A boundary between all neighbours, and one outside on either side."""
    distinct = np.unique(values)
    return [-0.05, 1.05, *((distinct[:-1] + distinct[1:]) / 2)]


@given(pairs=scored)
@settings(deadline=None)
def test_no_single_threshold_is_better(pairs: list[tuple[float, bool]]) -> None:
    values, same = columns(pairs)
    found = learn_threshold(values, same)
    assert found.low == found.high
    best = max(value_of(Boundary(place, place).rescale(values), same) for place in places(values))
    assert value_of(found.rescale(values), same) == best


@given(pairs=scored)
@settings(deadline=None)
def test_no_band_is_better(pairs: list[tuple[float, bool]]) -> None:
    values, same = columns(pairs)
    found = learn_band(values, same)
    assert found.low <= found.high
    pairs_of_places = itertools.combinations_with_replacement(sorted(places(values)), 2)
    best = max(value_of(Boundary(low, high).rescale(values), same) for low, high in pairs_of_places)
    assert value_of(found.rescale(values), same) == pytest.approx(best)


@given(ends=ends, values=st.lists(scores, min_size=1))
@settings(deadline=None)
def test_rescaling_keeps_the_order_and_the_sides(ends: list[float], values: list[float]) -> None:
    boundary, ranked = Boundary(*ends), np.sort(values)
    answers = boundary.rescale(ranked)
    assert np.all(np.diff(answers) >= 0)
    assert np.all((answers >= 0) & (answers <= 1))
    assert np.array_equal(answers < 0.5, ranked < boundary.low)
    assert np.array_equal(answers > 0.5, ranked > boundary.high)


def test_a_clear_case() -> None:
    values, same = np.array([0.1, 0.2, 0.6, 0.9]), np.array([False, False, True, True])
    assert learn_threshold(values, same) == learn_band(values, same) == Boundary(0.4, 0.4)
    assert Boundary(0.4, 0.4).rescale(np.array([0.2, 0.4, 0.7])).tolist() == pytest.approx([0.25, 0.5, 0.75])


def test_a_band_where_it_pays() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    same = np.array([False, False, False, True, False, True, True, True])
    # Silence on two earns 6 + 2 * 6 / 8; the best single threshold has 7 right.
    found = learn_band(values, same)
    assert (found.low, found.high) == pytest.approx((0.35, 0.55))


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_one_class(score: float, same: bool) -> None:
    for learn in (learn_threshold, learn_band):
        found = learn(np.array([score]), np.array([same]))
        assert (float(found.rescale(np.array([score]))[0]) > 0.5) == same


def test_many_scores_are_thinned() -> None:
    random = np.random.default_rng(0)
    values = random.random(5000)
    found = learn_band(values, values > 0.7)
    assert 0.69 < found.low <= found.high < 0.71
