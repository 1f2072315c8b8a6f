"""The evaluator as TIRA calls it: truths and a run in, `evaluation.prototext` and `evaluation.json` out."""

from __future__ import annotations

from pathlib import Path

from harness.errors import InputError, UsageError
from harness.files import write_atomic
from harness.jsonl import read_rows
from harness.registry import get_task, task_names
from harness.scoring import ScoreCard, score_files
from harness.task import RowError
from harness.truths import truth_path

PROTOTEXT, JSON = "evaluation.prototext", "evaluation.json"


def evaluate(truths: Path, run: Path, out: Path, *, task: str | None = None) -> ScoreCard:
    """Score a run against truths and write both files; the task is told by the truths unless named."""
    name = task or recognise_task(truths)
    card = score_files(run, get_task(name), truths, policy="lenient")
    write_atomic(out / PROTOTEXT, prototext(card))
    write_atomic(out / JSON, card.to_json())
    return card


def recognise_task(truths: Path) -> str:
    """The one task whose truths these are, by their first row."""
    for name in task_names():
        task = get_task(name)
        try:
            _, row = next(iter(read_rows(truth_path(truths, task))))
            task.truth(row)
        except (InputError, RowError, StopIteration):
            continue
        return name
    raise UsageError(f"{truths}: no task has such truths; name it with --task")


def prototext(card: ScoreCard) -> str:
    """A measure a score, values as quoted text with every digit; a colon or a quote would break TIRA's reader."""
    lines = []
    for score in card.scores:
        key = score.metric.replace(":", " ").replace('"', " ")
        value = "n/a" if score.value is None else repr(score.value)
        lines.append(f'measure{{\n  key: "{key}"\n  value: "{value}"\n}}\n')
    return "".join(lines)
