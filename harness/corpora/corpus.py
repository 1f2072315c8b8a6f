"""What an importer delivers: a stream of items per split, and the card of the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.jsonl import Row
from harness.records import Document

Split = Literal["train", "test"]
_TEST = re.compile(r"(?<![a-z])test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One `--from`: a path, and the split it was said to be, if it was."""

    path: Path
    split: Split | None = None


def guess_split(*names: str) -> Split:
    """By the words that PAN uses in names of files and folders; anything else is training data."""
    text = " ".join(names).lower()
    return "test" if _TEST.search(text) and "train" not in text else "train"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One problem on its way into a dataset; `stratum` is what folds keep balanced.

    An importer that knows better than to tie problems by their texts says the folds itself: `fold` tests the problem,
    and it does not train for those in `barred`. Then a document need stand with the first item that has it alone.
    """

    id: str
    inputs: Row
    documents: tuple[Document, ...]
    truth: Row | None
    stratum: str = ""
    fold: int | None = None
    barred: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """A corpus ready to be written: the card, and for each split its items, streamed."""

    task: str
    card: Mapping[str, Any]
    splits: Mapping[Split, Iterable[Item]]
    folds: int = 10
    notes: list[str] = field(default_factory=list)
    """Defects met while reading, said to the user; filled as the items stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """A corpus family: the dataset ids it knows and how it reads them."""

    family: str
    task: str
    ids: tuple[str, ...]
    summary: str
    read: Callable[[str, list[Source]], Corpus]
    like: tuple[str, ...] = ()
    """Words for `--like` beside the ids themselves."""
