"""Where theory says which way a verification metric must move."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import COLUMNS, SIZES

import metrics

PAIRS = SIZES.flatmap(lambda n: st.tuples(COLUMNS["same"](n), COLUMNS["answer"](n)))
VERIFICATION = [m for m in metrics.catalogue().values() if m.columns == ("same", "answer")]


@given(PAIRS)
@pytest.mark.parametrize("metric", VERIFICATION, ids=str)
def test_gold_is_best(metric: metrics.Metric, pair: tuple) -> None:
    same, answer = pair
    assume(same.any() and not same.all())
    gold = metric(same, same.astype(float))
    assert gold == pytest.approx(1.0)
    assert metric(same, answer) <= gold + 1e-12


@given(PAIRS, st.integers(0, 29))
@pytest.mark.parametrize("name", ["c_at_1", "f_05_u", "f1", "brier", "auc"])
def test_putting_one_answer_right_never_hurts(name: str, pair: tuple, position: int) -> None:
    same, answer = pair
    assume(same.any() and not same.all())
    better = answer.copy()
    better[position % len(same)] = float(same[position % len(same)])
    metric = metrics.get(name)
    if name == "f1":  # F1 drops the unanswered: answering one more positive rightly helps, a negative changes nothing
        assume(same[position % len(same)] or answer[position % len(same)] > 0.5)
    assert metric(same, better) >= metric(same, answer) - 1e-12


@given(PAIRS)
def test_auc_depends_on_the_order_of_scores_alone(pair: tuple) -> None:
    same, answer = pair
    assume(same.any() and not same.all())
    ranks = np.unique(answer, return_inverse=True)[1] / 100
    assert metrics.auc(same, ranks) == pytest.approx(metrics.auc(same, answer))
    assert metrics.auc(same, -answer) == pytest.approx(1 - metrics.auc(same, answer))


@given(PAIRS)
def test_c_at_1_is_accuracy_when_everything_is_answered(pair: tuple) -> None:
    same, answer = pair
    answered = np.where(answer == 0.5, 0.6, answer)
    assert metrics.c_at_1(same, answered) == pytest.approx(np.mean((answered > 0.5) == same))
