"""The Federalist: 85 papers from Gutenberg's e-text 1404, and `authors.tsv` with who wrote them.

Hamilton's, Madison's, Jay's and the joint papers are known; the twelve disputed ones are to be attributed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.corpora.archive import Tree, open_tree
from harness.corpora.attribution import notes_on, text_item
from harness.corpora.corpus import Corpus, Importer, Item, Source, Split
from harness.errors import FileFaultError, InputError, UsageError
from harness.files import decode_text

PAPERS = 85
DISPUTED = "HAMILTON OR MADISON"
FOUND = "MADISON"
"""Who wrote the disputed papers, as Mosteller and Wallace (1964) concluded and nearly everybody since."""
_START, _END = "*** START OF TH", "End of the Project Gutenberg EBook"
_HEADING = re.compile(r"^FEDERALIST No\. (\d+)$", re.MULTILINE)
_SALUTATION = re.compile(r"^To the People of the State of New York[:.]", re.MULTILINE)
_SIGNATURE = re.compile(r"^PUBLIUS\b", re.MULTILINE)
_MARK = re.compile(r"\(E?\d{1,2}\)")
_COLUMNS = ("number", "file", "gutenberg_author", "mosteller_wallace_author", "words")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A line of authors.tsv."""

    author: str
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    tree: Tree
    name: str

    @property
    def where(self) -> str:
        return self.tree.where(self.name)

    def text(self) -> str:
        return decode_text(self.tree.read(self.name), self.where)


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """The undisputed papers as the training split, the disputed ones as the test split."""
    del identifier
    if any(source.split for source in sources):
        raise UsageError("the Federalist's splits are given by authors.tsv; say --from PATH without train= or test=")
    files = [_File(tree=tree, name=name) for tree in (open_tree(s.path) for s in sources) for name in tree.files()]
    book, table = _the_one(files, ".txt", "pg1404.txt"), _the_one(files, ".tsv", "authors.tsv")
    rows = _authors(table)
    splits: dict[Split, list[Item]] = {"train": [], "test": []}
    for number, text in _papers(book):
        row = rows[number]
        _check_words(book, number, text, row)
        disputed = row.author == DISPUTED
        author = FOUND if disputed else row.author
        item = text_item(f"no-{number:02d}", _own_words(text), author)
        splits["test" if disputed else "train"].append(item)
    return Corpus(task="attribution", card=_card(files), splits=splits, notes=notes_on(splits))


def _the_one(files: list[_File], suffix: str, name: str) -> _File:
    found = [file for file in files if file.name.lower().endswith(suffix)]
    if len(found) != 1:
        said = "there is none" if not found else f"there are {len(found)}, {found[0].where} first"
        raise InputError(f"the Federalist needs one {suffix} file ({name}), and {said}; give both with --from")
    return found[0]


def _authors(file: _File) -> dict[int, _Row]:
    """Rows of authors.tsv by number, all 85."""
    rows: dict[int, _Row] = {}
    for number, line in enumerate(file.text().rstrip("\n").split("\n"), start=1):
        fields = line.split("\t")
        if number == 1 and tuple(fields) == _COLUMNS:
            continue
        if len(fields) != len(_COLUMNS) or not fields[0].isdecimal() or not fields[4].isdecimal() or not fields[3]:
            raise FileFaultError(file.where, f"not {', '.join(_COLUMNS)}, separated by tabs", line=number)
        if int(fields[0]) in rows:
            raise FileFaultError(file.where, f"No. {fields[0]} occurs twice; keep the right one", line=number)
        rows[int(fields[0])] = _Row(author=fields[3], words=int(fields[4]))
    if set(rows) != set(range(1, PAPERS + 1)):
        absent = sorted(set(range(1, PAPERS + 1)) ^ set(rows))
        raise FileFaultError(file.where, f"must give the authors of No. 1 to {PAPERS}; No. {absent[0]} is amiss")
    return rows


def _papers(file: _File) -> Iterator[tuple[int, str]]:
    """Number and text of every paper, from the salutation to the next heading."""
    text = file.text()
    start, end = text.find(_START), text.find(_END)
    if start < 0 or end < start:
        raise FileFaultError(file.where, f"no Gutenberg e-text: a line {_START}… and one {_END}… are needed")
    headings = list(_HEADING.finditer(text, start, end))
    numbers = [int(heading[1]) for heading in headings]
    if numbers != list(range(1, PAPERS + 1)):
        found = f"{len(numbers)} headings FEDERALIST No. …"
        raise FileFaultError(file.where, f"{found}, not 1 to {PAPERS} in order; use Gutenberg's e-text 1404")
    ends = [heading.start() for heading in headings[1:]] + [end]
    for number, heading, stop in zip(numbers, headings, ends, strict=True):
        salutations = list(_SALUTATION.finditer(text, heading.end(), stop))
        if len(salutations) != 1:
            line = text.count("\n", 0, heading.start()) + 1
            message = f"No. {number} has {len(salutations)} salutations, not one; use Gutenberg's e-text 1404"
            raise FileFaultError(file.where, message, line=line)
        yield number, text[salutations[0].start() : stop]


def _check_words(file: _File, number: int, text: str, row: _Row) -> None:
    count = len(text.split())
    if count != row.words:
        message = f"No. {number} has {count} words, {row.words} in authors.tsv; use the two files that belong together"
        raise FileFaultError(file.where, message)


def _own_words(text: str) -> str:
    """A paper without salutation, signature, footnotes and their marks."""
    opening = _SALUTATION.match(text)
    body = text[opening.end() if opening else 0 :]
    signature = _SIGNATURE.search(body)
    return _MARK.sub("", body[: signature.start() if signature else len(body)]).strip()


def _card(files: list[_File]) -> dict[str, object]:
    return {
        "family": "federalist",
        "title": "The Federalist: who wrote the twelve disputed papers?",
        "language": "en",
        "licence": "public domain; e-text 1404 of Project Gutenberg",
        "sources": sorted({file.tree.path.name for file in files}),
        "primary": "accuracy",
        "about": (
            "Known: 51 papers by Hamilton, 14 by Madison, 5 by Jay, and Nos. 18 to 20, which Madison wrote with "
            "Hamilton's notes, as a label of their own. To be attributed: Nos. 49 to 58, 62 and 63, which both "
            "claimed. Their truth here is MADISON: the conclusion of Mosteller and Wallace (1964), not a record, so "
            "the score says how far a system agrees with it. Headings, salutations, signatures, footnotes and their "
            "marks are removed."
        ),
    }


importer = Importer(
    family="federalist",
    task="attribution",
    ids=("federalist",),
    summary="The Federalist: pg1404.txt and authors.tsv",
    read=read_corpus,
)
