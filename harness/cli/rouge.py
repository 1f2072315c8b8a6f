"""`bakeoff rouge`, a stand-in for the Perl program, and `bakeoff explain-rouge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from harness.cli.output import JsonFlag, print_json

UNTOUCHED = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def rouge(context: typer.Context) -> None:
    """ROUGE-1.5.5 without Perl: the same options, files and output (-h lists them)."""
    from metrics.rouge.program import run

    result = run(context.args or ["-h"], Path())
    typer.echo(result.stderr, err=True, nl=False)
    typer.echo(result.stdout, nl=False)
    raise typer.Exit(result.exit_code)


def explain_rouge(
    configuration: Annotated[Path, typer.Argument(metavar="CONFIG", help="A ROUGE-1.5.5 configuration, as for rouge.")],
    system: Annotated[str | None, typer.Argument(metavar="[SYSTEM]", help="One system; all unless given.")] = None,
    list_format: Annotated[
        str | None, typer.Option("-z", help="CONFIG is a list; the texts are in this format.")
    ] = None,
    stem: Annotated[bool, typer.Option(help="Compare stems.")] = True,
    score: Annotated[str, typer.Option(help="recall, precision or f.")] = "f",
    json: JsonFlag = False,
) -> None:
    """Score runs with ROUGE-1.5.5 and with Google's rouge-score, and account for the gap."""
    from dataclasses import asdict

    from harness.errors import InputError, UnknownNameError
    from metrics.metric import MetricError
    from metrics.rouge.explain import Part, explain_files

    if score not in ("recall", "precision", "f"):
        raise UnknownNameError("score", score, ["recall", "precision", "f"])
    try:
        found = explain_files(configuration, system, list_format=list_format, stem=stem, score=cast(Part, score))
    except MetricError as error:
        raise InputError(str(error)) from error
    if json:
        print_json({name: [asdict(e) for e in explanations] for name, explanations in found.items()})
        return
    for name, explanations in found.items():
        for explanation in explanations:
            typer.echo(f"system {name}, {explanation.type}, {explanation.score}\n{explanation}\n")
