"""PAN 2018 and 2019 cross-domain attribution: a folder a problem, with known texts by candidate and unknown texts.

Every problem is a set of candidates of its own. A release brings both sides with it: its known texts are the training
split, its unknown texts the test split. What is read is listed by `collection-info.json` and `problem-info.json`;
`fandom-info.json` is not, so it reaches nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from harness.corpora.archive import Tree, open_tree, read_json
from harness.corpora.attribution import notes_on, text_item
from harness.corpora.corpus import Corpus, Importer, Item, Source, Split
from harness.errors import FileFaultError, InputError, UsageError
from harness.files import decode_text

UNKNOWN = "<UNK>"
COLLECTION, PROBLEM, TRUTH = "collection-info.json", "problem-info.json", "ground-truth.json"
_LANGUAGES = {"sp": "es"}
"""PAN's codes that are not ISO's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """One set of candidates: the names of its files, and its truths if it has any."""

    tree: Tree
    name: str
    language: str
    known: Mapping[str, Sequence[str]]
    unknown: Sequence[str]
    truths: Mapping[str, str] | None


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """The problems of one release, or of several that have no problem's name in common."""
    problems: dict[str, _Problem] = {}
    for source in sources:
        if source.split is not None:
            message = "a PAN attribution release has known and unknown texts of its own; say --from PATH"
            raise UsageError(f"{message} without {source.split}=")
        for problem in _open_release(open_tree(source.path)):
            other = problems.setdefault(problem.name, problem)
            if other is not problem:
                raise UsageError(
                    f"{source.path}: {problem.name} is in {other.tree.path} too; add each release under an id of "
                    f"its own, with --like {identifier}"
                )
    _check_truths(list(problems.values()))
    splits: dict[Split, list[Item]] = {
        "train": [item for problem in problems.values() for item in _known(problem)],
        "test": [item for problem in problems.values() for item in _unknown(problem)],
    }
    notes = notes_on(splits) + list(_conflicts(splits["test"]))
    if all(item.truth is None for item in splits["test"]):
        notes.append("test: no truths, so runs on it cannot be scored")
    return Corpus(task="attribution", card=_card(identifier, problems), splits=splits, notes=notes)


def _open_release(tree: Tree) -> list[_Problem]:
    """The problems that `collection-info.json` lists; it stands at the top, or below one folder."""
    files = tree.files()
    found = [name for name in files if PurePosixPath(name).name == COLLECTION and name.count("/") <= 1]
    if len(found) != 1:
        raise InputError(f"{tree.path} is not a PAN attribution release; expected one {COLLECTION} at its top")
    where, top = tree.where(found[0]), found[0].removesuffix(COLLECTION)
    listed = read_json(tree, found[0])
    _require(isinstance(listed, list) and listed, where, "must be a list of problems")
    names = [_text(row, "problem-name", where) for row in listed]
    _require(len(set(names)) == len(names), where, "names a problem twice")
    folders: dict[str, list[str]] = {}
    for file in files:
        folders.setdefault(file.removeprefix(top).split("/")[0], []).append(file)
    problems = []
    for name, row in sorted(zip(names, listed, strict=True), key=lambda pair: pair[0]):
        info = f"{top}{name}/{PROBLEM}"
        _require(info in folders.get(name, ()), where, f"lists {name}, which has no {PROBLEM}; use the whole release")
        problems.append(_open_problem(tree, f"{top}{name}/", name, row, folders[name]))
    return problems


def _open_problem(tree: Tree, top: str, name: str, row: Mapping[str, Any], files: list[str]) -> _Problem:
    where = tree.where(top + PROBLEM)
    info = read_json(tree, top + PROBLEM)
    _require(isinstance(info, dict) and isinstance(info.get("candidate-authors"), list), where, "lists no candidates")
    candidates = [_text(candidate, "author-name", where) for candidate in info["candidate-authors"]]
    _require(len(set(candidates)) == len(candidates), where, "names a candidate twice")
    texts: dict[str, list[str]] = {}
    for file in files:
        folder, _, text = file.removeprefix(top).partition("/")
        if text.endswith(".txt") and "/" not in text:
            texts.setdefault(folder, []).append(file)
    for candidate in candidates:
        _require(candidate in texts, where, f"{candidate} has no known text; use the whole release")
    folder = _text(info, "unknown-folder", where)
    _require(folder in texts and folder not in candidates, where, f"no unknown text in {folder}; use the whole release")
    return _Problem(
        tree=tree,
        name=name,
        language=_LANGUAGES.get(str(row.get("language", "")), str(row.get("language", ""))),
        known={candidate: texts[candidate] for candidate in sorted(candidates)},
        unknown=texts[folder],
        truths=_truths(tree, top + TRUTH, candidates, texts[folder]) if top + TRUTH in files else None,
    )


def _truths(tree: Tree, name: str, candidates: Sequence[str], unknown: Sequence[str]) -> dict[str, str]:
    """Author by unknown text: one for every text and none beside, each a candidate or `<UNK>`."""
    where, content = tree.where(name), read_json(tree, name)
    rows = content.get("ground_truth") if isinstance(content, dict) else None
    _require(isinstance(rows, list), where, 'has no list "ground_truth"')
    truths: dict[str, str] = {}
    for row in rows or ():
        text, author = _text(row, "unknown-text", where), _text(row, "true-author", where)
        _require(text not in truths, where, f"{text} occurs twice; keep the right one")
        _require(author in candidates or author == UNKNOWN, where, f"{text}: {author} is no candidate; use {UNKNOWN}")
        truths[text] = author
    texts = {PurePosixPath(file).name for file in unknown}
    for text in sorted(texts ^ set(truths)):
        lacking = "has no truth" if text in texts else "is not there"
        raise FileFaultError(where, f"{text} {lacking}; use the truths of this release")
    return truths


def _check_truths(problems: list[_Problem]) -> None:
    """Truths for all problems, or for none of them: a split is blind as a whole."""
    blind = [problem.name for problem in problems if problem.truths is None]
    if blind and len(blind) < len(problems):
        raise InputError(f"{problems[0].tree.path}: no {TRUTH} in {blind[0]}, but in others; use the whole release")


def _known(problem: _Problem) -> list[Item]:
    """Numbered through, because a file's path names its author."""
    files = [(author, name) for author, names in problem.known.items() for name in names]
    return [
        text_item(
            f"{problem.name}/known-{number:04d}",
            _read(problem, name),
            author,
            candidates=problem.name,
            stratum="candidate",
        )
        for number, (author, name) in enumerate(files, start=1)
    ]


def _unknown(problem: _Problem) -> list[Item]:
    items = []
    for name in problem.unknown:
        text = PurePosixPath(name).name
        author = None if problem.truths is None else problem.truths[text]
        stratum = UNKNOWN if author == UNKNOWN else "candidate"
        identifier = f"{problem.name}/{text}"
        items.append(text_item(identifier, _read(problem, name), author, candidates=problem.name, stratum=stratum))
    return items


def _read(problem: _Problem, name: str) -> str:
    return decode_text(problem.tree.read(name), problem.tree.where(name))


def _conflicts(items: Sequence[Item]) -> list[str]:
    """Equal texts of one set with different truths: a perfect score is out of reach."""
    authors: dict[tuple[str, str], set[str]] = {}
    for item in items:
        if item.truth is not None:
            authors.setdefault((item.inputs["set"], item.documents[0].text.strip()), set()).add(item.truth["author"])
    conflicts = sum(len(names) > 1 for names in authors.values())
    return (
        [f"test: texts that occur with different truths, so that not all can be right: {conflicts}"]
        if conflicts
        else []
    )


def _require(condition: object, where: str, message: str) -> None:
    if not condition:
        raise FileFaultError(where, message)


def _text(row: Any, key: str, where: str) -> str:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, str) or not value:
        raise FileFaultError(where, f'an entry has no "{key}"; use the original')
    return value


def _card(identifier: str, problems: Mapping[str, _Problem]) -> dict[str, object]:
    year = 2000 + int(identifier[3:])
    return {
        "family": "pan_attribution",
        "title": f"PAN {year} cross-domain authorship attribution",
        "licence": "as distributed by PAN; not redistributed here",
        "sources": sorted({problem.tree.path.name for problem in problems.values()}),
        "primary": f"macro_f1_{year}",
        "sets": True,
        "languages": {name: problem.language for name, problem in problems.items()},
        "about": (
            "Every problem is a set of candidates of its own, with its known texts in the training split and its "
            f"unknown texts in the test split. An unknown text may be by none of them: {UNKNOWN}."
            if year > 2018
            else "Every problem is a closed set of candidates of its own, with its known texts in the training split "
            "and its unknown texts in the test split."
        ),
    }


importer = Importer(
    family="pan_attribution",
    task="attribution",
    ids=("pan18", "pan19"),
    summary="PAN 2018 and 2019: problems of candidates' known texts and unknown texts",
    read=read_corpus,
)
