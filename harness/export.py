"""Datasets on their way out, in the formats of the shared tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from harness.dataset import Dataset
from harness.errors import UnknownNameError, UsageError
from harness.files import atomic_folder
from harness.task import Release


def export_dataset(
    dataset: Dataset, kind: str, out: Path, *, blind: bool = False, split: Literal["train", "test"] | None = None
) -> int:
    """Write one split of a dataset into a new folder; returns the number of problems.

    Files are written from the problems' own fields, an allow list: a blind export holds no truth.
    """
    exports = dataset.task.exports
    if kind not in exports:
        raise UnknownNameError("export format", kind, exports)
    chosen = split or dataset.evaluated
    if chosen not in dataset.splits:
        raise UsageError(f"{dataset.id} has no {chosen} split; it has {', '.join(dataset.splits)}")
    has_truths = (dataset.folder / chosen / "truths.jsonl").is_file()
    release = Release(
        dataset=dataset.id,
        title=str(dataset.manifest.get("title", dataset.id)),
        split=chosen,
        problems=dataset.problems(chosen),
        truths=None if blind or not has_truths else dataset.truths(chosen),
    )
    with atomic_folder(out) as folder:
        exports[kind](folder, release)
    return len(release.problems)
