"""DET curves of link detection runs against one key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.check import run_file
from harness.errors import InputError, UsageError
from harness.registry import get_task
from harness.truths import truth_path
from metrics.det import CostPoint, DetCurve, det_curve
from metrics.metric import MetricError


def draw_det(runs: Sequence[Path], truth: Path, out: Path, *, by_topic: bool = False) -> dict[str, CostPoint]:
    """Draw one figure of all runs; returns each system's point of least cost, by the name in the legend."""
    from metrics.det_figure import save_det_figure

    if out.suffix not in (".svg", ".png"):
        raise UsageError(f"{out}: a DET plot is written as .svg or .png; change the file's ending")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent} is not a folder; make it first or choose another place")
    curves: dict[str, DetCurve] = {}
    try:
        for run in runs:
            curves[_name(run, curves)] = _curve(run, truth, by_topic=by_topic)
        save_det_figure(curves, out, title=f"{truth.name}, {'topics' if by_topic else 'pairs'} weighing alike")
    except MetricError as error:
        raise InputError(str(error)) from error
    return {name: curve.minimum() for name, curve in curves.items()}


def _name(run: Path, taken: dict[str, DetCurve]) -> str:
    if run.name not in taken:
        return run.name
    if str(run) in taken:
        raise UsageError(f"{run} is given twice")
    return str(run)


def _curve(run: Path, truth: Path, *, by_topic: bool) -> DetCurve:
    task = get_task("link_detection")
    if task.read_officially is None:
        raise UsageError("link_detection cannot read official files")
    official = task.read_officially(run_file(run, task), truth_path(truth, task))
    columns = task.columns(list(official.truths.values()), list(official.answers.values()))
    return det_curve(columns["target"], columns["score"], columns["block"] if by_topic else None)
