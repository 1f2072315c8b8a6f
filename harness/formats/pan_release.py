"""Verification problems as PAN releases them: pairs.jsonl where every problem is a pair, else a folder a problem."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from harness.errors import InputError
from harness.jsonl import Row, write_rows
from harness.task import Release

_BOM = "\ufeff"


def text_row(problems: Sequence[Any]) -> Callable[[Any], Row]:
    """How these problems are written as rows, with the same fields in each.

    PAN's `pair` where every problem has one known text, else `known` and `questioned`.
    """
    return _pair if _are_pairs(problems) else _texts


def _are_pairs(problems: Sequence[Any]) -> bool:
    return all(len(problem.known) == 1 for problem in problems)


def _pair(problem: Any) -> Row:
    return {"pair": [problem.known[0].text, problem.questioned.text]}


def _texts(problem: Any) -> Row:
    return {"known": [document.text for document in problem.known], "questioned": problem.questioned.text}


def write_release(folder: Path, release: Release) -> None:
    """PAN 2020's two JSONL files, or PAN 2014's folders where a problem has several known texts."""
    if _are_pairs(release.problems):
        _write_pairs(folder, release)
    else:
        _write_folders(folder, release)


def _write_pairs(folder: Path, release: Release) -> None:
    write_rows(folder / "pairs.jsonl", ({"id": p.id, **_pair(p)} for p in release.problems))
    if release.truths is not None:
        rows = ({"id": i, "same": t.same, **_authors(t)} for i, t in release.truths.items())
        write_rows(folder / "truth.jsonl", rows)


def _authors(truth: Any) -> Row:
    return {"authors": list(truth.authors)} if truth.authors else {}


def _write_folders(folder: Path, release: Release) -> None:
    names = []
    for problem in release.problems:
        names.append(problem.id)
        place = folder / _folder_name(problem.id)
        place.mkdir()
        for number, document in enumerate(problem.known, start=1):
            _write_text(place / f"known{number:02d}.txt", document.text)
        _write_text(place / "unknown.txt", problem.questioned.text)
    (folder / "contents.json").write_text(json.dumps({"problems": names}, indent=1) + "\n", encoding="utf-8")
    if release.truths is not None:
        lines = [f"{i} {'Y' if truth.same else 'N'}\n" for i, truth in release.truths.items()]
        (folder / "truth.txt").write_text("".join(lines), encoding="utf-8", newline="\n")


def _folder_name(identifier: str) -> str:
    """A problem's id as the name of its folder; one that leads elsewhere, or breaks truth.txt, is refused."""
    if identifier in ("", ".", "..") or set("/\\\0") & set(identifier) or len(identifier.split()) != 1:
        raise InputError(f"problem {identifier!r} cannot be a folder of a PAN release; export it with --format tira")
    return identifier


def _write_text(path: Path, text: str) -> None:
    """A text that opens with U+FEFF gets a second one, because readers take the first for a byte order mark."""
    path.write_text((_BOM if text.startswith(_BOM) else "") + text, encoding="utf-8", newline="\n")
