"""`bakeoff run | check | score | compare` and `bakeoff runs export`."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.output import JsonFlag, print_json, print_table, watched, write_json

if TYPE_CHECKING:
    from harness.check import Report
    from harness.dataset import Dataset
    from harness.records import Score

RunPath = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run folder, or an answers file in any official format.")
]
DatasetId = Annotated[str, typer.Argument(metavar="DATASET", help="A dataset id.")]
Metrics = Annotated[str, typer.Option(help="Metrics by name, separated by commas; the dataset's own unless given.")]
app = typer.Typer(help="Runs: export in official formats.", no_args_is_help=True)
_SHOWN = 50
"""Faults of one kind printed one by one; --json has all."""


def run(
    system: Annotated[str, typer.Argument(help="A system, with parameters if any: fuzzy_c_means(clusters=3).")],
    dataset_id: DatasetId,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Run folder; under runs/ unless given.")] = None,
    json: JsonFlag = False,
) -> None:
    """Run a system on a dataset; a run that is there already is not repeated."""
    from harness.errors import InputError
    from harness.execution import carry_out
    from harness.registry import parse_system
    from harness.run import is_whole, plan_run, resources_of
    from harness.store import open_dataset

    dataset = open_dataset(dataset_id)
    plan = plan_run(dataset, parse_system(dataset.task.name, system), seed=seed)
    reused = out is None and is_whole(plan)
    with watched(f"{plan.label} on {dataset.id}") as show:
        outcome = None if reused else carry_out(plan, dataset, out, on_progress=show)
    if outcome is not None and outcome.folder is None:
        raise InputError(f"{plan.label}: {outcome.reason}")
    folder = plan.folder if outcome is None or outcome.folder is None else outcome.folder
    resources = resources_of(folder)
    if json:
        facts = asdict(resources) if resources else None
        print_json({"run": str(folder), "identity": plan.identity, "reused": reused, "resources": facts})
        return
    took = f" in {resources.seconds:.1f} s, {resources.peak_memory_mb:.0f} MB" if resources else ""
    typer.echo(f"{folder}: {'there already, answered' if reused else 'answered'}{took}")


def check(run_path: RunPath, dataset_id: DatasetId, json: JsonFlag = False) -> None:
    """Name every fault of a run, by id and line; exit code 1 if there is any."""
    from harness.check import check_run, looks_shifted
    from harness.store import open_dataset

    dataset = open_dataset(dataset_id)
    report = check_run(run_path, dataset.task, list(dataset.inputs(dataset.evaluated)))
    faults = list(report.faults)
    if (dataset.folder / dataset.evaluated / "truths.jsonl").is_file() and not report.is_foreign:
        shifted = looks_shifted(report, dataset.task, dataset.truths(dataset.evaluated), dataset.primary)
        faults += [shifted] if shifted else []
    if json:
        rows = [{"kind": f.kind, "line": f.line, "id": f.id, "message": f.message} for f in faults]
        print_json({"run": str(report.path), "dataset": dataset.id, "format": report.format.name, "faults": rows})
    elif report.is_foreign:
        typer.echo(_foreign(report, dataset))
    else:
        counts = Counter(fault.kind for fault in faults)
        seen: Counter[str] = Counter()
        for fault in faults:
            seen[fault.kind] += 1
            if seen[fault.kind] <= _SHOWN:
                typer.echo(str(fault))
            elif seen[fault.kind] == _SHOWN + 1:
                typer.echo(f"{fault.kind}: … and {counts[fault.kind] - _SHOWN} more (all with --json)")
        summary = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "no fault"
        typer.echo(f"{report.path}: {len(report.given)} of {len(report.ids)} problems answered; {summary}")
    if faults:
        raise typer.Exit(1)


def _foreign(report: Report, dataset: Dataset) -> str:
    """One line for a run of another dataset, naming that dataset if it is here."""
    from harness.dataset import Dataset as Other
    from harness.dataset import read_manifest
    from harness.store import dataset_ids

    first = next(fault.id for fault in report.faults if fault.kind == "unknown")
    for identifier, folder in dataset_ids().items():
        other = Other(folder=folder, manifest=read_manifest(folder))
        if other.splits and first in other.inputs(other.evaluated):
            return f"{report.path}: a run of {identifier}, not of {dataset.id}: no id is asked here (first: {first!r})"
    return f"{report.path}: none of its ids is in {dataset.id} (first: {first!r}); is it a run of another dataset?"


def score(
    run_path: RunPath,
    dataset_id: Annotated[str | None, typer.Argument(metavar="[DATASET]", help="A dataset id.")] = None,
    metrics: Metrics = "",
    task: Annotated[str | None, typer.Option(help="Without a dataset: the task.")] = None,
    truth: Annotated[Path | None, typer.Option(help="Without a dataset: the official truth file.")] = None,
    policy: Annotated[
        str | None,
        typer.Option(help="What is done about faults: lenient (on datasets), official (on files), strict, …"),
    ] = None,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the scores as JSON; - for here.")
    ] = None,
) -> None:
    """Score a run on a dataset, or official files as they are."""
    from harness.errors import UsageError
    from harness.registry import get_task
    from harness.scoring import score_files, score_run
    from harness.store import open_dataset
    from metrics.call import split_list

    wanted = split_list(metrics)
    if dataset_id is not None and task is None and truth is None:
        card = score_run(run_path, open_dataset(dataset_id), metrics=wanted, policy=policy or "lenient")
    elif dataset_id is None and task is not None and truth is not None:
        card = score_files(run_path, get_task(task), truth, metrics=wanted, policy=policy or "official")
    else:
        raise UsageError("give either a dataset, or --task and --truth")
    if json is not None:
        write_json(json, card.to_json())
    if json != "-":
        for treatment in card.treatments:
            typer.echo(f"policy {card.policy}: {treatment}", err=True)
        _print_scores(card.scores, f"{card.data}, {card.problems} problems, policy {card.policy}")
        for group, scores in card.groups.items():
            _print_scores(scores, group)
        typer.echo(f"signature of the first: {card.scores[0].signature}")


def _print_scores(scores: list[Score], title: str) -> None:
    from harness.report import text

    rows = [(s.metric, text.number(s.value), text.interval(s) or s.reason) for s in scores]
    print_table(["metric", "score", "95% interval"], rows, title=title)


def compare(
    first: RunPath,
    second: RunPath,
    dataset_id: DatasetId,
    metrics: Metrics = "",
    policy: Annotated[str, typer.Option(help="What is done about faults.")] = "lenient",
    json: JsonFlag = False,
) -> None:
    """Compare two runs: differences with intervals, paired tests, the problems that decide."""
    from harness.comparison import compare_runs
    from harness.report import text
    from harness.store import open_dataset
    from metrics.call import split_list

    result = compare_runs(first, second, open_dataset(dataset_id), metrics=split_list(metrics), policy=policy)
    if json:
        print_json(asdict(result))
        return
    rows = []
    for d in result.differences:
        ends = "" if d.interval is None else f"[{d.interval[0]:+.3f}, {d.interval[1]:+.3f}]"
        gap = "n/a" if d.difference is None else f"{d.difference:+.3f}"
        rows.append((d.metric, text.number(d.first), text.number(d.second), gap, ends, text.p_value(d.p_value)))
    print_table(["metric", "first", "second", "difference", "95% interval", "p (Holm)"], rows, title=result.dataset)
    for name, p in result.tests.items():
        typer.echo(f"{name} over single problems: p = {text.p_value(p)}")
    for name, ids in (("first", result.first_better), ("second", result.second_better)):
        listed = ", ".join(ids[:10]) + (", …" if len(ids) > 10 else "")
        typer.echo(f"the {name} does better on {len(ids)} problems{': ' + listed if ids else ''}")


def evaluate(
    truths: Annotated[Path, typer.Option("-i", "--input", help="$inputDataset: the folder of the truths.")],
    run_path: Annotated[Path, typer.Option("-r", "--run", help="$inputRun: the run.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="$outputDir: where the evaluation goes.")],
    task: Annotated[str | None, typer.Option(help="The task; told by the truths unless given.")] = None,
) -> None:
    """Evaluate as TIRA does: writes evaluation.prototext and evaluation.json."""
    from harness.evaluation import evaluate as write_evaluation

    card = write_evaluation(truths, run_path, out, task=task)
    for treatment in card.treatments:
        typer.echo(f"policy {card.policy}: {treatment}", err=True)
    typer.echo(f"{card.scores[0].metric} {card.scores[0].value} in {out}")


@app.command("export")
def export(
    run_path: RunPath,
    dataset_id: DatasetId,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    kind: Annotated[str, typer.Option("--format", help="An answer format of the task: jsonl, answers.txt, …")],
    policy: Annotated[str, typer.Option(help="What is done about faults.")] = "strict",
) -> None:
    """Write a run's answers in an official format."""
    from harness.check import export_answers
    from harness.store import open_dataset

    dataset = open_dataset(dataset_id)
    ids = list(dataset.inputs(dataset.evaluated))
    count = export_answers(run_path, dataset.task, ids, kind=kind, out=out, policy=policy)
    typer.echo(f"{count} answers in {out}")
