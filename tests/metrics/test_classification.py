"""Classification measures against PAN's evaluators, scikit-learn and their own declarations."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from metrics import classification as c
from metrics.metric import Metric, MetricError, MetricParameterError, UndefinedMetricError, as_column

ORACLES = Path(__file__).parents[1] / "oracles"
CASES: list[dict[str, Any]] = json.loads((ORACLES / "pan_attribution.json").read_text(encoding="utf-8"))
ALL = [value for value in vars(c).values() if isinstance(value, Metric)]


def columns_of(case: dict[str, Any], problem: str = "p") -> tuple[list[str], list[str], list[str]]:
    """Aligned columns; the first of two answers holds and a missing one is empty, as PAN reads them."""
    answers: dict[str, str] = {}
    for line in case["answers"]:
        answers.setdefault(line["unknown-text"], line["predicted-author"])
    truth = case["ground_truth"]
    return list(truth.values()), [answers.get(text, "") for text in truth], [problem] * len(truth)


@pytest.mark.parametrize("case", CASES)
def test_pan_2018(case: dict[str, Any]) -> None:
    measures = (c.macro_f1_2018, c.macro_precision_2018, c.macro_recall_2018, c.accuracy_2018)
    assert [m(*columns_of(case)) for m in measures] == pytest.approx(case["pan18_f1_p_r_acc"], abs=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_pan_2019(case: dict[str, Any]) -> None:
    measures = (c.macro_f1_2019, c.macro_precision_2019, c.macro_recall_2019)
    unrounded = [m.with_(rounded=False)(*columns_of(case)) for m in measures]
    assert unrounded == pytest.approx(case["pan19_f1_p_r"], abs=1e-14)
    assert [m(*columns_of(case)) for m in measures] == [round(value, 3) for value in case["pan19_f1_p_r"]]


@pytest.mark.parametrize("case", CASES)
def test_pan_2015_is_the_harmonic_mean(case: dict[str, Any]) -> None:
    _, precision, recall, _ = case["pan18_f1_p_r_acc"]
    harmonic = 2 * precision * recall / (precision + recall)
    assert c.macro_f1_2015(*columns_of(case)) == pytest.approx(harmonic, abs=1e-14)


def test_overall_is_the_mean_over_problems_and_2019_rounds_each() -> None:
    parts = [columns_of(case, problem=str(number)) for number, case in enumerate(CASES)]
    label, predicted, problem = (list(chain(*column)) for column in zip(*parts, strict=True))
    f1_2018 = [case["pan18_f1_p_r_acc"][0] for case in CASES]
    rounded = [round(case["pan19_f1_p_r"][0], 3) for case in CASES]
    assert c.macro_f1_2018(label, predicted, problem) == pytest.approx(np.mean(f1_2018), abs=1e-14)
    assert c.macro_f1_2019(label, predicted, problem) == pytest.approx(np.mean(rounded), abs=1e-14)
    unrounded = np.mean([case["pan19_f1_p_r"][0] for case in CASES])
    assert c.macro_f1_2019(label, predicted, problem) != pytest.approx(unrounded, abs=1e-6)


AUTHORS = st.sampled_from(["ann", "bob", "cy", c.UNKNOWN])
ROWS = st.lists(st.tuples(AUTHORS, AUTHORS | st.just("") | st.just("ghost"), st.sampled_from("xy")), min_size=1)


@given(rows=ROWS)
def test_macro_equals_scikit_learn_over_the_labels_of_the_truth(rows: list[tuple[str, str, str]]) -> None:
    label, predicted, _ = zip(*rows, strict=True)
    settings: dict[str, Any] = {"labels": sorted(set(label)), "average": "macro", "zero_division": 0}
    assert c.macro_f1(label, predicted) == pytest.approx(f1_score(label, predicted, **settings))
    assert c.macro_precision(label, predicted) == pytest.approx(precision_score(label, predicted, **settings))
    assert c.macro_recall(label, predicted) == pytest.approx(recall_score(label, predicted, **settings))


@given(rows=ROWS)
def test_authors_summarised(rows: list[tuple[str, str, str]]) -> None:
    label, predicted, _ = zip(*rows, strict=True)
    names = sorted(set(label))
    each = f1_score(label, predicted, labels=names, average=None, zero_division=0)
    assert c.per_author_f1(label, predicted) == pytest.approx(dict(zip(names, each, strict=True)))
    assert c.min_f1(label, predicted) == pytest.approx(each.min())
    assert c.max_f1(label, predicted) == pytest.approx(each.max())
    assert c.std_f1(label, predicted) == pytest.approx(each.std())
    if len(each) > 1:
        assert c.std_f1.with_(ddof=1)(label, predicted) == pytest.approx(each.std(ddof=1))


@pytest.mark.parametrize("metric", ALL, ids=str)
@given(rows=ROWS, data=st.data())
def test_weights_are_repetitions(metric: Metric, rows: list[tuple[str, str, str]], data: st.DataObject) -> None:
    columns = tuple(as_column(list(column)) for column in zip(*rows, strict=True))[: len(metric.columns)]
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    if times.sum() == 0:
        return
    repeated = tuple(np.repeat(column, times) for column in columns)
    again = metric.resampled(columns, times[None, :].astype(float))
    assert again == pytest.approx(metric.resampled(repeated, None), nan_ok=True)


@pytest.mark.parametrize("metric", ALL, ids=str)
@given(rows=ROWS)
def test_bounds_order_and_gold(metric: Metric, rows: list[tuple[str, str, str]]) -> None:
    columns = tuple(as_column(list(column)) for column in zip(*rows, strict=True))[: len(metric.columns)]
    value = metric.resampled(columns, None)[0]
    assert np.isnan(value) or metric.bounds[0] <= value <= metric.bounds[1]
    backwards = tuple(column[::-1] for column in columns)
    assert metric.resampled(backwards, None)[0] == pytest.approx(value, nan_ok=True)
    gold = metric.resampled((columns[0], columns[0], *columns[2:]), None)[0]
    assert np.isnan(gold) or gold == (0.0 if metric.direction == "min" else 1.0)


def test_micro_with_unanswered_texts() -> None:
    label, predicted = ["a", "a", "b", "b"], ["a", None, "", "a"]
    assert c.accuracy(label, predicted) == 0.25
    assert c.micro_recall(label, predicted) == 0.25
    assert c.micro_precision(label, predicted) == 0.5
    assert c.micro_f1(label, predicted) == pytest.approx(1 / 3)
    assert c.micro_precision(label, [None] * 4) == 0.0


def test_paper_reports_an_author_never_predicted_as_zero() -> None:
    assert c.per_author_f1(["a", "b", "b"], ["b", "b", "b"]) == {"a": 0.0, "b": 0.8}
    assert c.min_f1(["a", "b", "b"], ["b", "b", "b"]) == 0.0


def test_unanswered_is_right_in_2018_where_the_truth_is_unknown() -> None:
    label, predicted, problem = ["a", "<UNK>"], ["a", ""], ["p", "p"]
    assert c.macro_f1_2018(label, predicted, problem) == 1.0
    assert c.macro_f1(label, predicted) == 0.5


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_refusals(metric: Metric) -> None:
    problem = [["p"]] if len(metric.columns) == 3 else []
    with pytest.raises(MetricError, match="label must be a text, not nan, in row 0"):
        metric(as_column([np.nan]).astype(object), ["a"], *problem)
    with pytest.raises(MetricError, match="label must be a text, not '', in row 0"):
        metric([""], ["a"], *problem)
    with pytest.raises(MetricError, match="predicted must be a text, not 3, in row 0"):
        metric(["a"], [3], *problem)
    with pytest.raises(UndefinedMetricError, match="nothing to score"):
        metric(*[[]] * len(metric.columns))


def test_undefined() -> None:
    with pytest.raises(UndefinedMetricError, match="no text by a candidate"):
        c.macro_f1_2019(["<UNK>"], ["a"], ["p"])
    with pytest.raises(UndefinedMetricError, match="two authors"):
        c.std_f1.with_(ddof=1)(["a"], ["a"])
    with pytest.raises(MetricParameterError, match="ddof must be one of 0, 1"):
        c.std_f1.with_(ddof=2)
