"""A leaderboard as a table: for the terminal, CSV, LaTeX and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from harness.leaderboard import Board, Standing
from harness.report import text

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table

_IN_TERMINAL = 5
"""Metrics shown in the terminal beside the primary one; the files have all of them."""
_KEPT = ("rank", "system")
"""Columns that stay however narrow the terminal is; the primary score stays too."""


def terminal_table(board: Board, width: int = 200) -> Table:
    """A rich table that fits the width: the least important columns go first. n/a last; reasons are told below it."""
    from rich.table import Table
    from rich.text import Text

    columns = _fitting(_terminal_columns(board), (*_KEPT, board.primary), width)
    table = Table(title=f"{board.title} ({board.dataset}, {board.problems} problems)", title_justify="left")
    for heading in columns:
        table.add_column(heading, justify="left" if heading in ("tie", "system") else "right", no_wrap=True)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*map(Text, row))
    return table


def _terminal_columns(board: Board) -> dict[str, list[str]]:
    """Headings and cells, in the order shown."""
    standings = board.standings
    others = [name for name in board.metrics if name != board.primary][:_IN_TERMINAL]
    scores = [{score.metric: score.value for score in standing.scores} for standing in standings]
    return {
        "rank": ["–" if s.rank is None else str(s.rank) for s in standings],
        "95% ranks": [text.ranks(s) for s in standings],
        "tie": [s.group for s in standings],
        "system": [s.name for s in standings],
        board.primary: [text.number(values.get(board.primary)) for values in scores],
        "95% interval": [text.interval(s.scores[0]) if s.rank is not None else "" for s in standings],
        "p": [text.p_value(s.p_value) if s.rank is not None else "" for s in standings],
        **{name: [text.number(values.get(name)) for values in scores] for name in others},
        "s": [text.seconds(s) for s in standings],
        "MB": [text.megabytes(s) for s in standings],
    }


def _fitting(columns: dict[str, list[str]], kept: Sequence[str], width: int) -> dict[str, list[str]]:
    """The columns without as many of the last ones as do not fit; two blanks and a border each."""
    sizes = {heading: 3 + max(map(len, [heading, *cells])) for heading, cells in columns.items()}
    shown = dict(columns)
    for heading in [*reversed([h for h in columns if h not in kept])]:
        if 1 + sum(sizes[name] for name in shown) <= width:
            break
        del shown[heading]
    return shown


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
