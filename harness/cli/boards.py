"""`bakeoff leaderboard | selftest | reproduce`."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.output import JsonFlag, console, print_json, print_table, watched


def leaderboard(
    dataset_ids: Annotated[list[str] | None, typer.Argument(metavar="[DATASET]…", help="Dataset ids.")] = None,
    systems: Annotated[str, typer.Option(help="Systems, separated by commas; all of the task unless given.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Worker processes.")] = os.cpu_count() or 1,
    out: Annotated[Path | None, typer.Option(help="Folder for pages and tables; leaderboard/ unless given.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Run systems on datasets, rank them, and write pages and tables; finished runs are not repeated.

    Exit code 1 if a system has no rank; the others are ranked all the same.
    """
    from harness.contest import DEFAULT_DATASETS, hold_contest, write_boards
    from harness.home import home
    from harness.report.tables import terminal_table
    from metrics.call import split_list

    chosen = dataset_ids or list(DEFAULT_DATASETS)
    with watched("systems") as show:
        boards = hold_contest(chosen, split_list(systems), jobs=jobs, seed=seed, on_progress=show)
    written = write_boards(boards, out or home() / "leaderboard")
    if json:
        print_json([asdict(board) for board in boards])
    else:
        for board in boards:
            console().print(terminal_table(board, console().width))
    failed = [(board.dataset, s) for board in boards for s in board.standings if s.rank is None]
    for dataset, standing in failed:
        typer.echo(f"{dataset}: {standing.name}: n/a: {standing.reason}", err=True)
    if not json:
        typer.echo(f"written: {', '.join(map(str, written))}")
    if failed:
        raise typer.Exit(1)


def selftest(
    dataset_id: Annotated[str, typer.Argument(metavar="DATASET", help="A dataset id.")], json: JsonFlag = False
) -> None:
    """Prove the evaluator on a dataset; exit code 1 if anything does not hold."""
    from harness.selftest import selftest as trials_of
    from harness.store import open_dataset

    trials = list(trials_of(open_dataset(dataset_id)))
    if json:
        print_json([asdict(trial) for trial in trials])
    else:
        rows = (("holds" if t.passed else "FAILS", t.name, t.detail) for t in trials)
        print_table(["", "what must hold", "seen"], rows, title=dataset_id)
    if not all(trial.passed for trial in trials):
        raise typer.Exit(1)


def reproduce(
    paper: Annotated[str, typer.Argument(help="A paper: fuzzy_c_means, mkl_ssad, multiclass_eg.")],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Rebuild a paper's tables: paper, measured, difference, and what does not reproduce."""
    from harness.papers import reproduce as rebuild

    with watched(paper) as show:
        result = rebuild(paper, quick=quick, seed=seed, on_progress=show)
    if json:
        print_json([asdict(table) for table in result])
        return
    for table in result:
        print_table(table.headings, table.rows, title=table.title)
        for note in table.notes:
            typer.echo(f"- {note}")
