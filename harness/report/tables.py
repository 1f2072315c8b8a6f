"""A leaderboard as a table: for the terminal, CSV, LaTeX and JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from harness.leaderboard import Board, Standing
from harness.report import text

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table

_IN_TERMINAL = 5
"""Metrics shown in the terminal beside the primary one; the files have all of them."""


def terminal_table(board: Board) -> Table:
    """A rich table; n/a last, with its reason."""
    from rich.table import Table

    table = Table(title=f"{board.title} ({board.dataset}, {board.problems} problems)", title_justify="left")
    others = [name for name in board.metrics if name != board.primary][:_IN_TERMINAL]
    for heading in ("rank", "95% ranks", "tie", "system"):
        table.add_column(heading, no_wrap=heading != "system")
    for heading in (board.primary, "95% interval", "p", *others, "s", "MB"):
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in board.standings:
        table.add_row(*_terminal_row(standing, others))
    return table


def _terminal_row(standing: Standing, others: list[str]) -> list[str]:
    scores = {score.metric: score for score in standing.scores}
    if standing.rank is None:
        return ["–", "", "", standing.name, "n/a", standing.reason]
    primary = standing.scores[0]
    return [
        str(standing.rank),
        text.ranks(standing),
        standing.group,
        standing.name,
        text.number(primary.value),
        text.interval(primary),
        text.p_value(standing.p_value),
        *(text.number(scores[name].value) for name in others),
        text.seconds(standing),
        text.megabytes(standing),
    ]


def frame(board: Board) -> DataFrame:
    """A data frame with a row per system and every digit."""
    import pandas

    return pandas.DataFrame([_record(board, standing) for standing in board.standings])


def _record(board: Board, standing: Standing) -> dict[str, Any]:
    low, high = standing.rank_interval or (None, None)
    record: dict[str, Any] = {
        "rank": standing.rank,
        "rank_low": low,
        "rank_high": high,
        "tie_group": standing.group or None,
        "system": standing.name,
        "p_value": standing.p_value,
    }
    scores = {score.metric: score for score in standing.scores}
    for name in board.metrics:
        score = scores.get(name)
        ends = (score.interval if score else None) or (None, None)
        record |= {name: score.value if score else None, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    resources = standing.resources
    record["seconds"] = resources.seconds if resources else None
    record["peak_memory_mb"] = resources.peak_memory_mb if resources else None
    record["reason"] = standing.reason or None
    return record


def to_csv(board: Board) -> str:
    """Comma-separated values, one row a system."""
    table = frame(board)
    for name in ("rank", "rank_low", "rank_high"):
        table[name] = table[name].astype("Int64")
    return str(table.to_csv(index=False, lineterminator="\n"))


def to_latex(board: Board) -> str:
    """A table for an overview paper; the best value of each metric is bold."""
    import pandas

    rows = []
    for standing in board.standings:
        scores = {score.metric: score for score in standing.scores}
        primary = scores.get(board.primary)
        rows.append(
            {
                "Rank": "–" if standing.rank is None else str(standing.rank),
                "System": _latex(standing.name),
                **{_latex(name): _latex_number(board, scores.get(name)) for name in board.metrics},
                "95\\% interval": text.interval(primary) if primary else _latex(standing.reason),
                "Tie": standing.group,
            }
        )
    caption = f"{_latex(board.title)}: {board.problems} problems."
    table = pandas.DataFrame(rows)
    columns = "rl" + "r" * len(board.metrics) + "cl"
    return str(table.to_latex(index=False, escape=False, caption=caption, column_format=columns))


def _latex_number(board: Board, score: Any) -> str:
    if score is None or score.value is None:
        return "n/a"
    values = [s.value for st in board.standings for s in st.scores if s.metric == score.metric and s.value is not None]
    from harness.registry import get_metric

    best = max(values) if get_metric(score.metric).direction == "max" else min(values)
    shown = text.number(score.value)
    return f"\\textbf{{{shown}}}" if score.value == best else shown


def _latex(plain: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {character: f"\\{character}" for character in "&%$#_{}"}
    return "".join(special.get(character, character) for character in plain)


def to_json(board: Board) -> str:
    """Everything the board knows."""
    return json.dumps(asdict(board), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
