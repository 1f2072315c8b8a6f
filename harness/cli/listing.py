"""`bakeoff tasks | systems | metrics`."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from harness.cli.output import JsonFlag, print_json, print_table


def tasks(json: JsonFlag = False) -> None:
    """List the tasks."""
    from harness.registry import get_task, task_names

    found = [get_task(name) for name in task_names()]
    if json:
        print_json([{"name": t.name, "title": t.title, "summary": t.summary} for t in found])
        return
    print_table(["task", "what is asked"], ((t.name, t.summary) for t in found))


def systems(
    task: Annotated[str | None, typer.Argument(help="Only the systems of this task.")] = None, json: JsonFlag = False
) -> None:
    """List the systems, without loading them."""
    from harness.registry import list_systems

    found = list_systems(task)
    if json:
        rows = [{"task": s.task, "name": s.name, "summary": s.summary, "parameters": s.parameters} for s in found]
        print_json(rows)
        return
    if not found:
        typer.echo(f"no system for {task} yet")
        return
    print_table(
        ["task", "system", "parameters", "what it does"], ((s.task, s.name, s.parameters, s.summary) for s in found)
    )


def metrics(
    task: Annotated[str | None, typer.Argument(help="Only the metrics of this task.")] = None, json: JsonFlag = False
) -> None:
    """List the metrics, or a task's metrics in the order they are reported."""
    import metrics as package
    from harness.registry import get_metric, get_task, plugged_in_metrics

    names = get_task(task).metrics if task else [*package.catalogue(), *plugged_in_metrics()]
    found = [get_metric(name) for name in names]
    if json:
        keys = ("summary", "direction", "cite", "empty", "single_class", "nan", "unanswered")
        rows = [{"name": str(m), "signature": m.signature, **{k: getattr(m, k) for k in keys}} for m in found]
        for row, metric in zip(rows, found, strict=True):  # JSON has no infinity: an open end is null
            row["bounds"] = [bound if math.isfinite(bound) else None for bound in metric.bounds]
        print_json(rows)
        return
    print_table(
        ["metric", "better", "bounds", "what it measures", "unanswered problems", "source"],
        ((m, m.direction, f"{m.bounds[0]:g}–{m.bounds[1]:g}", m.summary, m.unanswered, m.cite) for m in found),
    )
