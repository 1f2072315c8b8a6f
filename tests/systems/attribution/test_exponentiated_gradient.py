"""The updates against a literal, slow reading of Figures 1 to 3; the features of messages; the system around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from harness.errors import UsageError
from harness.records import SystemCall
from harness.registry import make_system
from systems.attribution import _eg
from systems.attribution._email_features import LEXICON, capitalisation, extract_features, feature_names
from systems.attribution.exponentiated_gradient import ExponentiatedGradient
from systems.text.net_abbreviations import NET_ABBREVIATIONS

VARIANTS = [
    ("one_vs_all", "naive"),
    ("one_vs_all", "ultraconservative"),
    ("all_vs_all", "naive"),
    ("all_vs_all", "all_pairs"),
    ("all_vs_all", "rows"),
]


class Model:
    """w+ and w- of the paper, w- negative, one feature at a time."""

    def __init__(self, size: int) -> None:
        self.plus, self.minus = [1.0] * size, [-1.0] * size

    def __matmul__(self, x: list[float]) -> float:
        total = 0.0
        for plus, minus, value in zip(self.plus, self.minus, x, strict=True):
            total += (plus + minus) * value
        return total

    def update(self, x: list[float], direction: int, factor: Callable[[float], float]) -> None:
        for i, value in enumerate(x):
            self.plus[i] *= factor(value) ** direction
            self.minus[i] *= factor(value) ** -direction

    def normalise(self) -> None:
        for weights in (self.plus, self.minus):
            least = 0.000001 * abs(sum(weights))
            weights[:] = [weight if abs(weight) >= least else 0.0 for weight in weights]
            total = abs(sum(weights))
            weights[:] = [weight / total for weight in weights]

    def weights(self) -> list[float]:
        return [plus + minus for plus, minus in zip(self.plus, self.minus, strict=True)]


def naive_one_vs_all(m: Any, x: list[float], c: int, n: int, promote: Any, demote: Any) -> None:
    for i in range(n):
        if i != c and m[i] @ x > 0:
            demote(m[i], x)
        if i == c and m[i] @ x <= 0:
            promote(m[i], x)


def one_vs_all(m: Any, x: list[float], c: int, n: int, promote: Any, demote: Any) -> None:
    for i in range(n):
        if i != c and m[i] @ x >= m[c] @ x:
            demote(m[i], x)
            promote(m[c], x)


def naive_all_vs_all(m: Any, x: list[float], c: int, n: int, promote: Any, demote: Any) -> None:
    for i in range(n):
        if i == c:
            continue
        if m[i, c] @ x > 0:
            demote(m[i, c], x)
        if m[c, i] @ x <= 0:
            promote(m[c, i], x)


def all_vs_all(m: Any, x: list[float], c: int, n: int, promote: Any, demote: Any) -> None:
    for i in range(n):
        for j in range(n):
            if c not in (i, j) and m[i, c] @ x >= m[c, j] @ x:
                demote(m[i, c], x)
                promote(m[c, j], x)


def row_vs_row(m: Any, x: list[float], c: int, n: int, promote: Any, demote: Any) -> None:
    def row(i: int) -> float:
        return sum(m[i, j] @ x for j in range(n) if j != i)

    for i in range(n):
        if i != c and row(i) >= row(c):
            for j in range(n):
                if j != i:
                    demote(m[i, j], x)
            for j in range(n):
                if j != c:
                    promote(m[c, j], x)


LITERAL = dict(zip(VARIANTS, (naive_one_vs_all, one_vs_all, naive_all_vs_all, all_vs_all, row_vs_row), strict=True))


def literal(
    variant: tuple[str, str], rows: np.ndarray, labels: np.ndarray, n: int, passes: int, factor: Any, seed: int
) -> dict[Any, Model]:
    """MultiClassLearn of Figure 1."""
    size = rows.shape[1]
    keys: list[Any] = list(range(n))
    if variant[0] == "all_vs_all":
        keys = [(i, j) for i in range(n) for j in range(n) if i != j]
    models = {key: Model(size) for key in keys}
    random = np.random.default_rng(seed)
    for _ in range(passes):
        for example in random.permutation(len(rows)):
            LITERAL[variant](
                models,
                rows[example].tolist(),
                int(labels[example]),
                n,
                lambda model, x: model.update(x, 1, factor),
                lambda model, x: model.update(x, -1, factor),
            )
        for model in models.values():
            model.normalise()
    return models


def literal_scores(models: dict[Any, Model], rows: np.ndarray, n: int, combine: str) -> np.ndarray:
    together = {"vote": sum, "min": min, "max": max}[combine]
    if (0, 1) not in models:
        return np.array([[models[i] @ x for i in range(n)] for x in rows.tolist()])
    return np.array(
        [[together([models[i, j] @ x for j in range(n) if j != i]) for i in range(n)] for x in rows.tolist()]
    )


def made_up(seed: int, n: int, documents: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n), random.integers(0, n, documents - n)])
    habits = random.random((n, size)) ** 3
    rows = random.poisson(4 * habits[labels]).astype(float)
    rows[:, 0] += random.random(documents)  # no two texts alike: exact ties of different sums are not the question
    rows = rows[:, rows.any(axis=0)]  # the system leaves features out that no text has
    return rows / np.maximum(rows.sum(axis=1, keepdims=True), 1), labels


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 4), rule=st.sampled_from(["linear", "exponential"]))
def test_equal_to_the_literal_algorithm(variant: tuple[str, str], seed: int, n: int, rule: str) -> None:
    rows, labels = made_up(seed, n, documents=14, size=9)
    factor = (lambda x: 1 + 2 * x) if rule == "linear" else (lambda x: 3**x)
    slow = literal(variant, rows, labels, n, 4, factor, seed)
    for combine in ("vote", "min", "max") if variant[0] == "all_vs_all" else ("vote",):
        system = ExponentiatedGradient(
            scheme=variant[0], update=variant[1], combine=combine, passes=4, rule=rule, scale="frequency"
        )
        system.fit_features(sparse.csr_array(rows), labels, [str(i) for i in range(n)], seed=seed)
        expected = literal_scores(slow, rows, n, combine)
        assert system.score_features(sparse.csr_array(rows)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant[1] != "rows"])
def test_weights_equal_the_literal_ones(variant: tuple[str, str]) -> None:
    rows, labels = made_up(5, 3, documents=30, size=12)
    slow = literal(variant, rows, labels, 3, 10, lambda x: 1 + 2 * x, 8)
    train = _eg.train_one_vs_all if variant[0] == "one_vs_all" else _eg.train_all_vs_all
    examples = sparse.csr_array(rows)
    fast = train(
        examples,
        labels,
        3,
        conservative=variant[1] != "naive",
        factors=_eg.promotion_factors(examples.data, beta=2.0, linear=True),
        passes=10,
        random=np.random.default_rng(8),
    )
    for key, model in slow.items():
        number = key if isinstance(key, int) else 3 * key[0] + key[1]
        assert fast.weights[number] == pytest.approx(model.weights(), abs=1e-9)


def test_comparisons_see_the_updates_before_them() -> None:
    """With every score tied at 0, three offenders: the second no longer offends once the first has been dealt with."""
    examples = sparse.csr_array(np.array([[1.0]]))
    arguments = {"factors": np.array([3.0]), "passes": 1, "random": np.random.default_rng(0)}
    rows = _eg.train_one_vs_all(examples, np.array([0]), 4, conservative=True, **arguments)
    assert rows.updates == (2,)
    pairs = _eg.train_all_vs_all(examples, np.array([0]), 3, conservative=True, **arguments)
    # i=1: j=1 ties, j=2 no longer (-8/3 < 0); i=2: j=1 no longer, j=2 ties at 0.
    assert pairs.updates == (4,)


def test_ties_update_or_nothing_would_be_learnt() -> None:
    rows, labels = made_up(1, 3, documents=20, size=6)
    for scheme, update in VARIANTS:
        system = ExponentiatedGradient(scheme=scheme, update=update)
        system.fit_features(sparse.csr_array(rows), labels, list("abc"), seed=0)
        scores = system.score_features(sparse.csr_array(rows))
        assert (scores.argmax(axis=1) == labels).mean() > 0.5


def test_normalising_keeps_both_parts_positive_and_drops_the_smallest() -> None:
    pairs = np.ones((1, 4, 2))
    pairs[0, :, 0] = [2e-6, 0.5e-6, 0.6, 0.4]
    _eg.normalise(pairs)
    assert pairs[0, :, 0] == pytest.approx([2e-6, 0, 0.6, 0.4], rel=1e-5)
    assert pairs[0, 1, 0] == 0
    assert pairs[0, :, 1] == pytest.approx([0.25] * 4)


def test_weights_stay_finite_on_contradictions() -> None:
    examples = sparse.csr_array(np.ones((400, 1)))
    labels = np.arange(400) % 20
    for train in (_eg.train_one_vs_all, _eg.train_all_vs_all):
        factors = np.full(400, 1e9)
        models = train(
            examples, labels, 20, conservative=True, factors=factors, passes=3, random=np.random.default_rng(0)
        )
        assert np.isfinite(models.weights).all()


def test_training_stops_where_nothing_changes_any_more() -> None:
    examples = sparse.csr_array(np.eye(3))
    arguments: dict[str, Any] = {"conservative": True, "factors": np.full(3, 3.0)}
    short, long = (
        _eg.train_one_vs_all(examples, np.arange(3), 3, passes=passes, random=np.random.default_rng(0), **arguments)
        for passes in (20, 200)
    )
    assert short.updates[-1] == 0
    assert len(short.updates) < 20
    assert np.array_equal(short.weights, long.weights)


def test_rows_are_one_vs_all_and_a_zero_diagonal_is_not() -> None:
    rows, labels = made_up(3, 4, documents=40, size=10)
    examples = sparse.csr_array(rows)

    def scores(**parameters: Any) -> np.ndarray:
        system = ExponentiatedGradient(**parameters)
        system.fit_features(examples, labels, list("abcd"), seed=2)
        return system.score_features(examples)

    plain = scores(scheme="one_vs_all", update="ultraconservative")
    by_rows = {"scheme": "all_vs_all", "update": "rows"}
    for combine, factor in (("vote", 3), ("min", 1), ("max", 1)):
        assert scores(**by_rows, combine=combine) == pytest.approx(factor * plain)
    assert np.array_equal(scores(**by_rows, combine="min", zero_diagonal=True), np.minimum(plain, 0))
    assert np.array_equal(scores(**by_rows, combine="max", zero_diagonal=True), np.maximum(plain, 0))


def test_features_are_divided_by_their_greatest_value_in_training() -> None:
    rows, labels = made_up(3, 3, documents=30, size=10)
    greatest = rows[:20].max(axis=0)
    rows, greatest = rows[:, greatest > 0], greatest[greatest > 0]

    def scores(scale: str, divisor: np.ndarray) -> np.ndarray:
        system = ExponentiatedGradient(scale=scale)
        system.fit_features(sparse.csr_array(rows[:20] / divisor), labels[:20], list("abc"), seed=2)
        return system.score_features(sparse.csr_array(rows[20:] / divisor))

    assert scores("greatest", np.ones(len(greatest))) == pytest.approx(scores("frequency", greatest))
    assert scores("greatest", np.ones(len(greatest))) != pytest.approx(scores("frequency", np.ones(len(greatest))))


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"scheme": "one_vs_one"}, "scheme must be one of one_vs_all, all_vs_all, not 'one_vs_one'"),
        ({"update": "rows"}, "update of one_vs_all must be one of naive, ultraconservative, not 'rows'"),
        (
            {"scheme": "all_vs_all", "update": "ultraconservative"},
            "update of all_vs_all must be one of naive, all_pairs, rows",
        ),
        ({"combine": "min"}, "combine=min is for scheme=all_vs_all"),
        ({"scheme": "all_vs_all", "update": "rows", "combine": "mean"}, "combine must be one of vote, min, max"),
        ({"zero_diagonal": True}, "zero_diagonal is for scheme=all_vs_all"),
        ({"rule": "other"}, "rule must be one of linear, exponential"),
        ({"scale": "none"}, "scale must be one of greatest, frequency"),
        ({"beta": 0.0}, "beta must be greater than 0"),
        ({"beta": float("nan")}, "beta must be greater than 0"),
        ({"passes": 0}, "passes must be at least 1"),
    ],
)
def test_senseless_combinations_are_refused(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make_system(SystemCall(task="attribution", name="exponentiated_gradient", parameters=parameters))


TEXT = "Subject: Re: BTW\nHello, I don’t know.\nthe end IMHO\n\nThe TeXt paragraph"


def features_of(text: str) -> dict[str, float]:
    row = extract_features([text]).toarray()[0]
    return {name: value for name, value in zip(feature_names(), row, strict=True) if value}


def test_features_of_a_message() -> None:
    found = features_of(TEXT)
    tokens = 15  # Re : BTW | Hello , I don’t know . | the end IMHO | The TeXt paragraph
    times = {name: value * tokens for name, value in found.items() if not name.startswith("line of")}
    expected = {"re": 1, "btw": 1, "i": 1, "don't": 1, "imho": 1, "the": 2}
    expected |= {"re, capitalised": 1, "btw, upper": 1, "i, capitalised": 1, "don't, lower": 1, "imho, upper": 1}
    expected |= {"the, lower": 1, "the, capitalised": 1, "re, subject": 1, "btw, subject": 1, "i, other": 1}
    expected |= {"don't, other": 1, "imho, other": 1, "the, line start": 1, "the, paragraph start": 1}
    cases = {"capitalised": 4, "lower": 5, "upper": 2, "mixed": 1, "punctuation": 3}
    places = {"subject": 3, "line start": 1, "paragraph start": 2, "other": 9}
    expected |= {f"case: {case}": count for case, count in cases.items()}
    expected |= {f"place: {place}": count for place, count in places.items()}
    expected |= {"word of 1": 4, "word of 2": 1, "word of 3": 4, "word of 4": 3, "word of 5": 2, "word of 9": 1}
    know = {name for name in ("know", "end", "hello") if name in LEXICON}
    ignored = {name for name in times if name.split(",")[0] in know}
    assert {name: value for name, value in times.items() if name not in ignored} == pytest.approx(expected)
    lines = {name: value for name, value in found.items() if name.startswith("line of")}
    assert lines == pytest.approx({"line of 20 to 24": 1 / 3, "line of 10 to 14": 1 / 3, "line of 15 to 19": 1 / 3})


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("Word", "capitalised"),
        ("I", "capitalised"),
        ("word", "lower"),
        ("b4", "lower"),
        ("WORD", "upper"),
        ("N2S", "upper"),
        ("WoRd", "mixed"),
        ("iPhone", "mixed"),
        ("1993", "number"),
        ("...", "punctuation"),
        ("_", "punctuation"),
        ("\ud800", "punctuation"),
    ],
)
def test_capitalisation(token: str, kind: str) -> None:
    assert capitalisation(token) == kind


def test_texts_do_not_touch_each_other() -> None:
    texts = [TEXT, "", "Another text.\n\nIt has two paragraphs;\nBTW.", "  \n\n", "x" * 300]
    together = extract_features(texts)
    assert together.shape == (5, len(feature_names()))
    for place, text in enumerate(texts):
        assert np.array_equal(together[[place]].toarray(), extract_features([text]).toarray())
    assert together[[1]].nnz == together[[3]].nnz == 0
    assert extract_features([]).shape == (0, len(feature_names()))


def test_word_lists_are_lower_case_single_tokens() -> None:
    assert len(NET_ABBREVIATIONS) >= 190
    assert len(feature_names()) == len(set(feature_names()))
    for item in LEXICON:
        assert features_of(item)[item] == pytest.approx(1.0)
