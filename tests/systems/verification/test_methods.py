"""What is particular to the constant, random, n-gram, compression and impostors systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.errors import NeedsTrainingError, UsageError
from harness.records import SystemCall
from harness.registry import make_system
from harness.task import System
from harness.tasks.verification import Problem, Truth
from systems.verification import impostors
from systems.verification._texts import digest, index_texts

Split = tuple[list[Problem], list[Truth]]
MakeProblem = Callable[[str, list[str], str], Problem]


def make(name: str, **parameters: Any) -> System[Any, Any, Any]:
    return make_system(SystemCall(task="verification", name=name, parameters=parameters))


def values(system: System[Any, Any, Any], problems: list[Problem]) -> np.ndarray:
    answers = system.answer(problems)
    return np.array([answers[problem.id].value for problem in problems])


def win_share(scores: np.ndarray, same: np.ndarray) -> float:
    """How often a "same" problem outscores a "different" one."""
    return float((scores[same][:, None] > scores[~same]).mean())


@pytest.mark.parametrize("name", ["ngram_cosine", "compression", "impostors"])
def test_beats_chance_clearly(name: str, train: Split, test: Split) -> None:
    system = make(name)
    system.fit(*train, seed=1)
    scores, same = values(system, test[0]), np.array([truth.same for truth in test[1]])
    assert win_share(scores, same) > 0.85
    assert ((scores > 0.5) == same)[scores != 0.5].mean() > 0.8


@pytest.mark.parametrize("name", ["constant", "ngram_cosine", "compression", "impostors", "fuzzy_c_means"])
def test_what_learns_needs_training(name: str, test: Split) -> None:
    with pytest.raises(NeedsTrainingError, match=name):
        make(name).fit([], [], seed=1)
    with pytest.raises(NeedsTrainingError, match=name):
        make(name).answer(test[0])


@pytest.mark.parametrize(
    ("same", "value"), [([True, False, True], 1.0), ([False, True, False], 0.0), ([True, False], 1.0)]
)
def test_constant_is_the_majority(same: list[bool], value: float, train: Split, test: Split) -> None:
    system = make("constant")
    system.fit(train[0][: len(same)], [Truth(same=one) for one in same], seed=1)
    assert set(values(system, test[0])) == {value}


def test_constant_of_ones_own_needs_no_training(test: Split) -> None:
    system = make("constant", value=0.25)
    assert set(values(system, test[0])) == {0.25}
    with pytest.raises(UsageError, match="value must lie in"):
        make("constant", value=1.5)


def test_random_is_uniform_and_follows_the_seed(make_problem: MakeProblem) -> None:
    problems = [make_problem(f"P{number}", [""], "") for number in range(2000)]
    first, second = make("random"), make("random")
    first.fit([], [], seed=1)
    second.fit([], [], seed=2)
    one, other = values(first, problems), values(second, problems)
    assert np.all(one != other)
    counts = np.histogram(one, bins=10, range=(0, 1))[0]
    assert np.all(np.abs(counts - 200) < 5 * np.sqrt(180))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.1


def test_ngram_cosine_of_identical_texts_is_highest(train: Split, make_problem: MakeProblem) -> None:
    system = make("ngram_cosine")
    system.fit(*train, seed=1)
    text = train[0][0].questioned.text
    assert values(system, [make_problem("X", [text, text], text)])[0] == pytest.approx(1.0)


def test_compression_is_silent_within_the_radius(train: Split, test: Split) -> None:
    outspoken = make("compression", radius=0.0)
    outspoken.fit(*train, seed=1)
    plain = values(outspoken, test[0])
    radius = float(np.median(np.abs(plain - 0.5)))
    reserved = make("compression", radius=radius)
    reserved.fit(*train, seed=1)
    rounded = values(reserved, test[0])
    near = np.abs(plain - 0.5) <= radius
    assert 0 < near.sum() < len(near)
    assert np.all(rounded[near] == 0.5)
    assert np.array_equal(rounded[~near], plain[~near])


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("ngram_cosine", "n", 0),
        ("compression", "order", -1),
        ("compression", "radius", 0.5),
        ("impostors", "share", 0.0),
        ("impostors", "pool", 0),
    ],
)
def test_senseless_parameters_are_refused(name: str, parameter: str, value: float) -> None:
    with pytest.raises(UsageError, match=parameter):
        make(name, **{parameter: value})


def test_impostors_are_the_nearest_strangers() -> None:
    pool = np.array([[1, 0], [0.9, 0.1], [0.5, 0.5], [0, 1]], dtype=np.float32)
    texts = np.array([[1, 0], [0.8, 0.2]], dtype=np.float32)
    chosen = impostors.choose_impostors(pool, texts, np.array([0]), 2)
    assert chosen.tolist() == [1, 2]
    assert impostors.choose_impostors(pool, texts, np.array([0, 1, 2, 3]), 2).tolist() == []


def test_impostors_never_meet_a_text_of_the_problem(
    train: Split, make_problem: MakeProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test problem made of training texts, under other ids: compared by text, they are its own."""
    system = make("impostors", impostors=10_000)
    system.fit(*train, seed=1)
    pool_digests = index_texts(train[0]).digests  # the pool is larger than this training set: it has all, in order
    met: list[set[bytes]] = []
    choose = impostors.choose_impostors

    def spy(*arguments: Any) -> Any:
        chosen = choose(*arguments)
        met.append({pool_digests[number] for number in chosen})
        return chosen

    monkeypatch.setattr(impostors, "choose_impostors", spy)
    known, questioned = train[0][3].questioned.text, train[0][5].known[0].text
    system.answer([make_problem("X", [known, "a text of its own"], questioned)])
    assert met == [set(pool_digests) - {digest(known), digest(questioned)}]


def test_the_pool_is_bounded(train: Split, test: Split) -> None:
    system = make("impostors", pool=5, impostors=3)
    system.fit(*train, seed=1)
    assert len(system._model.pool.rows) == 5  # type: ignore[attr-defined]
    assert np.all(np.isfinite(values(system, test[0])))


def test_texts_are_numbered_once(make_problem: MakeProblem) -> None:
    problems = [make_problem("A", ["one", "two"], "one"), make_problem("B", ["three"], "two")]
    index = index_texts(problems)
    assert list(index.texts()) == ["one", "two", "three"]
    assert [known.tolist() for known in index.known] == [[0, 1], [2]]
    assert index.questioned.tolist() == [0, 1]
