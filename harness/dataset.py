"""Canonical datasets: a folder with a manifest, splits, and inputs and truths kept apart.

    <id>/dataset.toml                   what it is, counts, and the hash of every file
    <id>/documents.jsonl                the texts that problems point to, by id
    <id>/{train,test}/inputs.jsonl      problems
    <id>/{train,test}/truths.jsonl      their truths (absent in a blind split)
    <id>/folds.jsonl                    where the corpus has no test split: which fold a problem is in

Everything is read when asked for; only ids and file offsets stay in memory.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.errors import FileFaultError, InputError
from harness.files import sha256_file, sha256_text
from harness.jsonl import Row, Table, read_rows
from harness.records import Document
from harness.registry import get_task
from harness.task import RowError, Task
from harness.truths import collect_truths

MANIFEST = "dataset.toml"
_KEPT_CHARACTERS = 256 * 1024 * 1024
"""Characters of documents kept in memory."""


class Documents(Mapping[str, Document]):
    """The collection of a dataset, read from disk document by document; the last ones read are kept."""

    def __init__(self, path: Path) -> None:
        self._table = Table(path)
        self._kept: dict[str, Document] = {}
        self._room = _KEPT_CHARACTERS

    def __getitem__(self, identifier: str) -> Document:
        document = self._kept.get(identifier)
        return document if document is not None else self._keep(self._read(identifier))

    def _read(self, identifier: str) -> Document:
        row = self._table[identifier]
        if not isinstance(row.get("text"), str):
            raise FileFaultError(self._table.path, f'document {identifier!r} has no "text", or one that is not a text')
        for name in ("headline", "date"):
            if not isinstance(row.get(name, ""), str):
                raise FileFaultError(self._table.path, f'document {identifier!r} has a "{name}" that is not a text')
        return Document(id=identifier, text=row["text"], headline=row.get("headline", ""), date=row.get("date", ""))

    def _keep(self, document: Document) -> Document:
        """Remember a document: where problems are pairs, each is asked for again and again."""
        if len(document.text) > self._room:
            self._kept, self._room = {}, _KEPT_CHARACTERS
        self._kept[document.id] = document
        self._room -= len(document.text)
        return document

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


class Problems(Sequence[Any]):
    """Problems as a sequence that reads each one from disk when it is looked at."""

    def __init__(
        self, table: Table, ids: Sequence[str], task: Task[Any, Any, Any], documents: Documents | None
    ) -> None:
        self._table, self._task, self._documents = table, task, documents
        self.ids = list(ids)
        """The problems' ids, in order."""

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.take(range(*index.indices(len(self))))
        return self._problem(self._table[self.ids[index]])

    def __iter__(self) -> Iterator[Any]:
        return map(self._problem, self._table.rows(self.ids))

    def _problem(self, row: Row) -> Any:
        try:
            return self._task.problem(row, self._documents if self._documents is not None else {})
        except RowError as error:
            raise FileFaultError(self._table.path, f"problem {row['id']!r}: {error}") from error

    def rows(self, field: str) -> list[str]:
        """One field of every problem's row, the empty text where it is absent."""
        return [str(row.get(field, "")) for row in self._table.rows(self.ids)]

    def take(self, positions: Iterable[int]) -> Problems:
        """The problems at these positions, as lazy as all of them."""
        return Problems(self._table, [self.ids[position] for position in positions], self._task, self._documents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One round of evaluation: what may be learnt from, and what is to be answered."""

    train: Problems
    train_truths: Sequence[Any]
    test: Problems


@dataclass(frozen=True)
class Dataset:
    """A dataset in its folder; `harness.store.open_dataset` makes one."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.manifest["id"])

    @cached_property
    def task(self) -> Task[Any, Any, Any]:
        """The task as this dataset sets it: its labels, its measures."""
        task = get_task(str(self.manifest["task"]))
        return task.within(task, self.manifest)

    @property
    def splits(self) -> list[str]:
        """The splits that are there, `train` before `test`."""
        return [name for name in ("train", "test") if (self.folder / name / "inputs.jsonl").is_file()]

    @property
    def evaluated(self) -> str:
        """The split that runs answer: `test`, or `train` by folds where there is no test split."""
        if not self.splits:
            raise InputError(f"{self.id} has no inputs; remove {self.folder} and add it again")
        return self.splits[-1]

    @property
    def primary(self) -> str:
        """The metric that ranks, as the corpus's own shared task ranked."""
        return str(self.manifest.get("primary", self.task.metrics[0]))

    @cached_property
    def documents(self) -> Documents | None:
        path = self.folder / "documents.jsonl"
        return Documents(path) if path.is_file() else None

    def inputs(self, split: str) -> Table:
        """The rows of a split's problems by id."""
        return Table(self.folder / split / "inputs.jsonl")

    def problems(self, split: str) -> Problems:
        """A split's problems in file order."""
        table = self.inputs(split)
        return Problems(table, list(table), self.task, self.documents)

    def truths(self, split: str) -> dict[str, Any]:
        """A split's truths by id; an error where the split is blind."""
        path = self.folder / split / "truths.jsonl"
        if not path.is_file():
            raise InputError(f"{self.id} has no truths for its {split} split, so it can be run but not scored")
        return collect_truths(path, read_rows(path), self.task)

    def parts(self) -> Iterator[Part]:
        """The rounds of evaluation: one for a fixed split, one a fold otherwise; one for each set of candidates."""
        for part in self._rounds():
            yield from self._by_set(part) if self.manifest.get("sets") else [part]

    def _rounds(self) -> Iterator[Part]:
        if "test" in self.splits:
            train = self.problems("train") if "train" in self.splits else self.problems("test")[:0]
            truths = self.truths("train") if "train" in self.splits else {}
            yield Part(train=train, train_truths=[truths[i] for i in train.ids], test=self.problems("test"))
            return
        problems, truths, folds = self.problems("train"), self.truths("train"), self.folds()
        for fold in sorted({row["fold"] for row in folds.values()}):
            inside = {i for i in problems.ids if folds[i]["fold"] == fold}
            barred = inside.union(*(folds[i].get("near", ()) for i in inside))
            barred.update(i for i in problems.ids if fold in folds[i].get("barred", ()))
            train = problems.take(n for n, i in enumerate(problems.ids) if i not in barred)
            test = problems.take(n for n, i in enumerate(problems.ids) if i in inside)
            yield Part(train=train, train_truths=[truths[i] for i in train.ids], test=test)

    def _by_set(self, part: Part) -> Iterator[Part]:
        """A round for each `set` that the tested problems name: a system sees one set of candidates at a time."""
        train, test = part.train.rows("set"), part.test.rows("set")
        for name in sorted(set(test)):
            places = [place for place, other in enumerate(train) if other == name]
            yield Part(
                train=part.train.take(places),
                train_truths=[part.train_truths[place] for place in places],
                test=part.test.take(place for place, other in enumerate(test) if other == name),
            )

    def folds(self) -> dict[str, Row]:
        """Fold of each training problem, as declared with the dataset; `near` ones may not train for it.

        Nor does a problem train for the folds that it is `barred` from.
        """
        path = self.folder / "folds.jsonl"
        if not path.is_file():
            raise InputError(f"{self.id} has neither a test split nor folds; add it again from its archive")
        folds = {}
        for number, row in read_rows(path):
            if not isinstance(row.get("fold"), int):
                raise FileFaultError(path, f'{row["id"]!r} has no "fold", or one that is not a number', line=number)
            folds[row["id"]] = row
        without = [identifier for identifier in self.inputs("train") if identifier not in folds]
        if without:
            raise FileFaultError(path, f"no fold for {len(without)} problems, {without[0]!r} first")
        return folds

    def fingerprint(self) -> str:
        """Hash of all that a run depends on: everything but the truths it is judged by."""
        files = dict(self.manifest["files"])
        if "test" in self.splits:
            files.pop("test/truths.jsonl", None)
        return sha256_text(*(f"{name} {digest}" for name, digest in sorted(files.items())))

    def truth_fingerprint(self) -> str:
        """Hash of the truths that judge, as they are now."""
        return sha256_file(self.folder / self.evaluated / "truths.jsonl")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a dataset folder, with what every manifest must say."""
    path = folder / MANIFEST
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFaultError(path, f"not TOML: {error}") from error
    for key, kind in (("id", str), ("task", str), ("files", dict), ("counts", dict)):
        if not isinstance(manifest.get(key, {} if key == "counts" else None), kind):
            raise FileFaultError(path, f"no {key!r}, or not as it must be; every manifest needs id, task and files")
    return manifest
