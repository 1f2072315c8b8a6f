"""Paired tests against scipy.stats on random data, against exact enumeration, and at their edges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics import auc, c_at_1, overall
from metrics.bleu import bleu
from metrics.classification import accuracy, macro_f1
from metrics.detection import min_c_det
from metrics.metric import Metric, MetricError, as_column
from metrics.significance import (
    approximate_randomisation,
    holm,
    micro_sign_test,
    paired_t_test,
    sign_test,
    wilcoxon_test,
)

SEEDS = range(12)


def two_systems(seed: int, size: int = 40) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    first = generator.random(size)
    return first, np.clip(first + generator.normal(0.03 * (seed % 3), 0.2, size), 0, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_t_test(seed: int) -> None:
    first, second = two_systems(seed)
    assert paired_t_test(first, second) == pytest.approx(stats.ttest_rel(first, second).pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [8, 40, 120])
def test_wilcoxon(seed: int, size: int) -> None:
    first, second = two_systems(seed, size)
    assert wilcoxon_test(first, second) == pytest.approx(stats.wilcoxon(first, second).pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_wilcoxon_drops_ties(seed: int) -> None:
    first, second = two_systems(seed)
    second[::4] = first[::4]
    differ = first != second
    with_ties = wilcoxon_test(first, second)
    assert with_ties == pytest.approx(stats.wilcoxon(first, second, zero_method="wilcox").pvalue, rel=1e-12)
    assert with_ties == pytest.approx(stats.wilcoxon(first[differ], second[differ], method="approx").pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_sign_test_drops_ties(seed: int) -> None:
    first, second = (np.round(values, 1) for values in two_systems(seed))
    wins, losses = int((first > second).sum()), int((first < second).sum())
    assert wins + losses < len(first)
    assert sign_test(first, second) == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_micro_sign_test_counts_decisions_where_one_is_right(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.random(50) < 0.7, generator.random(50) < 0.5
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    expected = stats.binomtest(only_first, only_first + only_second).pvalue
    assert micro_sign_test(first, second) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("test", [paired_t_test, wilcoxon_test, sign_test, micro_sign_test])
def test_systems_that_never_differ(test: object) -> None:
    assert callable(test)
    values = np.array([1.0, 0.0, 1.0])
    assert test(values, values) == 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_randomisation_of_a_mean_approaches_scipy(seed: int) -> None:
    generator = np.random.default_rng(seed)
    label = as_column(list(generator.choice(["a", "b"], 60)))
    first, second = (
        np.where(generator.random(60) < right, label, "c").astype(object) for right in (0.6, 0.6 + 0.05 * (seed % 4))
    )
    trials = 4000
    ours = approximate_randomisation(accuracy, (label, first), (label, second), trials=trials, seed=seed)

    def difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(np.abs(x.mean(axis=axis) - y.mean(axis=axis)))

    theirs = stats.permutation_test(
        ((first == label).astype(float), (second == label).astype(float)),
        difference,
        permutation_type="samples",
        alternative="greater",
        n_resamples=trials,
        vectorized=True,
        rng=np.random.default_rng(seed),
    ).pvalue
    assert ours == pytest.approx(theirs, abs=5 * np.sqrt(0.25 / trials) * np.sqrt(2))


METRICS: list[tuple[Metric, tuple[list[object], ...], tuple[list[object], ...]]] = [
    (c_at_1, ([1, 0, 1, 0, 1, 1],), ([0.9, 0.2, 0.5, 0.6, 0.3, 0.8], [0.4, 0.3, 0.6, 0.7, 0.5, 0.2])),
    (auc, ([1, 0, 1, 0, 1, 1],), ([0.9, 0.2, 0.5, 0.6, 0.3, 0.8], [0.4, 0.3, 0.6, 0.7, 0.5, 0.2])),
    (overall, ([1, 0, 1, 0, 1, 1],), ([0.9, 0.2, 0.5, 0.6, 0.3, 0.8], [0.4, 0.3, 0.6, 0.7, 0.5, 0.2])),
    (macro_f1, (list("aabbca"),), (list("aabbcc"), list("abbaca"))),
    (min_c_det, ([True, False, True, False, False],), ([0.9, 0.1, 0.6, 0.7, 0.2], [0.3, 0.4, 0.6, 0.1, 0.8])),
]


@pytest.mark.parametrize(("metric", "truth", "answers"), METRICS, ids=lambda value: str(getattr(value, "name", "")))
def test_randomisation_approaches_the_exact_test(
    metric: Metric, truth: tuple[list[object], ...], answers: tuple[list[object], ...]
) -> None:
    """All swaps of the two systems' answers, each scored from scratch."""
    column = as_column(truth[0])
    first, second = (as_column(answer) for answer in answers)

    def difference(swap: np.ndarray) -> float:
        return abs(metric(column, np.where(swap, second, first)) - metric(column, np.where(swap, first, second)))

    swaps = [np.array(swap, dtype=bool) for swap in product([False, True], repeat=len(column))]
    observed = difference(swaps[0])
    exact = np.mean([difference(swap) >= observed - 1e-12 for swap in swaps])
    trials = 4000
    found = approximate_randomisation(metric, (column, first), (column, second), trials=trials, seed=1)
    assert found == pytest.approx(exact, abs=5 * np.sqrt(0.25 / trials))


def test_randomisation_of_texts() -> None:
    references = as_column([["the cat sat on the mat"], ["a dog ran in the park today"], ["it is raining hard again"]])
    good = as_column([texts[0] for texts in references])
    bad = as_column(["nothing here fits"] * 3)
    assert approximate_randomisation(bleu, (good, references), (bad, references), trials=999) == pytest.approx(
        0.25, abs=0.08
    )
    assert approximate_randomisation(bleu, (good, references), (good, references), trials=99) == 1.0


def test_randomisation_edges() -> None:
    label, right, wrong = (as_column([text] * 200) for text in "aab")
    found = approximate_randomisation(accuracy, (label, right), (label, wrong), trials=999)
    assert found == 1 / 1000
    again = approximate_randomisation(accuracy, (label, right), (label, wrong), trials=999, seed=5)
    assert again == found
    with pytest.raises(MetricError, match="same problems"):
        approximate_randomisation(accuracy, (label, right), (label[:5], wrong[:5]))
    one_class = np.ones(4), np.linspace(0, 1, 4)
    assert np.isnan(approximate_randomisation(auc, one_class, one_class))


def test_randomisation_does_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = two_systems(4)
    same = first > 0.5
    whole = approximate_randomisation(auc, (same, first), (same, second), trials=300)
    monkeypatch.setattr("metrics.significance._CHUNK", 700)
    assert approximate_randomisation(auc, (same, first), (same, second), trials=300) == whole


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(p_values=P_VALUES)
def test_holm_is_the_step_down_procedure(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for position, index in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
            if p_values[index] * (len(p_values) - position) > level:
                break
            rejected.add(index)
        assert {index for index, value in enumerate(corrected) if value <= level} == rejected
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected, strict=True))


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
