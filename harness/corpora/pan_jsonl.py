"""PAN 2020 to 2023 author verification: `pairs.jsonl` and `truth.jsonl`, told apart by what their rows hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.corpora.corpus import Corpus, Importer, Item, Source, Split
from harness.errors import FileFaultError, InputError, UsageError
from harness.files import PARTIAL
from harness.jsonl import Row, read_rows
from harness.records import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class _Release:
    pairs: Path
    split: Split
    truths: Mapping[str, Row] | None = None


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """Pairs and truths, from folders or single files, as one dataset."""
    del identifier
    releases: list[_Release] = []
    truths: list[Path] = []
    for source in sources:
        for path in _jsonl_files(source.path):
            if _kind_of(path) == "pairs":
                releases.append(_Release(pairs=path, split=source.split or _guess_split(path)))
            else:
                truths.append(path)
    if not releases:
        raise InputError(f"no pairs.jsonl in {', '.join(str(s.path) for s in sources)}; rows need id and pair")
    for path in truths:
        releases = _attach(path, releases)
    for release in releases:
        if release.split == "train" and release.truths is None:
            raise InputError(f"{release.pairs}: training pairs need a truth.jsonl; add it with --from")
    if len({release.split for release in releases}) != len(releases):
        raise UsageError("two files of pairs for one split; say which is which with --from train=… and --from test=…")
    releases.sort(key=lambda release: release.split != "train")
    notes = [f"{r.split}: no truths, so runs on it cannot be scored" for r in releases if r.truths is None]
    return Corpus(
        task="verification",
        card={
            "family": "pan_jsonl",
            "title": "PAN author verification, pairs of texts",
            "licence": "as distributed by PAN; not redistributed here",
            "sources": sorted(release.pairs.name for release in releases),
            "primary": "overall(year=2020)",
        },
        splits={release.split: _Items(release) for release in releases},
        notes=notes,
    )


class _Items:
    """The pairs of one release, streamed: a large PAN file does not fit into memory."""

    def __init__(self, release: _Release) -> None:
        self._release = release

    def __iter__(self) -> Iterator[Item]:
        split, truths = self._release.split, self._release.truths
        for number, row in read_rows(self._release.pairs):
            pair = row.get("pair")
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
                raise FileFaultError(self._release.pairs, f'{row["id"]!r}: "pair" must hold two texts', line=number)
            names = [f"{split}/{row['id']}/{place}" for place in ("known", "questioned")]
            documents = tuple(Document(id=n, text=t) for n, t in zip(names, pair, strict=True))
            inputs: Row = {"known": names[:1], "questioned": names[1]}
            if "fandoms" in row:
                inputs["fandoms"] = row["fandoms"]
            truth = None if truths is None else _truth(truths, row["id"], self._release.pairs, number)
            stratum = "" if truth is None else ("Y" if truth["same"] else "N")
            yield Item(id=row["id"], inputs=inputs, documents=documents, truth=truth, stratum=stratum)


def _truth(truths: Mapping[str, Row], identifier: str, path: Path, number: int) -> Row:
    if identifier not in truths:
        raise FileFaultError(path, f"no truth for {identifier!r}; use the truth file of these pairs", line=number)
    row = truths[identifier]
    return {key: row[key] for key in ("same", "authors") if key in row}


def _jsonl_files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(p for p in path.glob("*.jsonl") if not p.name.startswith(PARTIAL))
        if not files:
            raise InputError(f"no .jsonl file in {path}; expected pairs.jsonl and truth.jsonl")
        return files
    if not path.is_file():
        raise InputError(f"{path} does not exist; give a folder or a .jsonl file")
    return [path]


def _kind_of(path: Path) -> str:
    for number, row in read_rows(path):
        if "pair" in row:
            return "pairs"
        if isinstance(row.get("same"), bool):
            return "truths"
        raise FileFaultError(path, 'neither pairs nor truths: a row needs "pair" or "same"', line=number)
    raise InputError(f"{path} is empty; expected pairs or truths, one JSON object a line")


def _guess_split(path: Path) -> Split:
    name = f"{path.parent.name} {path.name}".lower()
    return "test" if "test" in name and "train" not in name else "train"


def _attach(path: Path, releases: list[_Release]) -> list[_Release]:
    """Give a truth file to the pairs whose ids it has; the first pair decides."""
    truths = {row["id"]: row for _, row in read_rows(path)}
    for position, release in enumerate(releases):
        first = next(row["id"] for _, row in read_rows(release.pairs))
        if release.truths is None and first in truths:
            return [*releases[:position], replace(release, truths=truths), *releases[position + 1 :]]
    raise FileFaultError(path, "the truth file of other pairs: their first ids are not in it")


importer = Importer(
    family="pan_jsonl",
    task="verification",
    ids=("pan20",),
    summary="PAN 2020 to 2023: pairs.jsonl and truth.jsonl",
    read=read_corpus,
)
