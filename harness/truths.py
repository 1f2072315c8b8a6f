"""Truths by id: from a dataset's own file or from an official file as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.errors import FileFaultError, InputError
from harness.jsonl import Row
from harness.task import RowError, Task

_HEAD = 64 * 1024
_FILE_NAMES = ("truth.jsonl", "truths.jsonl", "truth.txt")


def collect_truths(path: Path, rows: Iterable[tuple[int, Row]], task: Task[Any, Any, Any]) -> dict[str, Any]:
    """Parsed truths in file order; a second truth for an id, or one of the wrong type, is named by line."""
    truths: dict[str, Any] = {}
    for number, row in rows:
        identifier = row["id"]
        if identifier in truths:
            raise FileFaultError(path, f"id {identifier!r} occurs twice", line=number)
        try:
            truths[identifier] = task.truth(row)
        except RowError as error:
            raise FileFaultError(path, f"id {identifier!r}: {error}", line=number) from error
    if not truths:
        raise InputError(f"{path} holds no truth at all")
    return truths


def truth_path(path: Path, task: Task[Any, Any, Any]) -> Path:
    """The file itself, the truth file that a folder holds, or a folder that holds truths as a whole."""
    if path.is_file() or any(truth_format.is_folder(path) for truth_format in task.truth_formats):
        return path
    found = [path / name for name in _FILE_NAMES if (path / name).is_file()]
    if not found:
        raise InputError(f"{path} is not a truth file, nor a folder with {', '.join(_FILE_NAMES)}")
    return found[0]


def read_truths(path: Path, task: Task[Any, Any, Any]) -> dict[str, Any]:
    """Official truths, their format told by their content."""
    head = b""
    if path.is_file():
        with path.open("rb") as handle:
            head = handle.read(_HEAD)
    for truth_format in task.truth_formats:
        if truth_format.is_folder(path) if path.is_dir() else truth_format.recognises(head):
            return collect_truths(path, truth_format.read(path), task)
    known = ", ".join(truth_format.name for truth_format in task.truth_formats)
    raise InputError(f"{path} is no {task.name} truth file of a known format ({known})")
