"""Detection costs, their minima and DET curves against definitions written out in loops, and against NIST's sweep."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtri

from metrics import detection as d
from metrics.det import DetCurve, det_curve, normal_deviate
from metrics.det_figure import det_figure, save_det_figure
from metrics.metric import Metric, MetricError, UndefinedMetricError, as_column
from metrics.nist_files import NistError, Trial
from metrics.nist_sweep import Costs, block_sweep, pooled_sweep
from metrics.uncertainty import bootstrap, jackknife

ALL = [value for value in vars(d).values() if isinstance(value, Metric)]
SCORED = [metric for metric in ALL if "score" in metric.columns]
NIST = [d.min_c_det_nist, d.topic_min_c_det_nist]

Pair = tuple[bool, float, str]
SCORE = st.integers(-3, 3).map(float) | st.sampled_from([np.inf, -np.inf, 0.5, 2e8])
PAIRS: st.SearchStrategy[list[Pair]] = st.lists(
    st.tuples(st.booleans(), SCORE, st.sampled_from(["x", "y", "z"])), min_size=2, max_size=14
).filter(lambda pairs: len({target for target, _, _ in pairs}) == 2)


def columns(pairs: list[Pair], metric: Metric | None = None) -> tuple[np.ndarray, ...]:
    target, score, block = (as_column(list(column)) for column in zip(*pairs, strict=True))
    every = {"target": target, "score": score, "decision": score > 0, "block": block}
    names = metric.columns if metric else ("target", "score", "block")
    return tuple(every[name] for name in names)


def rates_at(pairs: list[Pair], threshold: float) -> tuple[float, float]:
    """P_miss and P_fa when only scores above the threshold are accepted."""
    missed = [score <= threshold for target, score, _ in pairs if target]
    accepted = [score > threshold for target, score, _ in pairs if not target]
    return float(np.mean(missed)), float(np.mean(accepted))


def topic_rates_at(pairs: list[Pair], threshold: float) -> tuple[float, float]:
    misses, alarms = [], []
    for block in {pair[2] for pair in pairs}:
        missed = [score <= threshold for target, score, b in pairs if target and b == block]
        accepted = [score > threshold for target, score, b in pairs if not target and b == block]
        misses += [np.mean(missed)] if missed else []
        alarms += [np.mean(accepted)] if accepted else []
    return float(np.mean(misses)), float(np.mean(alarms))


def thresholds(pairs: list[Pair]) -> list[float]:
    """Accept all, then each distinct score; a threshold below minus infinity stands for the first."""
    return sorted({score for _, score, _ in pairs})


def all_points(pairs: list[Pair], rates: object = rates_at) -> list[tuple[float, float]]:
    assert callable(rates)
    return [(0.0, 1.0), *(rates(pairs, threshold) for threshold in thresholds(pairs))]


def norm_cost(p_miss: float, p_fa: float) -> float:
    return (1.0 * p_miss * 0.02 + 0.1 * p_fa * 0.98) / 0.02


@given(pairs=PAIRS)
def test_minimum_is_the_least_over_every_threshold(pairs: list[Pair]) -> None:
    target, score, block = columns(pairs)
    story = min(norm_cost(*point) for point in all_points(pairs))
    topic = min(norm_cost(*point) for point in all_points(pairs, topic_rates_at))
    assert d.min_c_det(target, score) == pytest.approx(story, rel=1e-12, abs=1e-15)
    assert d.topic_min_c_det(target, score, block) == pytest.approx(topic, rel=1e-12, abs=1e-15)


@given(pairs=PAIRS)
def test_curve_has_every_point_and_both_ends(pairs: list[Pair]) -> None:
    target, score, block = columns(pairs)
    curve = det_curve(target, score)
    assert np.column_stack([curve.p_miss, curve.p_fa]) == pytest.approx(np.array(all_points(pairs)))
    assert curve.thresholds.tolist() == [-np.inf, *thresholds(pairs)]
    topic = det_curve(target, score, block)
    expected = np.array(all_points(pairs, topic_rates_at))
    assert np.column_stack([topic.p_miss, topic.p_fa]) == pytest.approx(expected)
    for found in (curve, topic):
        assert (found.p_miss[0], found.p_fa[0]) == (0.0, 1.0)
        assert (found.p_miss[-1], found.p_fa[-1]) == (1.0, 0.0)
        assert found.minimum().norm_cost == found.corners().minimum().norm_cost


@given(pairs=PAIRS)
def test_threshold_of_the_minimum_gives_its_rates(pairs: list[Pair]) -> None:
    target, score, _ = columns(pairs)
    best = det_curve(target, score).minimum()
    assert best.norm_cost == pytest.approx(d.min_c_det(target, score), rel=1e-15)
    if best.threshold > -np.inf:
        assert (best.p_miss, best.p_fa) == rates_at(pairs, best.threshold)
    if best.threshold > -np.inf or -np.inf not in score:
        decided = d.norm_c_det(target, score > best.threshold)
        assert decided == pytest.approx(best.norm_cost, rel=1e-15)


@given(pairs=PAIRS)
def test_equal_error_rate_lies_on_the_curve(pairs: list[Pair]) -> None:
    target, score, _ = columns(pairs)
    points = all_points(pairs)
    value = d.eer(target, score)
    crossings = []
    for (miss, alarm), (next_miss, next_alarm) in pairwise(points):
        if miss <= alarm and next_miss >= next_alarm and (next_miss, next_alarm) != (miss, alarm):
            share = (alarm - miss) / ((alarm - miss) + (next_miss - next_alarm))
            crossings.append(miss + share * (next_miss - miss))
    assert any(value == pytest.approx(crossing, abs=1e-12) for crossing in crossings)


def trials(pairs: list[Pair]) -> list[Trial]:
    return [Trial(block=b, target=t, decision="YES", score=str(s), value=s) for t, s, b in pairs]


@given(pairs=PAIRS)
@example(pairs=[(True, 1.0, "x"), (False, 2e8, "x")])
@example(pairs=[(True, 1.0, "y"), (True, 1.0, "x"), (False, 1.0, "x"), (False, 1.0, "y"), (False, 1.0, "y")])
def test_nist_minimum_equals_the_sweep(pairs: list[Pair]) -> None:
    target, score, block = columns(pairs)
    names = sorted({pair[2] for pair in pairs})
    check_against(pooled_sweep(trials(pairs), names, Costs()).minimum, d.min_c_det_nist, target, score)
    try:
        expected = block_sweep(trials(pairs), names, Costs()).minimum
    except NistError:  # fewer than two blocks with both classes: NIST's scorer dies, the cost has a value
        return
    check_against(expected, d.topic_min_c_det_nist, target, score, block)


def check_against(expected: object, metric: Metric, *data: np.ndarray) -> None:
    if expected is None:
        with pytest.raises(UndefinedMetricError, match="visits no point"):
            metric(*data)
    else:
        assert metric(*data) == pytest.approx(expected.norm_cost, rel=1e-12)  # type: ignore[attr-defined]


@pytest.mark.parametrize("metric", ALL, ids=str)
@given(pairs=PAIRS, data=st.data())
def test_weights_are_repetitions(metric: Metric, pairs: list[Pair], data: st.DataObject) -> None:
    arrays = columns(pairs, metric)
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs))))
    if times.sum() == 0:
        return
    repeated = tuple(np.repeat(column, times) for column in arrays)
    again = metric.resampled(arrays, times[None, :].astype(float))
    assert again == pytest.approx(metric.resampled(repeated, None), rel=1e-12, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("metric", ALL, ids=str)
@given(pairs=PAIRS, data=st.data())
def test_order_of_pairs_does_not_matter(metric: Metric, pairs: list[Pair], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(pairs))
    first, second = (metric.resampled(columns(rows, metric), None) for rows in (pairs, shuffled))
    assert first == pytest.approx(second, rel=1e-12, abs=1e-15, nan_ok=True)
    assert np.isnan(first[0]) or metric.bounds[0] <= first[0] <= metric.bounds[1] + 1e-12


@pytest.mark.parametrize("metric", SCORED, ids=str)
@given(pairs=PAIRS)
def test_scale_of_scores_does_not_matter(metric: Metric, pairs: list[Pair]) -> None:
    finite = [(t, s, b) for t, s, b in pairs if np.isfinite(s) and s < d.UNREACHABLE]
    if len({t for t, _, _ in finite}) < 2:
        return
    moved = [(t, 10 + s / 3, b) for t, s, b in finite]
    first, second = (metric.resampled(columns(rows, metric), None) for rows in (finite, moved))
    assert first == pytest.approx(second, nan_ok=True)


@pytest.mark.parametrize("metric", SCORED, ids=str)
def test_resamples_and_leaves_out(metric: Metric) -> None:
    generator = np.random.default_rng(3)
    target = generator.random(60) < 0.4
    pairs = [
        (bool(t), float(s), "xyz"[n % 3])
        for n, (t, s) in enumerate(zip(target, target + generator.normal(size=60), strict=True))
    ]
    arrays = columns(pairs, metric)
    values = bootstrap(metric, arrays, resamples=50)
    drawn = np.random.default_rng(0).integers(0, 60, size=(50, 60))
    again = [metric(*(column[rows] for column in arrays)) for rows in drawn]
    assert values == pytest.approx(again, rel=1e-12)
    left_out = [metric(*(np.delete(column, row) for column in arrays)) for row in range(60)]
    assert jackknife(metric, arrays) == pytest.approx(left_out, rel=1e-12)


def test_by_hand() -> None:
    target = [True, True, True, False, False, False, False]
    decision = [True, True, False, True, False, False, False]
    block = ["x", "x", "y", "x", "x", "y", "z"]
    assert d.p_miss(target, decision) == pytest.approx(1 / 3)
    assert d.p_fa(target, decision) == 0.25
    assert d.c_det(target, decision) == pytest.approx(0.02 / 3 + 0.098 / 4)
    assert d.norm_c_det(target, decision) == pytest.approx((0.02 / 3 + 0.098 / 4) / 0.02)
    assert d.topic_p_miss(target, decision, block) == 0.5
    assert d.topic_p_fa(target, decision, block) == pytest.approx(0.5 / 3)
    assert d.topic_norm_c_det(target, decision, block) == pytest.approx((0.01 + 0.098 * 0.5 / 3) / 0.02)
    other = d.c_det.with_(c_miss=10, c_fa=1.0, p_target=0.1)
    assert other(target, decision) == pytest.approx(10 / 3 * 0.1 + 0.25 * 0.9)


@given(pairs=PAIRS)
def test_the_truth_as_scores_is_perfect(pairs: list[Pair]) -> None:
    target, _, block = columns(pairs)
    assert d.min_c_det(target, target) == 0.0
    assert d.topic_min_c_det(target, target, block) == 0.0
    assert d.eer(target, target) == 0.0
    assert d.topic_norm_c_det(target, target, block) == 0.0


def test_ends_where_the_minimum_lies() -> None:
    perfect = [True, False], [1.0, 0.0]
    assert d.min_c_det(*perfect) == 0.0
    assert d.eer(*perfect) == 0.0
    with pytest.raises(UndefinedMetricError, match="perfect system visits no point"):
        d.min_c_det_nist(*perfect)
    constant = [True, False], [0.0, 0.0]
    assert d.min_c_det(*constant) == 1.0
    assert d.min_c_det_nist(*constant) == pytest.approx(5.9)
    best = det_curve(*constant).minimum()
    assert (best.threshold, best.p_miss, best.p_fa) == (0.0, 1.0, 0.0)
    cheap_alarms = det_curve(*constant).minimum(c_fa=0.0001)
    assert (cheap_alarms.threshold, cheap_alarms.p_miss, cheap_alarms.p_fa) == (-np.inf, 0.0, 1.0)


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_refusals(metric: Metric) -> None:
    good = columns([(True, 1.0, "x"), (False, 0.0, "x"), (True, 2.0, "x"), (False, 3.0, "x")], metric)
    with pytest.raises(MetricError, match="target must be True or False, not None, in row 1"):
        metric([True, None, True, False], *good[1:])
    answer = (
        "score must be a number, not None, in row 0"
        if metric in SCORED
        else "decision must be True or False, not None, in row 0"
    )
    with pytest.raises(MetricError, match=answer):
        metric(good[0], as_column([None, "a", None, None]), *good[2:])
    with pytest.raises(MetricError, match="NaN in row 2"):
        metric(good[0], [1.0, 0.0, np.nan, 1.0], *good[2:])
    with pytest.raises(UndefinedMetricError, match="nothing to score"):
        metric(*[[]] * len(metric.columns))


@pytest.mark.parametrize("metric", ALL, ids=str)
@pytest.mark.parametrize("linked", [True, False])
def test_one_class_alone(metric: Metric, linked: bool) -> None:
    data = columns([(linked, 1.0, "x"), (linked, -1.0, "y"), (linked, 2.0, "y")], metric)
    needed = {"p_miss": True, "topic_p_miss": True, "p_fa": False, "topic_p_fa": False}
    if needed.get(metric.name, not linked) == linked:
        assert 0 <= metric(*data) <= 1
    else:
        assert "undefined" in metric.single_class
        with pytest.raises(UndefinedMetricError):
            metric(*data)


@pytest.mark.parametrize(("name", "value"), [("p_target", 0.0), ("p_target", 1.0), ("c_miss", 0.0), ("c_fa", -1.0)])
def test_costs_without_a_norm_are_refused(name: str, value: float) -> None:
    with pytest.raises(MetricError, match="costs must be above 0"):
        d.min_c_det.with_(**{name: value})([True, False], [1.0, 0.0])


def test_curve_refusals() -> None:
    with pytest.raises(UndefinedMetricError, match="needs targets and non-targets"):
        det_curve([True], [1.0])
    with pytest.raises(MetricError, match="differ in length"):
        det_curve([True, False], [1.0])
    with pytest.raises(MetricError, match="score has a NaN in row 1"):
        det_curve([True, False], [1.0, np.nan])


def test_deviates() -> None:
    probabilities = np.linspace(0.0005, 0.9995, 500)
    assert normal_deviate(probabilities) == pytest.approx(ndtri(probabilities), abs=1e-7)
    assert [f"{value:.5f}" for value in normal_deviate([0.0, 1.0])] == ["-8.12636", "8.12636"]


def curves() -> dict[str, DetCurve]:
    generator = np.random.default_rng(5)
    target = generator.random(400) < 0.3
    return {f"_{gain}$": det_curve(target, generator.normal(size=400) + gain * target) for gain in (1.0, 2.0)}


def test_figure_marks_minima_and_ticks_in_per_cent() -> None:
    drawn = curves()
    axes = det_figure(drawn, title="links").axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()][:4] == ["0.01", "0.1", "0.2", "0.5"]
    legend = axes.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == [f"{c.minimum().norm_cost:.4f}  {n}".replace("$", r"\$") for n, c in drawn.items()]
    marks = [line.get_xydata() for line in axes.get_lines() if line.get_marker() == "o"]
    for curve, mark in zip(drawn.values(), marks, strict=True):
        best = curve.minimum()
        assert np.asarray(mark)[0].tolist() == normal_deviate([best.p_fa, best.p_miss]).tolist()


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_figure_files_are_the_same_each_time(ending: str, tmp_path: Path) -> None:
    for name in "ab":
        save_det_figure(curves(), tmp_path / f"{name}{ending}")
    first, second = ((tmp_path / f"{name}{ending}").read_bytes() for name in "ab")
    assert first == second
    assert first.startswith(b"\x89PNG" if ending == ".png" else b"<?xml")


def test_figure_refusals(tmp_path: Path) -> None:
    with pytest.raises(MetricError, match=r"written as \.svg or \.png"):
        save_det_figure(curves(), tmp_path / "plot.gif")
    with pytest.raises(MetricError, match="one curve or more"):
        det_figure({})
