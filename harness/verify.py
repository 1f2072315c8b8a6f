"""Is a dataset on disk what its manifest says, and fit to be used?"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping

from harness.dataset import Dataset
from harness.errors import InputError
from harness.files import sha256_file
from harness.jsonl import Row
from harness.records import Document


def verify(dataset: Dataset) -> Iterator[str]:
    """Everything wrong with a dataset, one line each; nothing means it is sound."""
    yield from _files(dataset)
    if not dataset.splits:
        yield f"{dataset.folder}: neither a train nor a test split; add the dataset again"
    for split in dataset.splits:
        yield from _until_broken(_split(dataset, split))
    if dataset.splits == ["train"]:
        yield from _until_broken(_folds(dataset))


def _until_broken(faults: Iterator[str]) -> Iterator[str]:
    """Faults as they come; one that stops the reading is the last, and does not hide those before it."""
    try:
        yield from faults
    except InputError as error:
        yield str(error)


def _files(dataset: Dataset) -> Iterator[str]:
    for name, digest in dataset.manifest["files"].items():
        path = dataset.folder / name
        if not path.is_file():
            yield f"{path}: missing; add the dataset again"
        elif sha256_file(path) != digest:
            yield f"{path}: not the file the manifest describes; add the dataset again, or update the manifest"
    for path in sorted(dataset.folder.rglob("*.jsonl")):
        if path.relative_to(dataset.folder).as_posix() not in dataset.manifest["files"]:
            yield f"{path}: not in the manifest; remove it, or add the dataset again"


def _split(dataset: Dataset, split: str) -> Iterator[str]:
    problems = dataset.problems(split)
    said = dataset.manifest.get("counts", {}).get(split, {}).get("problems")
    if said is not None and said != len(problems):
        yield f"{split}: {len(problems)} problems, {said} in the manifest"
    for problem in problems:  # reads every problem: a bad row or an absent document raises with its place
        del problem
    if (dataset.folder / split / "truths.jsonl").is_file():
        truths = dataset.truths(split)
        without, beyond = set(problems.ids) - set(truths), set(truths) - set(problems.ids)
        if without:
            yield f"{split}: no truth for {len(without)} problems, {min(without)} first"
        if beyond:
            yield f"{split}: truths for {len(beyond)} problems that are not there, {min(beyond)} first"


def _folds(dataset: Dataset) -> Iterator[str]:
    """No text is on both sides of any fold; a problem without a fold raises with its place."""
    folds = dataset.folds()
    holders: dict[bytes, set[str]] = defaultdict(set)
    documents: Mapping[str, Document] = dataset.documents or {}
    for identifier, row in dataset.inputs("train").items():
        for document in _mentioned(row):
            if document in documents:
                text = documents[document].text.strip()
                holders[hashlib.sha1(text.encode()).digest()].add(identifier)
    for ids in holders.values():
        for one in ids:
            for other in ids - {one}:
                if folds[one]["fold"] != folds[other]["fold"] and other not in folds[one].get("near", ()):
                    yield f"folds: {one} and {other} share a text but are in different folds"


def _mentioned(row: Row) -> Iterator[str]:
    """Every text in a problem's row that could be a document id."""
    for key, value in row.items():
        if key != "id":
            yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))
