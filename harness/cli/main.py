"""`bakeoff`: the commands, and how errors leave the program."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from harness import __version__
from harness.cli import boards, data, detection, listing, rouge, runs

app = typer.Typer(
    name="bakeoff",
    help="A shared task in a box: datasets, systems, official scores and honest leaderboards.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data.app, name="datasets")
app.add_typer(runs.app, name="runs")
app.command("tasks")(listing.tasks)
app.command("systems")(listing.systems)
app.command("metrics")(listing.metrics)
app.command("run")(runs.run)
app.command("check")(runs.check)
app.command("score")(runs.score)
app.command("compare")(runs.compare)
app.command("evaluate")(runs.evaluate)
app.command("leaderboard")(boards.leaderboard)
app.command("selftest")(boards.selftest)
app.command("reproduce")(boards.reproduce)
app.command("det")(detection.det)
app.command("rouge", context_settings=rouge.UNTOUCHED, add_help_option=False)(rouge.rouge)
app.command("explain-rouge")(rouge.explain_rouge)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bakeoff {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of bakeoff itself."""


def main() -> None:
    """Run the command; every failure is one line on standard error and an exit code of 1 or 2.

    An interrupt (exit code 130) and a reader that goes away are typer's own affair.
    """
    from harness.errors import BakeoffError

    try:
        app()
    except BakeoffError as error:
        typer.echo(f"bakeoff: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:  # a full disk, a path too long: the system's own words, on one line
        typer.echo(f"bakeoff: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
