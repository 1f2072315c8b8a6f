"""C50, Reuters news by fifty authors: `C50train/<Author>/<number>newsML.txt` and the same under `C50test`.

Texts close with the byline of their desk, often with a telephone number that belongs to one author. All of it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from harness.corpora.archive import Tree, open_tree
from harness.corpora.attribution import notes_on, text_item
from harness.corpora.corpus import Corpus, Importer, Item, Source, Split
from harness.errors import FileFaultError, InputError, UsageError
from harness.files import decode_text

TEN = (
    "AaronPressman",
    "AlanCrosby",
    "AlexanderSmith",
    "BenjaminKangLim",
    "BernardHickey",
    "BradDorfman",
    "DarrenSchuettler",
    "DavidLawder",
    "EdnaFernandes",
    "EricAuchard",
)
"""The authors of Nasir, Görnitz and Brefeld, COLING 2014."""
_HALVES: dict[str, Split] = {"C50train": "train", "C50test": "test"}
_NAME_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CLOSING = 3
"""Lines at the end of a text in which a byline can stand: now and then a rate of exchange follows it."""
_MARK = r"(?:^|(?<=[\s.!?\"')]))\s*(?:\(+\s*-{0,2}|-{1,2})\s*"
_SENTENCE = r"(?:^|(?<=[.!?\"')])\s)\s*"
_WORDS = r"[A-Za-z.,'@/&: ]{0,70}?"
_DESK = r"\b(?:newsroom|newsdesk|news desk|desk|bureau)\b"
_PHONE = r"[+(]{0,2} ?\d(?:[ ()-]*\d){8,}"
_BYLINE = re.compile(
    rf"(?:{_MARK}{_WORDS}(?:(?:{_DESK}[ ,:-]*)?{_PHONE}|\w@reuters\.com|{_DESK}[\s.)]*$)|"
    rf"{_SENTENCE}{_WORDS}(?:{_DESK}[ ,:-]*(?:Tel *)?{_PHONE}|Tel *{_PHONE}|\(?\+ ?{_PHONE}))"
    r".{0,60}$",
    re.IGNORECASE,
)
"""A mark (`(`, `--`, `-`) before a desk, an address or a number; without a mark, a desk with its number."""


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """Both halves, each as the split it is named for."""
    if len(sources) != 1 or sources[0].split is not None:
        raise UsageError("C50 is one archive with both halves; give it once, as --from PATH")
    tree = open_tree(sources[0].path)
    chosen = TEN if identifier == "c50-10" else None
    found: dict[Split, dict[str, list[str]]] = {"train": {}, "test": {}}
    for half, author, name in _files(tree):
        if chosen is None or author in chosen:
            found[half].setdefault(author, []).append(name)
    for half, by_author in found.items():
        for absent in sorted(set(chosen or ()) - set(by_author)):
            raise InputError(f"{tree.path}: no text by {absent} in C50{half}; use the whole archive")
        if not by_author:
            raise InputError(f"{tree.path}: no C50{half}/<Author>/<number>newsML.txt; use the whole archive")
    splits = {split: _items(tree, split, by_author) for split, by_author in found.items()}
    return Corpus(task="attribution", card=_card(identifier, tree), splits=splits, notes=notes_on(splits))


def _files(tree: Tree) -> Iterator[tuple[Split, str, str]]:
    """Split, author and name of every text; both halves stand at the top, or below one folder."""
    for name in tree.files():
        parts = PurePosixPath(name).parts
        if 3 <= len(parts) <= 4 and parts[-3] in _HALVES and name.endswith(".txt"):
            yield _HALVES[parts[-3]], parts[-2], name


def _items(tree: Tree, split: Split, by_author: dict[str, list[str]]) -> list[Item]:
    """In the order of the file numbers, which says nothing of authors."""
    items: dict[str, Item] = {}
    for author, names in by_author.items():
        for name in names:
            identifier = f"{split}/{PurePosixPath(name).stem}"
            if identifier in items:
                raise FileFaultError(tree.where(name), "a number that another author has too; use the original archive")
            text = without_bylines(decode_text(tree.read(name), tree.where(name)), author)
            items[identifier] = text_item(identifier, text, author)
    return [items[identifier] for identifier in sorted(items)]


def without_bylines(text: str, author: str) -> str:
    """A text without trailing `--` lines, without bylines at its end, and without its author's own name."""
    lines = _without_trailing(text.split("\n"))
    closing = max(0, len(lines) - _CLOSING)
    lines[closing:] = [_BYLINE.sub("", line) for line in lines[closing:]]
    kept = "\n".join(_without_trailing(lines))
    name = r"\s+".join(map(re.escape, _NAME_PARTS.split(author)))
    return re.sub(rf"\b{name}\b", "", kept, flags=re.IGNORECASE)


def _without_trailing(lines: list[str]) -> list[str]:
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].startswith("--")):
        end -= 1
    return lines[:end]


def _card(identifier: str, tree: Tree) -> dict[str, object]:
    size = "the ten authors of Nasir et al. 2014" if identifier == "c50-10" else "fifty authors"
    return {
        "family": "c50",
        "title": f"C50: Reuters news, {size}",
        "language": "en",
        "licence": "Reuters; as distributed by the UCI repository, not redistributed here",
        "sources": [tree.path.name],
        "about": (
            "Bylines, desks and telephone numbers at the end of texts and authors' own names are removed. An author "
            "has a beat: topic helps."
        ),
    }


importer = Importer(
    family="c50",
    task="attribution",
    ids=("c50", "c50-10"),
    summary="C50: Reuters news by fifty authors, C50train and C50test",
    read=read_corpus,
)
