"""What the importers of attribution corpora share: items of one text each, and the notes that a user should read."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from harness.corpora.corpus import Item, Split
from harness.jsonl import Row
from harness.records import Document

_SHOWN = 5
"""Names listed in a note before it says how many more there are."""


def text_item(identifier: str, text: str, author: str | None, *, candidates: str = "", stratum: str = "") -> Item:
    """A text as a problem of the attribution task; `author` is None where it is not told."""
    where: Row = {"set": candidates} if candidates else {}
    return Item(
        id=identifier,
        inputs={"document": identifier, **where},
        documents=(Document(id=identifier, text=text),),
        truth=None if author is None else {"author": author, **where},
        stratum=stratum or author or "",
    )


def authors_of(items: Iterable[Item]) -> Counter[str]:
    """How many texts each author has, candidates of different sets kept apart; texts without a truth are left out."""
    return Counter(_author(item) for item in items if item.truth is not None)


def notes_on(splits: Mapping[Split, Sequence[Item]]) -> list[str]:
    """What is odd but no error: lone texts, authors without a known text, empty texts, texts that occur twice."""
    notes = [note for split, items in splits.items() for note in _on_texts(split, items)]
    known = authors_of(splits.get("train", ()))
    lone = sorted(author for author, count in known.items() if count == 1)
    if lone:
        notes.append(f"train: one text alone by {_listed(lone)}")
    asked = authors_of(splits.get("test", ()))
    strangers = sorted(author for author in asked if author not in known and not author.endswith("<UNK>"))
    if strangers:
        notes.append(f"test: no known text by {_listed(strangers)}, so nobody can be expected to name them")
    return notes + list(_on_both_sides(splits))


def _on_texts(split: Split, items: Sequence[Item]) -> Iterator[str]:
    empty = [item.id for item in items if not item.documents[0].text.strip()]
    if empty:
        yield f"{split}: no text at all in {_listed(empty)}"
    for ids in _holders(items).values():
        if len(ids) > 1:
            yield f"{split}: {' and '.join(ids)} are the same text"


def _on_both_sides(splits: Mapping[Split, Sequence[Item]]) -> Iterator[str]:
    train, test = (_holders(splits.get(split, ())) for split in ("train", "test"))
    for digest, ids in test.items():
        if digest in train:
            yield f"{ids[0]} of test is the same text as {train[digest][0]} of train"


def _holders(items: Sequence[Item]) -> dict[bytes, list[str]]:
    """Ids by text and set of candidates, empty texts left out."""
    holders: dict[bytes, list[str]] = defaultdict(list)
    for item in items:
        text = item.documents[0].text.strip()
        if text:
            holders[hashlib.sha1(f"{item.inputs.get('set', '')}\0{text}".encode()).digest()].append(item.id)
    return holders


def _author(item: Item) -> str:
    candidates, author = item.inputs.get("set", ""), (item.truth or {})["author"]
    return f"{candidates}/{author}" if candidates else str(author)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
