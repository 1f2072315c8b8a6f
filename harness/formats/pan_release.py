"""Verification problems as PAN releases them: pairs.jsonl where every problem is a pair, else a folder a problem."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.jsonl import Row, write_rows
from harness.task import Release


def text_row(problem: Any) -> Row:
    """A problem's texts: PAN's `pair` for one known text, else `known` and `questioned`."""
    known = [document.text for document in problem.known]
    if len(known) == 1:
        return {"pair": [known[0], problem.questioned.text]}
    return {"known": known, "questioned": problem.questioned.text}


def write_release(folder: Path, release: Release) -> None:
    """PAN 2020's two JSONL files, or PAN 2014's folders where a problem has several known texts."""
    if all(len(problem.known) == 1 for problem in release.problems):
        _write_pairs(folder, release)
    else:
        _write_folders(folder, release)


def _write_pairs(folder: Path, release: Release) -> None:
    write_rows(folder / "pairs.jsonl", ({"id": p.id, **text_row(p)} for p in release.problems))
    if release.truths is not None:
        rows = ({"id": i, "same": t.same, **_authors(t)} for i, t in release.truths.items())
        write_rows(folder / "truth.jsonl", rows)


def _authors(truth: Any) -> Row:
    return {"authors": list(truth.authors)} if truth.authors else {}


def _write_folders(folder: Path, release: Release) -> None:
    names = []
    for problem in release.problems:
        names.append(problem.id)
        place = folder / problem.id
        place.mkdir()
        for number, document in enumerate(problem.known, start=1):
            (place / f"known{number:02d}.txt").write_text(document.text, encoding="utf-8", newline="\n")
        (place / "unknown.txt").write_text(problem.questioned.text, encoding="utf-8", newline="\n")
    (folder / "contents.json").write_text(json.dumps({"problems": names}, indent=1) + "\n", encoding="utf-8")
    if release.truths is not None:
        lines = [f"{i} {'Y' if truth.same else 'N'}\n" for i, truth in release.truths.items()]
        (folder / "truth.txt").write_text("".join(lines), encoding="utf-8", newline="\n")
