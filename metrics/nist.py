"""The report of NIST's TDT3 scorer for story link detection, number by number.

`score_files` reads a key and a system's output and gives what `DetectionScore.pl` (TDT3eval 2.6) prints: rates and
costs of the decisions, story- and topic-weighted, by block, the utility, and on demand the DET curves with their
minimum costs. Where that program refuses or dies, a one-line `NistError` says why.

The minimum here is NIST's own, over the points its sweep visits; `metrics.detection.min_c_det` is the least cost over
all thresholds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from metrics.nist_files import (
    KeyRecord,
    NistError,
    SystemFile,
    SystemRecord,
    Trial,
    by_block,
    match_trials,
    read_key,
    read_system,
    write_key,
    write_system,
)
from metrics.nist_sweep import Costs, Minimum, Sweep, block_sweep, pooled_sweep, rescale

__all__ = [
    "BlockScore",
    "Costs",
    "KeyRecord",
    "Minimum",
    "NistError",
    "NistScore",
    "Rates",
    "Sweep",
    "SystemFile",
    "SystemRecord",
    "Trial",
    "Utility",
    "match_trials",
    "read_key",
    "read_system",
    "score_files",
    "score_trials",
    "write_key",
    "write_system",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Probabilities and costs of a set of decisions; `None` where the block has no target."""

    p_miss: float | None
    p_fa: float
    cost: float | None
    norm_cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockScore:
    """Counts and rates of one block."""

    hits: int
    misses: int
    rejections: int
    false_alarms: int
    rates: Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """Mean over blocks of the linear utility, as it is, over its maximum, and scaled."""

    mean: float
    mean_normed: float
    mean_scaled: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NistScore:
    """All numbers of a report; `topic_weighted.norm_cost` is TDT's primary one."""

    story_weighted: Rates
    topic_weighted: Rates
    blocks: dict[str, BlockScore]
    utility: Utility
    pooled: Sweep | None = None
    block_weighted: Sweep | None = None


def score_files(
    key: str | Path,
    system: str | Path,
    *,
    costs: Costs | None = None,
    skip_spurious: bool = False,
    curves: bool = False,
    rescaled: bool = False,
    block_order: Sequence[str] | None = None,
    utility_weight: float = 10.0,
    utility_floor: float = -0.5,
) -> NistScore:
    """Score a system file against a key file; see `score_trials` for the options."""
    trials = match_trials(read_key(key), read_system(system), skip_spurious=skip_spurious)
    return score_trials(
        trials,
        costs=costs,
        curves=curves,
        rescaled=rescaled,
        block_order=block_order,
        utility_weight=utility_weight,
        utility_floor=utility_floor,
    )


def score_trials(
    trials: Sequence[Trial],
    *,
    costs: Costs | None = None,
    curves: bool = False,
    rescaled: bool = False,
    block_order: Sequence[str] | None = None,
    utility_weight: float = 10.0,
    utility_floor: float = -0.5,
) -> NistScore:
    """Score matched pairs.

    `block_order` says which block goes first among equal scores. The program takes its hash order, which is random;
    here it is the order of names unless given. `rescaled` draws the curves after shifting each block by its own best
    threshold. With one block there is no topic-weighted curve.
    """
    costs = costs or Costs()
    groups = by_block(trials)
    names = list(groups)
    order = names if block_order is None else list(block_order)
    if sorted(order) != names:
        raise NistError(f"block_order must name each scored block once: {', '.join(names) or 'there is none'}")
    pooled = weighted = None
    if curves:
        drawn = rescale(trials, costs) if rescaled else trials
        pooled = pooled_sweep(drawn, order, costs)
        weighted = block_sweep(drawn, order, costs) if len(order) > 1 else None
    blocks = {name: _block_score(name, group, costs) for name, group in groups.items()}
    return NistScore(
        story_weighted=_story_weighted(list(blocks.values()), costs),
        topic_weighted=_topic_weighted(list(blocks.values()), costs),
        blocks=blocks,
        utility=_utility(list(blocks.values()), utility_weight, utility_floor),
        pooled=pooled,
        block_weighted=weighted,
    )


def _block_score(name: str, trials: list[Trial], costs: Costs) -> BlockScore:
    """Only YES and NO in capitals are counted."""
    counts = Counter((trial.target, trial.decision) for trial in trials)
    hits, misses = counts[True, "YES"], counts[True, "NO"]
    alarms, rejections = counts[False, "YES"], counts[False, "NO"]
    if alarms + rejections == 0:
        raise NistError(f"block {name!r} has no non-target with a decision YES or NO, so its P_fa has no value")
    p_miss = misses / (hits + misses) if hits + misses else None
    rates = _rates(p_miss, alarms / (alarms + rejections), costs)
    return BlockScore(hits=hits, misses=misses, rejections=rejections, false_alarms=alarms, rates=rates)


def _rates(p_miss: float | None, p_fa: float, costs: Costs) -> Rates:
    if p_miss is None:
        return Rates(p_miss=None, p_fa=p_fa, cost=None, norm_cost=None)
    cost = costs.c_miss * p_miss * costs.p_target + costs.c_fa * p_fa * (1 - costs.p_target)
    return Rates(p_miss=p_miss, p_fa=p_fa, cost=cost, norm_cost=cost / costs.norm)


def _story_weighted(blocks: list[BlockScore], costs: Costs) -> Rates:
    misses, targets = sum(b.misses for b in blocks), sum(b.hits + b.misses for b in blocks)
    alarms, others = sum(b.false_alarms for b in blocks), sum(b.false_alarms + b.rejections for b in blocks)
    if targets == 0:
        raise NistError("no target has a decision YES or NO, so P_miss has no value")
    return _rates(misses / targets, alarms / others, costs)


def _topic_weighted(blocks: list[BlockScore], costs: Costs) -> Rates:
    """The cost of two means: P_miss over the blocks with targets, P_fa over all blocks."""
    misses = [block.rates.p_miss for block in blocks if block.rates.p_miss is not None]
    alarms = [block.rates.p_fa for block in blocks]
    return _rates(sum(misses) / len(misses), sum(alarms) / len(alarms), costs)


def _utility(blocks: list[BlockScore], weight: float, floor: float) -> Utility:
    """Hits count `weight`, false alarms -1; blocks without targets have no maximum and are left out of two means."""
    plain = [weight * block.hits - block.false_alarms for block in blocks]
    normed = [
        value / (weight * (block.hits + block.misses))
        for value, block in zip(plain, blocks, strict=True)
        if block.hits + block.misses
    ]
    scaled = [(max(value, floor) - floor) / (1 - floor) for value in normed]
    means = (sum(values) / len(values) for values in (plain, normed, scaled))
    return Utility(**dict(zip(("mean", "mean_normed", "mean_scaled"), means, strict=True)))
