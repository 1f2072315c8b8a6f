"""A leaderboard as one self-contained page: no request leaves the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness import __version__
from harness.leaderboard import Board, Standing
from harness.registry import get_metric
from harness.report import text


def render(boards: Sequence[Board]) -> str:
    """The page of one or several leaderboards; every text is escaped."""
    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(text=text, bar=bar, get_metric=get_metric)
    return environment.get_template("leaderboard.html").render(boards=boards, version=__version__) + "\n"


def bar(board: Board, standing: Standing) -> dict[str, Any] | None:
    """Where the primary score and its interval lie between the metric's bounds, in percent of the bar's width."""
    score = standing.scores[0] if standing.scores else None
    if score is None or score.value is None or score.interval is None:
        return None
    ends = [s.scores[0].interval for s in board.standings if s.scores and s.scores[0].interval]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    width = (high - low) or 1.0
    place = [round(100 * (value - low) / width, 2) for value in (score.interval[0], score.value, score.interval[1])]
    return {"low": place[0], "value": place[1], "width": round(place[2] - place[0], 2)}
