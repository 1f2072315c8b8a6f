"""What holds for every metric there is: nobody is named here, a new metric is tested without being added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import columns_for

import metrics
from metrics.uncertainty import bootstrap_weights

ALL = list(metrics.catalogue().values())
every_metric = pytest.mark.parametrize("metric", ALL, ids=str)


def value_of(metric: metrics.Metric, columns: tuple) -> float:
    return float(metric.resampled(columns, None)[0])


@every_metric
@given(data=st.data())
def test_values_lie_within_the_declared_bounds(metric: metrics.Metric, data: st.DataObject) -> None:
    value = value_of(metric, data.draw(columns_for(metric)))
    low, high = metric.bounds
    assert np.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@every_metric
@given(data=st.data())
def test_the_order_of_problems_means_nothing(metric: metrics.Metric, data: st.DataObject) -> None:
    columns = data.draw(columns_for(metric))
    order = data.draw(st.permutations(range(len(columns[0]))))
    moved = tuple(column[list(order)] for column in columns)
    assert value_of(metric, moved) == pytest.approx(value_of(metric, columns), abs=1e-12, nan_ok=True)


@every_metric
@given(data=st.data())
@settings(max_examples=30)
def test_resampling_equals_scoring_the_drawn_problems(metric: metrics.Metric, data: st.DataObject) -> None:
    columns = data.draw(columns_for(metric))
    (weights,) = bootstrap_weights(len(columns[0]), resamples=5, seed=data.draw(st.integers(0, 99)))
    drawn = [np.repeat(np.arange(len(row)), row.astype(int)) for row in weights]
    expected = [value_of(metric, tuple(column[rows] for column in columns)) for rows in drawn]
    np.testing.assert_allclose(metric.resampled(columns, weights), expected, atol=1e-9)


@every_metric
def test_the_declaration_is_complete(metric: metrics.Metric) -> None:
    assert metric.name.isidentifier()
    assert metric.summary
    assert metric.cite
    assert metric.bounds[0] < metric.bounds[1]
    for behaviour in (metric.empty, metric.single_class, metric.nan, metric.unanswered, metric.undefined):
        assert behaviour
    for parameter in metric.parameters.values():
        assert parameter.doc


@every_metric
def test_the_canonical_text_parses_back(metric: metrics.Metric) -> None:
    assert metrics.get(str(metric)).signature == metric.signature
    for name, parameter in metric.parameters.items():
        for choice in parameter.choices:
            changed = metric.with_(**{name: choice})
            assert metrics.get(str(changed)).signature == changed.signature


@every_metric
def test_nothing_to_score_is_an_error_not_a_number(metric: metrics.Metric) -> None:
    with pytest.raises(metrics.UndefinedMetricError):
        metric(*(np.array([]) for _ in metric.columns))


@every_metric
def test_columns_of_unequal_length_are_refused(metric: metrics.Metric) -> None:
    lengths = range(1, len(metric.columns) + 1)
    with pytest.raises(metrics.MetricError, match="length"):
        metric(*(np.zeros(n) for n in lengths))


@every_metric
def test_an_unknown_parameter_is_refused_by_name(metric: metrics.Metric) -> None:
    with pytest.raises(metrics.MetricError, match="nonsense"):
        metric.with_(nonsense=1)


def test_all_names_exactly_what_is_public() -> None:
    public = {name for name, value in vars(metrics).items() if getattr(value, "__module__", "").startswith("metrics")}
    public |= set(metrics.catalogue())
    assert {name for name in public if not name.startswith("_")} == set(metrics.__all__)


def test_an_unknown_metric_gets_a_hint() -> None:
    with pytest.raises(metrics.MetricError, match="did you mean 'c_at_1'"):
        metrics.get("c_at_2")
