"""The fuzzy c-means verifier: features by hand, and what the clustering must satisfy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.records import SystemCall
from harness.registry import make_system
from harness.tasks.verification import Problem, Truth
from systems.verification import _fuzzy
from systems.verification._texts import index_texts
from systems.verification.fuzzy_c_means import (
    PUBLISHED,
    FuzzyCMeans,
    by_one_author,
    draw_samples,
    extract_features,
    fit_clusters,
    memberships,
    similarities,
)

Split = tuple[list[Problem], list[Truth]]
shapes = st.tuples(st.integers(1, 4), st.integers(1, 12), st.integers(1, 4))  # draws, rows, features
fuzziness = st.floats(1.05, 8.0)


def points_of(shape: tuple[int, int, int], seed: int) -> np.ndarray:
    """Few distinct values, so that points coincide with each other and with centres."""
    return np.random.default_rng(seed).integers(0, 4, shape) / 3


def test_features_by_hand() -> None:
    text = 'One, two ,three (four)! Is it: "five?" Yes; six'
    # Sentences end at "four)!", at five?" and with the text; 9 words. Marks: , , ( ) ! : ? ; are 8.
    (row,) = extract_features([text])
    size = len(text)
    assert row.tolist() == pytest.approx([9 / 3, 8 / size, (1 - 1) / size, (1 - 1) / size])


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("word", 1),
        ("One two. Three four", 2),
        ("A b c!? D.", 2),
        ("3.5 is one number", 4),
        ("Τί λες\u037e Ναι.", 1.5),
    ],
)
def test_sentence_length(text: str, length: float) -> None:
    assert extract_features([text])[0, 0] == pytest.approx(length)


def test_no_texts_no_features() -> None:
    assert extract_features([]).shape == (0, 4)


@given(shape=shapes, clusters=st.integers(1, 5), m=fuzziness, seed=st.integers(0, 99))
@settings(deadline=None)
def test_the_objective_never_rises(shape: tuple[int, int, int], clusters: int, m: float, seed: int) -> None:
    points, random = points_of(shape, seed), np.random.default_rng(seed)
    shares = random.random((shape[0], clusters, shape[1]))
    shares /= shares.sum(axis=1, keepdims=True)
    present = np.ones((shape[0], 1, shape[1]))
    last = np.full(shape[0], np.inf)
    for _ in range(20):
        _, shares, objective = _fuzzy.step(points, shares, present, m)
        assert np.all(objective <= last * (1 + 1e-9) + 1e-12)
        last = objective


@given(shape=shapes, clusters=st.integers(1, 5), m=fuzziness, seed=st.integers(0, 99))
@settings(deadline=None)
def test_memberships_are_shares(shape: tuple[int, int, int], clusters: int, m: float, seed: int) -> None:
    fitted = fit_clusters(
        points_of(shape, seed), clusters=clusters, m=m, random=np.random.default_rng(seed), most_iterations=30
    )
    shares = memberships(fitted, np.random.default_rng(seed).normal(size=(7, shape[2])))
    assert shares.shape == (shape[0], clusters, 7)
    assert np.all(shares >= 0)
    assert np.allclose(shares.sum(axis=1), 1)


def test_membership_formula() -> None:
    distances = np.array([[[1.0], [4.0]]])  # squared
    # m = 3: the exponent of the distances, 1 and 2, is 1.
    assert _fuzzy.shares_of(distances, 3.0).ravel() == pytest.approx([2 / 3, 1 / 3])


def test_a_point_on_centres_belongs_to_them_alone() -> None:
    distances = np.array([[[0.0], [0.0], [5.0]]])
    assert _fuzzy.shares_of(distances, 2.0).ravel().tolist() == [0.5, 0.5, 0.0]


def test_two_heaps_are_found() -> None:
    random = np.random.default_rng(0)
    heaps = np.concatenate([random.normal(0, 0.02, (30, 2)), random.normal(5, 0.02, (30, 2))])
    fitted = fit_clusters(heaps[None], clusters=2, m=2.0, random=random)
    shares = memberships(fitted, heaps)[0]
    first = shares[:, :30].mean(axis=1).argmax()
    assert np.all(shares[first, :30] > 0.99)
    assert np.all(shares[first, 30:] < 0.01)


def test_padding_changes_nothing() -> None:
    random = np.random.default_rng(1)
    points = random.random((1, 20, 4))
    padded = np.concatenate([points, np.full((1, 5, 4), 99.0)], axis=1)
    present = np.arange(25)[None] < 20
    plain = fit_clusters(points, clusters=3, m=2.0, random=random, tolerance=1e-12, most_iterations=5000)
    other = fit_clusters(padded, present, clusters=3, m=2.0, random=random, tolerance=1e-12, most_iterations=5000)
    assert np.array_equal(plain.low, other.low)
    assert np.array_equal(plain.span, other.span)
    # Starts differ, and both are stationary: the one's centres are a fixed point with or without the padding.
    scaled = (padded - other.low[:, None]) / other.span[:, None]
    shares = _fuzzy.shares_of(_fuzzy.squared_distances(scaled, plain.centres), 2.0)
    centres, _, objective = _fuzzy.step(scaled, shares, present.astype(float)[:, None], 2.0)
    assert np.allclose(centres, plain.centres, atol=1e-6)
    assert objective == pytest.approx(plain.objective)


def test_a_batch_is_its_draws() -> None:
    random = np.random.default_rng(2)
    batch = fit_clusters(random.random((5, 30, 4)), clusters=3, m=2.0, random=random)
    features = random.random((9, 4))
    together = memberships(batch, features)
    for number in range(5):
        assert np.array_equal(memberships(batch.draw(number), features)[0], together[number])


def test_other_texts_are_scaled_without_clipping() -> None:
    sample = np.array([[[0.0], [10.0]]])
    fitted = fit_clusters(sample, clusters=2, m=2.0, random=np.random.default_rng(0))
    near, far = memberships(fitted, np.array([[10.0], [1000.0]]))[0].max(axis=0)
    assert near > 0.99
    assert far == pytest.approx(0.5, abs=0.01)


def test_draws_take_whole_problems() -> None:
    groups = [np.array([0, 1]), np.array([2]), np.array([3, 4, 5]), np.array([6]), np.array([7, 8])]
    numbers, present = draw_samples(groups, share=0.4, draws=50, random=np.random.default_rng(0))
    wholes = {frozenset(group.tolist()) for group in groups}
    for row, counts in zip(numbers, present, strict=True):
        drawn = set(row[counts].tolist())
        assert sum(whole <= drawn for whole in wholes) == 2
        assert len(drawn) == counts.sum()


def test_texts_by_one_author(make_problem: Callable[[str, list[str], str], Problem]) -> None:
    problems = [make_problem("A", ["a", "b"], "c"), make_problem("B", ["d"], "a")]
    groups = by_one_author(index_texts(problems), np.array([False, True]))
    assert [group.tolist() for group in groups] == [[0, 1], [3, 0]]


def test_cosine_of_the_mean_membership() -> None:
    shares = np.array([[[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]])
    found = similarities(shares, [np.array([0, 1]), np.array([0])], np.array([2, 1]))
    assert found.tolist() == [[pytest.approx(1.0), 0.0]]


@pytest.mark.parametrize("m", [1.0, 0.5, float("nan"), float("inf")])
def test_m_must_exceed_one(m: float) -> None:
    with pytest.raises(ValueError, match="m must be greater than 1"):
        FuzzyCMeans(m=m)
    with pytest.raises(UsageError, match="m must be greater than 1"):
        make_system(SystemCall(task="verification", name="fuzzy_c_means", parameters={"m": m}))


@pytest.mark.parametrize("parameters", [{"clusters": 0}, {"threshold": 0.0}, {"sample": 1.5}, {"draws": 0}])
def test_senseless_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=next(iter(parameters))):
        make_system(SystemCall(task="verification", name="fuzzy_c_means", parameters=parameters))


def test_the_literal_threshold_leaves_the_cosine_alone(train: Split, test: Split) -> None:
    system = FuzzyCMeans(threshold=0.5, m=4.0)
    system.fit(*train, seed=1)
    literal = [answer.value for answer in system.answer(test[0]).values()]
    # The paper's rule says "same" to nearly everything: see the module's text.
    assert np.mean(np.array(literal) >= 0.5) > 0.8
    learnt = FuzzyCMeans(m=4.0)
    learnt.fit(*train, seed=1)
    rescaled = [answer.value for answer in learnt.answer(test[0]).values()]
    assert np.array_equal(np.argsort(literal), np.argsort(rescaled))
    assert np.mean(np.array(rescaled) >= 0.5) < 0.8


def test_published_parameters_can_be_set() -> None:
    for clusters, m in PUBLISHED.values():
        FuzzyCMeans(clusters=clusters, m=m)
