"""How numbers are written: three decimals for people, as PAN prints; every digit for programs."""

from __future__ import annotations

from harness.leaderboard import Standing
from harness.records import Score


def number(value: float | None) -> str:
    """Three decimals, or n/a."""
    return "n/a" if value is None else f"{value:.3f}"


def interval(score: Score) -> str:
    """`[low, high]`, or nothing."""
    return "" if score.interval is None else f"[{score.interval[0]:.3f}, {score.interval[1]:.3f}]"


def p_value(value: float | None) -> str:
    """Three decimals; what is below them says so."""
    if value is None:
        return "–"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def ranks(standing: Standing) -> str:
    """`2–4`, or one number where the interval is a point."""
    if standing.rank_interval is None:
        return ""
    low, high = standing.rank_interval
    return f"{low}" if low == high else f"{low}–{high}"


def seconds(standing: Standing) -> str:
    """Run time, or nothing where it is not known."""
    return "" if standing.resources is None else f"{standing.resources.seconds:.1f}"


def megabytes(standing: Standing) -> str:
    """Peak memory, or nothing where it is not known."""
    return "" if standing.resources is None else f"{standing.resources.peak_memory_mb:.0f}"
