"""Story link detection: miss and false-alarm rates, detection costs and their minimum.

Columns: `target` (truth: the pair is linked), `decision` (the system says so) or `score` (any scale, greater means
more likely linked; a pair is accepted when its score is above a threshold), and `block` (topic) where topics weigh
alike. There is no "unanswered" in this task: NIST's scorer refuses a run that leaves out a pair, and so does a column
without a value here. A decision of -1 is a word that is neither YES nor NO: NIST leaves such a pair out of the counts.

Story-weighted measures pool all pairs. Topic-weighted ones average P_miss over the blocks with targets and P_fa over
those with non-targets, and take the cost of the two means.

`min_c_det` is the least normalised cost over every distinct threshold, accepting all and rejecting all included.
`min_c_det_nist` and `topic_min_c_det_nist` are what a TDT report printed: NIST's sweep leaves out both ends and every
point with P_fa = 0, and its topic-weighted minimum is a mean of block costs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from metrics.det import booleans, class_mass, cost_norm, detection_cost, error_rates, numbers, rejected, rejection_order
from metrics.metric import Array, Floats, Metric, Parameter, grouped_sums

_TDT = "Fiscus & Doddington, Topic Detection and Tracking Evaluation Overview, 2002"
_DET = "Martin et al., The DET Curve in Assessment of Detection Task Performance, 1997"
_NO_BOTH = "it needs targets and non-targets"
UNREACHABLE = 99999999.0
"""Scores from here on count in NIST's denominators, but its sweep never comes to them."""
COSTS = {
    "c_miss": Parameter(type=float, default=1.0, doc="cost of a miss"),
    "c_fa": Parameter(type=float, default=0.1, doc="cost of a false alarm"),
    "p_target": Parameter(type=float, default=0.02, doc="prior probability of a target"),
}


def _counts(target: Array, decision: Array, **_: Any) -> Array:
    """Per pair: miss, target, false alarm, non-target."""
    linked, (accepted, counted) = booleans("target", target), _decisions(decision)
    return np.column_stack([linked & ~accepted, linked, ~linked & accepted, ~linked]) & counted[:, None]


def _decisions(decision: Array) -> tuple[Array, Array]:
    """What is accepted, and what counts at all."""
    counted = decision != -1
    return booleans("decision", np.where(counted, decision, 0)), counted


def _p_miss(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _p_fa(sums: Array) -> Array:
    return np.asarray(sums[..., 2] / sums[..., 3])


def _c_det(sums: Array, **costs: float) -> Array:
    return detection_cost(_p_miss(sums), _p_fa(sums), **costs)


def _norm_c_det(sums: Array, **costs: float) -> Array:
    return _c_det(sums, **costs) / cost_norm(**costs)


def _topic_rate(target: Array, decision: Array, block: Array, *, weights: Array, misses: bool) -> Floats:
    linked, (accepted, counted) = booleans("target", target), _decisions(decision)
    members, wrong = (linked, ~accepted) if misses else (~linked, accepted)
    return np.asarray(class_mass(members & counted, weights, block) @ wrong.astype(np.float64))


def _topic_c_det(target: Array, decision: Array, block: Array, *, weights: Array, **costs: float) -> Floats:
    miss = _topic_rate(target, decision, block, weights=weights, misses=True)
    alarm = _topic_rate(target, decision, block, weights=weights, misses=False)
    return detection_cost(miss, alarm, **costs)


def _topic_norm_c_det(target: Array, decision: Array, block: Array, *, weights: Array, **costs: float) -> Floats:
    return _topic_c_det(target, decision, block, weights=weights, **costs) / cost_norm(**costs)


def _rates(target: Array, score: Array, block: Array | None, weights: Array) -> tuple[Floats, Floats]:
    # Counting needs far less time and memory than summing weights, and ten million pairs are not rare.
    plain = None if len(weights) == 1 and (weights == 1).all() else weights
    linked, numeric = booleans("target", target), numbers("score", score)
    _, miss, alarm = error_rates(linked, numeric, weights=plain, blocks=block)
    return miss, alarm


def _min_c_det(target: Array, score: Array, block: Array | None = None, *, weights: Array, **costs: float) -> Array:
    p_miss, p_fa = _rates(target, score, block, weights)
    return np.asarray(detection_cost(p_miss, p_fa, **costs).min(axis=1) / cost_norm(**costs))


def _eer(target: Array, score: Array, *, weights: Array) -> Array:
    p_miss, p_fa = _rates(target, score, None, weights)
    above = np.argmax(p_miss >= p_fa, axis=1)
    rows = np.arange(len(p_miss))
    left, right = (p_miss[rows, place] - p_fa[rows, place] for place in (above - 1, above))
    low, high = p_miss[rows, above - 1], p_miss[rows, above]
    return np.asarray(low + (high - low) * (-left / (right - left)))


def _nist_minimum(target: Array, score: Array, block: Array | None = None, *, weights: Array, **costs: float) -> Array:
    """The least cost over NIST's points.

    Rejecting a target only adds cost, so of NIST's points the least lies just below a target, with something rejected
    and a non-target left; or, where the walk starts with a target, after that one pair.
    """
    linked, score = booleans("target", target), numbers("score", score)
    reached = score < UNREACHABLE
    order, ends = rejection_order(score[reached])
    miss_mass, fa_mass = _cost_masses(linked, block, weights)
    sides = [weights * linked, weights * ~linked, miss_mass, fa_mass]
    missed, passed, p_miss, p_rejected = (rejected(side[:, reached], order, ends) for side in sides)
    cost = detection_cost(p_miss, fa_mass.sum(axis=1, keepdims=True) - p_rejected, **costs)[:, :-1]
    before_target = np.diff(missed, axis=1) > 0
    started = (missed + passed)[:, :-1] > 0
    left = passed[:, :-1] < passed[:, -1:]
    best = np.where(before_target & started & left, cost, np.inf).min(axis=1, initial=np.inf)
    best = np.minimum(best, _first_point(linked & reached, score, block, weights, miss_mass, fa_mass, costs))
    nothing = np.isinf(best) | ~(weights @ linked > 0) | ~(weights @ ~linked > 0)
    return np.where(nothing, np.nan, best / cost_norm(**costs))


def _cost_masses(linked: Array, block: Array | None, weights: Array) -> tuple[Floats, Floats]:
    """What each pair adds to P_miss and P_fa; with blocks, averaged over those with both classes, as costs are."""
    if block is None:
        blocks = np.zeros(len(linked), dtype=np.int64)
        return class_mass(linked, weights, blocks), class_mass(~linked, weights, blocks)
    names, codes = np.unique(block, return_inverse=True)
    sizes = [grouped_sums(weights, np.where(members, codes, -1), len(names)) for members in (linked, ~linked)]
    both = (sizes[0] > 0) & (sizes[1] > 0)
    miss_mass, fa_mass = (class_mass(members, weights, block, counted=both) for members in (linked, ~linked))
    return miss_mass, fa_mass


def _first_point(
    targets: Array,
    score: Array,
    block: Array | None,
    weights: Array,
    miss_mass: Floats,
    fa_mass: Floats,
    costs: dict[str, float],
) -> Array:
    """Cost after one target where no non-target scores below it, else infinity; blocks go in the order of names."""
    drawn = weights > 0
    lowest = np.where(drawn & targets, score, np.inf).min(axis=1)
    lowest_other = np.where(drawn & ~targets, score, np.inf).min(axis=1)
    first = drawn & targets & (score == lowest[:, None])
    rank = np.zeros(len(score)) if block is None else np.unique(block, return_inverse=True)[1]
    row = np.argmin(np.where(first, rank, np.inf), axis=1)
    places = np.arange(len(weights))
    with np.errstate(divide="ignore", invalid="ignore"):
        step = miss_mass[places, row] / weights[places, row]
    cost = detection_cost(step, fa_mass.sum(axis=1), **costs)
    starts = (lowest <= lowest_other) & (lowest < UNREACHABLE)
    return np.where(starts, cost, np.inf)


_decided: Callable[..., Metric] = partial(
    Metric,
    columns=("target", "decision"),
    direction="min",
    cite=_TDT,
    statistics=_counts,
    unanswered="refused: every pair needs a decision",
)
_decided_by_topic: Callable[..., Metric] = partial(
    Metric,
    columns=("target", "decision", "block"),
    direction="min",
    cite=_TDT,
    unanswered="refused: every pair needs a decision",
)
_scored: Callable[..., Metric] = partial(
    Metric,
    columns=("target", "score"),
    direction="min",
    single_class="undefined: " + _NO_BOTH,
    undefined=_NO_BOTH,
    unanswered="refused: every pair needs a score",
)
_ANY = (0.0, float("inf"))
p_miss = _decided(
    name="p_miss",
    summary="share of the targets that are rejected",
    aggregate=_p_miss,
    single_class="undefined without targets, otherwise no effect",
    undefined="there is no target",
)
p_fa = _decided(
    name="p_fa",
    summary="share of the non-targets that are accepted",
    aggregate=_p_fa,
    single_class="undefined without non-targets, otherwise no effect",
    undefined="there is no non-target",
)
_of_both: dict[str, Any] = {"single_class": "undefined: " + _NO_BOTH, "undefined": _NO_BOTH}
c_det = _decided(
    name="c_det",
    summary="expected cost of a decision, pairs weighing alike",
    aggregate=_c_det,
    parameters=COSTS,
    bounds=_ANY,
    **_of_both,
)
norm_c_det = _decided(
    name="norm_c_det",
    summary="cost over that of the better of accepting all and rejecting all, pairs weighing alike",
    aggregate=_norm_c_det,
    parameters=COSTS,
    bounds=_ANY,
    **_of_both,
)
topic_p_miss = _decided_by_topic(
    name="topic_p_miss",
    summary="mean of P_miss over the blocks with targets",
    weighted=partial(_topic_rate, misses=True),
    single_class="undefined without targets, otherwise no effect",
    undefined="there is no target",
)
topic_p_fa = _decided_by_topic(
    name="topic_p_fa",
    summary="mean of P_fa over the blocks with non-targets",
    weighted=partial(_topic_rate, misses=False),
    single_class="undefined without non-targets, otherwise no effect",
    undefined="there is no non-target",
)
topic_c_det = _decided_by_topic(
    name="topic_c_det",
    summary="cost at topic-weighted P_miss and P_fa",
    weighted=_topic_c_det,
    parameters=COSTS,
    bounds=_ANY,
    **_of_both,
)
topic_norm_c_det = _decided_by_topic(
    name="topic_norm_c_det",
    summary="normalised cost at topic-weighted P_miss and P_fa: TDT's primary measure",
    weighted=_topic_norm_c_det,
    parameters=COSTS,
    bounds=_ANY,
    **_of_both,
)
min_c_det = _scored(
    name="min_c_det",
    summary="least normalised cost over every threshold, both ends included",
    weighted=_min_c_det,
    parameters=COSTS,
    cite=_DET,
)
topic_min_c_det = _scored(
    name="topic_min_c_det",
    summary="least topic-weighted normalised cost over every threshold, both ends included",
    columns=("target", "score", "block"),
    weighted=_min_c_det,
    parameters=COSTS,
    cite=_DET,
)
eer = _scored(
    name="eer",
    summary="rate at which P_miss equals P_fa, on the line between the two nearest thresholds",
    weighted=_eer,
    cite=_DET,
)
_no_point = _NO_BOTH + ", and NIST's sweep of a perfect system visits no point"
min_c_det_nist = _scored(
    name="min_c_det_nist",
    summary="least normalised cost over the points of NIST's sweep",
    weighted=_nist_minimum,
    parameters=COSTS,
    bounds=_ANY,
    cite="NIST TDT3eval 2.6",
    undefined=_no_point,
)
topic_min_c_det_nist = _scored(
    name="topic_min_c_det_nist",
    summary="least mean of normalised block costs over the points of NIST's sweep, blocks in the order of names",
    columns=("target", "score", "block"),
    weighted=_nist_minimum,
    parameters=COSTS,
    bounds=_ANY,
    cite="NIST TDT3eval 2.6",
    undefined=_no_point,
)
