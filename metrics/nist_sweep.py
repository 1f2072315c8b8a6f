"""The threshold sweep of NIST's TDT scorer, whose minimum is not the least cost over all thresholds.

Scores are walked upwards, targets first among equals, then in the order of blocks. After k rejected pairs a point is
taken if pair k is a target, or if pair k+1 is one and a non-target is left; the walk ends with the pair that uses up
either class. So no point accepts all pairs and none has P_fa = 0.

The order of floating-point operations follows the scorer, so that all the digits it prints agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.det import normal_deviate
from metrics.metric import Array, Floats
from metrics.nist_files import NistError, Trial, by_block

UNREACHABLE = 99999999.0
"""Scores from here on count in the denominators, but the walk never comes to them."""
_WIDTH = 1.28
"""Standard errors on either side of a topic-weighted rate."""
_NO_SCORE = 9e99
"""What oracle rescaling takes for the score of a class that is used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Parameters of the detection cost; the defaults are those of TDT."""

    c_miss: float = 1.0
    c_fa: float = 0.1
    p_target: float = 0.02

    def __post_init__(self) -> None:
        if not (self.c_miss > 0 and self.c_fa > 0 and 0 < self.p_target < 1):
            raise NistError(f"costs must be above 0 and p_target between 0 and 1, without the ends; not {self}")

    def cost(self, p_miss: Floats, p_fa: Floats) -> Floats:
        """Expected cost of a decision."""
        return self.c_miss * p_miss * self.p_target + self.c_fa * p_fa * (1 - self.p_target)

    @property
    def norm(self) -> float:
        """The cost of the better of the two systems that look at nothing."""
        return min(self.c_miss * self.p_target, self.c_fa * (1 - self.p_target))


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """The point of least cost of a sweep."""

    p_miss: float
    p_fa: float
    cost: float
    norm_cost: float
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A curve and its minimum, `None` where no point was taken.

    Columns of a pooled curve: deviates of P_miss and P_fa. Of a block-weighted one: deviates of topic-weighted P_miss
    and P_fa, of each plus and minus 1.28 standard errors, the threshold, deviates of pooled P_miss and P_fa and of
    the topic-weighted and the pooled normalised cost.
    """

    curve: Floats
    minimum: Minimum | None
    thresholds: list[str | None]
    """The threshold of each point as the system wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The pairs in the order of their rejection and the numbers of rejected pairs at which a point is taken."""

    trials: list[Trial]
    points: Array
    targets: int
    others: int

    def rates(self) -> tuple[Floats, Floats]:
        """Pooled P_miss and P_fa at the points; P_fa is 0 without non-targets."""
        missed = np.cumsum([trial.target for trial in self.trials], dtype=np.int64)[self.points - 1]
        accepted = self.others - (self.points - missed)
        return missed / max(self.targets, 1), accepted / max(self.others, 1)


def walk(trials: Sequence[Trial], blocks: Sequence[str]) -> Walk:
    """Order the pairs; `blocks` decides between equal scores of different blocks."""
    rank = {block: position for position, block in enumerate(blocks)}
    reached = [trial for trial in trials if trial.value < UNREACHABLE]
    reached.sort(key=lambda trial: (trial.value, not trial.target, rank[trial.block]))
    reached = _up_to_nameless_block(reached)
    is_target = np.array([trial.target for trial in reached], dtype=bool)
    missed, rejected = np.cumsum(is_target), np.cumsum(~is_target)
    left = rejected < (~is_target).sum()
    used_up = (missed == is_target.sum()) | ~left
    last = int(np.argmax(used_up)) if len(reached) else -1
    next_is_target = np.append(is_target[1:], False)
    taken = (is_target & (left | is_target.all())) | (next_is_target & left)
    points = np.flatnonzero(taken[: last + 1]) + 1
    targets = sum(trial.target for trial in trials)
    return Walk(trials=reached, points=points, targets=targets, others=len(trials) - targets)


def _up_to_nameless_block(ordered: list[Trial]) -> list[Trial]:
    """The scorer takes a pair without a block for the end of its class."""
    ended: set[bool] = set()
    kept = []
    for trial in ordered:
        if trial.block == "":
            ended.add(trial.target)
        if trial.target not in ended:
            kept.append(trial)
    return kept


def pooled_sweep(trials: Sequence[Trial], blocks: Sequence[str], costs: Costs) -> Sweep:
    """Story-weighted curve and minimum."""
    way = walk(trials, blocks)
    p_miss, p_fa = way.rates()
    minimum = _minimum(way, p_miss, p_fa, costs.cost(p_miss, p_fa), costs)
    return Sweep(
        curve=np.column_stack([normal_deviate(p_miss), normal_deviate(p_fa)]),
        minimum=minimum,
        thresholds=_written(way),
    )


def block_sweep(trials: Sequence[Trial], blocks: Sequence[str], costs: Costs) -> Sweep:
    """Topic-weighted curve and minimum; the cost is the mean of block costs over blocks with both classes."""
    way = walk(trials, blocks)
    misses, alarms, block_costs = [], [], []
    for p_miss, p_fa in _block_rates(way, trials, blocks):
        misses += [] if p_miss is None else [p_miss]
        alarms += [] if p_fa is None else [p_fa]
        if p_miss is not None and p_fa is not None:
            block_costs.append(costs.cost(p_miss, p_fa))
    if len(way.points) and min(len(misses), len(alarms), len(block_costs)) < 2:
        raise NistError("a topic-weighted curve needs two blocks with targets and non-targets")
    miss, miss_error = _mean_and_error(misses, way)
    alarm, alarm_error = _mean_and_error(alarms, way)
    cost, _ = _mean_and_error(block_costs, way)
    pooled = way.rates()
    shown = [miss, alarm, miss + miss_error, miss - miss_error, alarm + alarm_error, alarm - alarm_error]
    last = [*pooled, cost / costs.norm, costs.cost(*pooled) / costs.norm]
    thresholds = np.array([way.trials[point - 1].value for point in way.points.tolist()])
    curve = np.column_stack([*map(normal_deviate, shown), thresholds, *map(normal_deviate, last)])
    return Sweep(curve=curve, minimum=_minimum(way, miss, alarm, cost, costs), thresholds=_written(way))


def _block_rates(
    way: Walk, trials: Sequence[Trial], blocks: Sequence[str]
) -> Iterator[tuple[Floats | None, Floats | None]]:
    """P_miss and P_fa of each block at the points; `None` for a class the block lacks."""
    sizes = Counter((trial.block, trial.target) for trial in trials)
    block_of = np.array([trial.block for trial in way.trials], dtype=object)
    is_target = np.array([trial.target for trial in way.trials], dtype=bool)
    for block in blocks:
        targets, others = sizes[block, True], sizes[block, False]
        inside = block_of == block
        missed = np.searchsorted(np.flatnonzero(inside & is_target) + 1, way.points, side="right")
        rejected = np.searchsorted(np.flatnonzero(inside & ~is_target) + 1, way.points, side="right")
        yield missed / targets if targets else None, (others - rejected) / others if others else None


def _total(values: list[Floats], way: Walk) -> Floats:
    total = np.zeros(len(way.points))
    for value in values:  # one block after the other, as the scorer adds
        total = total + value
    return total


def _mean_and_error(rates: list[Floats], way: Walk) -> tuple[Floats, Floats]:
    """Mean over blocks and 1.28 standard errors of it."""
    if not len(way.points):
        return np.zeros(0), np.zeros(0)
    n = len(rates)
    total = _total(rates, way)
    squares = _total([rate * rate for rate in rates], way)
    variance = (n * squares - total * total) / (n * (n - 1))
    if (variance < 0).any():
        raise NistError(
            "blocks with equal rates have a variance just below 0 by rounding, at which NIST's scorer stops; "
            "leave out the topic-weighted curve"
        )
    return total / n, _WIDTH * (np.sqrt(variance) / np.sqrt(n))


def _minimum(way: Walk, p_miss: Floats, p_fa: Floats, cost: Floats, costs: Costs) -> Minimum | None:
    if not len(cost):
        return None
    best = int(np.argmin(cost))
    return Minimum(
        p_miss=float(p_miss[best]),
        p_fa=float(p_fa[best]),
        cost=float(cost[best]),
        norm_cost=float(cost[best] / costs.norm),
        threshold=way.trials[int(way.points[best]) - 1].value,
    )


def _written(way: Walk) -> list[str | None]:
    return [way.trials[point - 1].score for point in way.points.tolist()]


def rescale(trials: Sequence[Trial], costs: Costs) -> list[Trial]:
    """Scores less the best threshold of their block: NIST's oracle, a bound on what normalisation could reach.

    The best threshold is half-way between the least target and the least non-target that it accepts. Unlike the
    sweep it may reject every non-target, of which the scorer makes an offset of 4.5e99.
    """
    offsets = {block: _oracle_offset(group, block, costs) for block, group in by_block(trials).items()}
    shifted = [(trial, trial.value - offsets[trial.block]) for trial in trials]
    return [replace(trial, value=value, score=f"{value:.15g}") for trial, value in shifted]


def _oracle_offset(trials: list[Trial], block: str, costs: Costs) -> float:
    targets = sorted(trial.value for trial in trials if trial.target)
    others = sorted(trial.value for trial in trials if not trial.target)
    if not targets or not others:
        raise NistError(f"block {block!r} lacks targets or non-targets, so it has no best threshold to rescale by")
    ordered = sorted((trial.value, not trial.target) for trial in trials)
    missed = np.cumsum([not other for _, other in ordered])
    rejected = np.arange(1, len(ordered) + 1) - missed
    cost = costs.cost(missed / len(targets), (len(others) - rejected) / len(others))
    best = int(np.argmin(cost))
    next_target, next_other = [*targets, _NO_SCORE][missed[best]], [*others, _NO_SCORE][rejected[best]]
    return float(next_target + next_other) / 2
