"""What commands share in printing: tables, JSON, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal; piped output is not cut."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, soft_wrap=False, width=None if stream.isatty() else 200, highlight=False)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """A plain rich table; every cell is shown as it is, markup and all."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console().print(table)


def print_json(content: Any) -> None:
    """JSON on standard output."""
    typer.echo(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def write_json(target: str, content: str) -> None:
    """JSON to a file, or to standard output for `-`."""
    if target == "-":
        typer.echo(content, nl=False)
    else:
        from harness.files import write_atomic

        write_atomic(Path(target), content)


@contextmanager
def watched(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on standard error while the block runs; yields the function that moves it."""
    with _progress() as display:
        bar = display.add_task(what, total=None)
        yield lambda done, total, name: display.update(bar, completed=done, total=total, description=name)


def _progress() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Where nobody watches, a bar would only leave an empty line before an error.
    return Progress(*columns, console=console(stderr=True), transient=True, disable=not sys.stderr.isatty())
