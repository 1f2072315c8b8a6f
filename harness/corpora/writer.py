"""From a corpus to a canonical dataset: streamed to disk, whole or not at all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import tomli_w

from harness.corpora.corpus import Corpus, Item
from harness.corpora.folds import Member, assign_folds
from harness.dataset import MANIFEST
from harness.errors import InputError
from harness.files import atomic_folder, sha256_file
from harness.jsonl import Row, dump_row, write_rows
from harness.records import Document


def write_dataset(identifier: str, corpus: Corpus, target: Path, *, replace: bool = False) -> dict[str, Any]:
    """Write a corpus as the dataset `identifier`; returns its manifest."""
    with atomic_folder(target, replace=replace) as folder:
        manifest = write_data(identifier, corpus, folder)
        (folder / MANIFEST).write_text(tomli_w.dumps(manifest), encoding="utf-8")
    return manifest


def write_data(identifier: str, corpus: Corpus, folder: Path) -> dict[str, Any]:
    """Write the data files into a folder; returns the manifest that describes them."""
    counts: dict[str, Any] = {}
    members: list[Member] = []
    seen: set[str] = set()
    with (folder / "documents.jsonl").open("w", encoding="utf-8", newline="\n") as documents:
        for split, items in corpus.splits.items():
            (folder / split).mkdir()
            members = []
            counts[split] = _write_split(folder / split, items, documents, members, seen)
            if not members:
                raise InputError(f"no problem found for the {split} split of {identifier}; is this the right archive?")
    if "test" not in corpus.splits:
        write_rows(folder / "folds.jsonl", assign_folds(members, corpus.folds))
    files = sorted(path for path in folder.rglob("*.jsonl"))
    return {
        "id": identifier,
        "task": corpus.task,
        **corpus.card,
        "counts": counts,
        **({"notes": corpus.notes} if corpus.notes else {}),
        "files": {path.relative_to(folder).as_posix(): sha256_file(path) for path in files},
    }


def _document_row(document: Document) -> Row:
    """A document as it is kept; what it does not have is left out."""
    about = {"headline": document.headline, "date": document.date}
    return {"id": document.id, "text": document.text, **{name: value for name, value in about.items() if value}}


def _member(item: Item) -> Member:
    texts: frozenset[str] = frozenset()
    if item.fold is None:
        texts = frozenset(hashlib.sha1(d.text.strip().encode()).hexdigest() for d in item.documents)
    return Member(id=item.id, texts=texts, stratum=item.stratum, fold=item.fold, barred=item.barred)


def _write_split(
    folder: Path, items: Iterable[Item], documents: TextIO, members: list[Member], seen: set[str]
) -> dict[str, Any]:
    """One split's inputs and truths; a split is blind as a whole or not at all."""
    counts: Counter[str] = Counter()
    strata: Counter[str] = Counter()
    ids: set[str] = set()
    inputs_path, truths_path = folder / "inputs.jsonl", folder / "truths.jsonl"
    with (
        inputs_path.open("w", encoding="utf-8", newline="\n") as inputs,
        truths_path.open("w", encoding="utf-8", newline="\n") as truths,
    ):
        for item in items:
            if item.id in ids:
                raise InputError(f"problem {item.id!r} occurs twice in the {folder.name} split; remove one source")
            ids.add(item.id)
            inputs.write(dump_row({"id": item.id, **item.inputs}) + "\n")
            if item.truth is not None:
                truths.write(dump_row({"id": item.id, **item.truth}) + "\n")
                counts["truths"] += 1
                strata[item.stratum] += 1
            for document in item.documents:
                counts["documents"] += 1
                if document.id not in seen:
                    seen.add(document.id)
                    documents.write(dump_row(_document_row(document)) + "\n")
            members.append(_member(item))
    if counts["truths"] == 0:
        truths_path.unlink()
    elif counts["truths"] != len(members):
        raise InputError(f"the {folder.name} split has {len(members)} problems but {counts['truths']} truths")
    return {
        "problems": len(members),
        "documents": counts["documents"],
        **({"truths": dict(sorted(strata.items()))} if strata else {}),
    }
