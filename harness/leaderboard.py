"""Leaderboards: a pure function of many runs' answers to the same problems.

Ranked by the primary metric; systems with equal values share the better rank. Intervals and rank intervals come from
the same bootstrap resamples for every system. Significance is approximate randomisation with Holm's correction.
A tie group is a leader and all below it that do not differ from it significantly; n/a stands last, with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.check import Treated
from harness.records import Resources, Score
from harness.registry import get_metric
from harness.scoring import LEVEL, resample, score_columns
from harness.task import Task
from metrics import Metric
from metrics.significance import approximate_randomisation, holm
from metrics.uncertainty import rank_intervals

ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A system on its way to the board: its treated answers, or why there are none."""

    name: str
    treated: Treated | None = None
    resources: Resources | None = None
    reason: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of a leaderboard."""

    name: str
    summary: str
    rank: int | None
    rank_interval: tuple[int, int] | None
    group: str
    p_value: float | None
    scores: list[Score]
    resources: Resources | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A leaderboard with all that its pages show."""

    dataset: str
    title: str
    task: str
    problems: int
    primary: str
    direction: str
    metrics: list[str]
    standings: list[Standing]
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    entrant: Entrant
    columns: Mapping[str, Any]
    scores: list[Score]
    primary_samples: Any


def make_board(
    task: Task[Any, Any, Any],
    truths: Mapping[str, Any],
    entrants: Sequence[Entrant],
    *,
    dataset: str,
    title: str,
    data: str,
    metrics: Sequence[str],
) -> Board:
    """Rank entrants by the first of the metrics."""
    measures = [get_metric(text) for text in metrics]
    primary = measures[0]
    scored = [_score(task, truths, e, e.treated, measures, data) for e in entrants if e.treated is not None]
    ranked = sorted((s for s in scored if s.scores[0].value is not None), key=lambda s: _order(primary, s))
    p_values = _against(ranked[0], ranked[1:], primary) if ranked else []
    groups = _tie_groups(ranked, primary, p_values)
    spans = rank_intervals(np.array([s.primary_samples for s in ranked]), direction=primary.direction) if ranked else []
    standings = [
        _standing(s, rank=_rank(ranked, s), span=spans[n], group=groups[n], p=None if n == 0 else p_values[n - 1])
        for n, s in enumerate(ranked)
    ]
    standings += [_standing(s, reason=s.scores[0].reason) for s in scored if s.scores[0].value is None]
    standings += [_absent(entrant) for entrant in entrants if entrant.treated is None]
    return Board(
        dataset=dataset,
        title=title,
        task=task.name,
        problems=len(truths),
        primary=str(primary),
        direction=primary.direction,
        metrics=[str(metric) for metric in measures],
        standings=standings,
        facts={"level": LEVEL, "alpha": ALPHA, "data": data},
    )


def _score(
    task: Task[Any, Any, Any],
    truths: Mapping[str, Any],
    entrant: Entrant,
    treated: Treated,
    measures: Sequence[Metric],
    data: str,
) -> _Scored:
    columns = task.columns(list(truths.values()), [treated.answers[i] for i in truths])
    samples = resample(measures, columns)
    scores = score_columns(columns, samples, treated, measures, data)
    return _Scored(entrant=entrant, columns=columns, scores=scores, primary_samples=samples[0])


def _order(primary: Metric, scored: _Scored) -> tuple[float, str]:
    value = scored.scores[0].value or 0.0
    return (-value if primary.direction == "max" else value, scored.entrant.name)


def _rank(ranked: Sequence[_Scored], scored: _Scored) -> int:
    return 1 + next(n for n, other in enumerate(ranked) if other.scores[0].value == scored.scores[0].value)


def _against(leader: _Scored, others: Sequence[_Scored], primary: Metric) -> list[float]:
    """Holm-corrected p of each difference to the leader."""
    trials = max(1000, 100 * len(others))  # so that the least corrected p is at most 0.01
    ours = [leader.columns[name] for name in primary.columns]
    theirs = ([other.columns[name] for name in primary.columns] for other in others)
    return holm([approximate_randomisation(primary, ours, columns, trials=trials) for columns in theirs])


def _tie_groups(ranked: Sequence[_Scored], primary: Metric, p_values: Sequence[float]) -> list[str]:
    """Letters: `a` for the best and all that do not differ from it, `b` for the best of the rest, and so on."""
    groups = [""] * len(ranked)
    letter, leader, ps = ord("a"), 0, list(p_values)
    while leader < len(ranked):
        rest = range(leader + 1, len(ranked))
        members = [leader, *(n for n, p in zip(rest, ps, strict=True) if p >= ALPHA)]
        end = next((n for n in rest if n not in members), len(ranked))
        for n in range(leader, end):
            groups[n] = chr(letter) if letter <= ord("z") else f"z{letter - ord('z')}"
        leader, letter = end, letter + 1
        if leader < len(ranked):
            ps = _against(ranked[leader], ranked[leader + 1 :], primary)
    return groups


def _standing(
    scored: _Scored,
    *,
    rank: int | None = None,
    span: tuple[int, int] | None = None,
    group: str = "",
    p: float | None = None,
    reason: str = "",
) -> Standing:
    entrant = scored.entrant
    return Standing(
        name=entrant.name,
        summary=entrant.summary,
        rank=rank,
        rank_interval=span,
        group=group,
        p_value=p,
        scores=scored.scores,
        resources=entrant.resources,
        reason=reason,
    )


def _absent(entrant: Entrant) -> Standing:
    return Standing(
        name=entrant.name,
        summary=entrant.summary,
        rank=None,
        rank_interval=None,
        group="",
        p_value=None,
        scores=[],
        resources=entrant.resources,
        reason=entrant.reason,
    )
