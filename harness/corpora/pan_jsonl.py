"""PAN 2020 to 2023 author verification: `pairs.jsonl` and `truth.jsonl`, told apart by what their rows hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, TypeGuard

from harness.corpora.archive import FileTree, Tree, open_tree
from harness.corpora.corpus import Corpus, Importer, Item, Source, Split, guess_split
from harness.errors import FileFaultError, InputError, UsageError
from harness.jsonl import Row, parse_row, split_lines
from harness.records import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One JSONL file of a folder or archive, or on its own."""

    tree: Tree
    name: str

    @property
    def where(self) -> str:
        return self.tree.where(self.name)

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Each row with its line number, streamed: a large PAN file does not fit into memory."""
        with self.tree.reading(self.name) as handle:
            for number, _, line in split_lines(handle, self.where):
                yield number, parse_row(line, self.where, number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Release:
    pairs: _File
    split: Split
    truths: Mapping[str, Row] | None = None


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """Pairs and truths, from folders, zips or single files, as one dataset."""
    del identifier
    releases: list[_Release] = []
    truths: list[_File] = []
    for source in sources:
        for file in _jsonl_files(open_tree(source.path)):
            if _kind_of(file) == "pairs":
                releases.append(_Release(pairs=file, split=source.split or _guess(file)))
            else:
                truths.append(file)
    if not releases:
        raise InputError(f"no pairs.jsonl in {', '.join(str(s.path) for s in sources)}; rows need id and pair")
    for file in truths:
        releases = _attach(file, releases)
    for release in releases:
        if release.split == "train" and release.truths is None:
            raise InputError(f"{release.pairs.where}: training pairs need a truth.jsonl; add it with --from")
    if len({release.split for release in releases}) != len(releases):
        names = ", ".join(release.pairs.where for release in releases)
        raise UsageError(f"{names}: two for one split; say which is which with --from train=… and --from test=…")
    releases.sort(key=lambda release: release.split != "train")
    notes = [f"{r.split}: no truths, so runs on it cannot be scored" for r in releases if r.truths is None]
    return Corpus(
        task="verification",
        card={
            "family": "pan_jsonl",
            "title": "PAN author verification, pairs of texts",
            "licence": "as distributed by PAN; not redistributed here",
            "sources": sorted(PurePosixPath(release.pairs.name).name for release in releases),
            "primary": "overall(year=2020)",
            "metrics": ["overall(year=2020)", "auc", "c_at_1", "f_05_u", "f1", "brier", "overall"],
        },
        splits={release.split: _Items(release) for release in releases},
        notes=notes,
    )


class _Items:
    """The pairs of one release, read as they are walked."""

    def __init__(self, release: _Release) -> None:
        self._release = release

    def __iter__(self) -> Iterator[Item]:
        truths, where = self._release.truths, self._release.pairs.where
        lines: dict[str, int] = {}
        for number, row in self._release.pairs.rows():
            identifier = row["id"]
            if identifier in lines:
                message = f"id {identifier!r} stands in line {lines[identifier]} already; remove one of the two"
                raise FileFaultError(where, message, line=number)
            lines[identifier] = number
            if truths is not None and identifier not in truths:
                message = f"no truth for {identifier!r}; use the truth file of these pairs"
                raise FileFaultError(where, message, line=number)
            yield self._item(row, number, None if truths is None else truths[identifier])

    def _item(self, row: Row, number: int, truth: Row | None) -> Item:
        where, pair = self._release.pairs.where, row.get("pair")
        if not _are_texts(pair) or len(pair) != 2:
            raise FileFaultError(where, f'{row["id"]!r}: "pair" must hold two texts', line=number)
        if "fandoms" in row and not _are_texts(row["fandoms"]):
            raise FileFaultError(where, f'{row["id"]!r}: "fandoms" must be a list of texts', line=number)
        names = [f"{self._release.split}/{row['id']}/{place}" for place in ("known", "questioned")]
        documents = tuple(Document(id=n, text=t) for n, t in zip(names, pair, strict=True))
        inputs: Row = {"known": names[:1], "questioned": names[1]}
        if "fandoms" in row:
            inputs["fandoms"] = row["fandoms"]
        stratum = "" if truth is None else ("Y" if truth["same"] else "N")
        return Item(id=row["id"], inputs=inputs, documents=documents, truth=truth, stratum=stratum)


def _are_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _jsonl_files(tree: Tree) -> list[_File]:
    """The file itself, or those at the top of a folder or archive or below its one top folder."""
    if isinstance(tree, FileTree):
        return [_File(tree=tree, name=name) for name in tree.files()]
    names = [PurePosixPath(name) for name in tree.files() if name.endswith(".jsonl")]
    visible = [name for name in names if not name.name.startswith(".")]
    if not visible or len({name.parent for name in visible}) > 1 or len(visible[0].parts) > 2:
        raise InputError(f"{tree.path}: no one folder of .jsonl files; expected pairs.jsonl and truth.jsonl")
    return [_File(tree=tree, name=name.as_posix()) for name in visible]


def _kind_of(file: _File) -> str:
    for number, row in file.rows():
        if "pair" in row:
            return "pairs"
        if "same" in row:
            return "truths"
        raise FileFaultError(file.where, 'neither pairs nor truths: a row needs "pair" or "same"', line=number)
    raise InputError(f"{file.where} is empty; expected pairs or truths, one JSON object a line")


def _guess(file: _File) -> Split:
    path = file.tree.path.resolve()
    return guess_split(path.parent.name if isinstance(file.tree, FileTree) else path.name, file.name)


def _attach(file: _File, releases: list[_Release]) -> list[_Release]:
    """Give a truth file to the pairs whose ids it has; the first pair decides."""
    truths = _truths(file)
    for position, release in enumerate(releases):
        first = next(row["id"] for _, row in release.pairs.rows())
        if release.truths is None and first in truths:
            return [*releases[:position], replace(release, truths=truths), *releases[position + 1 :]]
    message = "the truth file of other pairs, or a second one: no first pair's id without truth is in it; leave it out"
    raise FileFaultError(file.where, message)


def _truths(file: _File) -> dict[str, Row]:
    truths: dict[str, Row] = {}
    for number, row in file.rows():
        if not isinstance(row.get("same"), bool):
            raise FileFaultError(file.where, f'{row["id"]!r}: "same" must be true or false', line=number)
        if "authors" in row and not _are_texts(row["authors"]):
            raise FileFaultError(file.where, f'{row["id"]!r}: "authors" must be a list of texts', line=number)
        if row["id"] in truths:
            raise FileFaultError(file.where, f"id {row['id']!r} occurs twice; keep the right one", line=number)
        truths[row["id"]] = {key: row[key] for key in ("same", "authors") if key in row}
    return truths


importer = Importer(
    family="pan_jsonl",
    task="verification",
    ids=("pan20",),
    summary="PAN 2020 to 2023: pairs.jsonl and truth.jsonl",
    read=read_corpus,
)
