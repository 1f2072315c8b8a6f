"""PAN 2013 to 2015 author verification: a folder a problem, with known*.txt and unknown.txt."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, TypeVar

from harness.corpora.archive import FileTree, Tree, open_tree, read_json
from harness.corpora.corpus import Corpus, Importer, Item, Source, Split, guess_split
from harness.errors import FileFaultError, InputError, UsageError
from harness.files import decode_text
from harness.records import Document

_KNOWN = re.compile(r"known\d+\.txt")
_GENRES = {
    "dutch": ("essays", "reviews"),
    "english": ("essays", "novels"),
    "greek": ("articles",),
    "spanish": ("articles",),
}
_CODES = {"dutch": "nl", "english": "en", "greek": "el", "spanish": "es"}
_NAMES = {"nl": "dutch", "en": "english", "gr": "greek", "el": "greek", "sp": "spanish", "es": "spanish"}
_Kind = TypeVar("_Kind", str, dict[str, Any])
_METRICS = {
    True: ("f1_2013", "recall_2013", "precision_2013", "auc_2013"),
    False: ("auc_c_at_1", "auc", "c_at_1", "f1", "brier"),
}
"""What the shared task reported, by whether it is that of 2013."""
_ODD_CHARACTERS = {"\ufeff": "U+FEFF inside", "\u2028": "U+2028 inside"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Release:
    """One archive or folder: the files of each problem, and truths if it has any."""

    tree: Tree
    split: Split
    top: str
    problems: Mapping[str, list[str]]
    truths: Mapping[str, bool] | None


def read_corpus(identifier: str, sources: list[Source]) -> Corpus:
    """Several releases of one corpus as one dataset."""
    trees = [(source, open_tree(source.path)) for source in sources]
    loose = {str(tree.path): _parse_truth(tree, tree.files()[0]) for _, tree in trees if isinstance(tree, FileTree)}
    releases = [_open_release(source, tree) for source, tree in trees if not isinstance(tree, FileTree)]
    if not releases:
        raise InputError(
            f"{sources[0].path} is not a PAN folder or zip; expected <problem>/known01.txt and unknown.txt"
        )
    for release in releases:
        _check_contents(identifier, release)
    releases = _attach(loose, releases)
    notes: list[str] = []
    splits: dict[Split, list[_Release]] = {}
    for release in sorted(releases, key=lambda r: r.split != "train"):
        splits.setdefault(release.split, []).append(release)
    for parts in splits.values():
        _check_together(parts)
    items = {name: _Items(parts, notes, grouped=_edition(identifier) == "pan13") for name, parts in splits.items()}
    return Corpus(task="verification", card=_card(identifier, releases), splits=items, notes=notes)


def _check_together(parts: list[_Release]) -> None:
    """The releases of one split must have truths, all or (in a test split) none, and no problem in common."""
    blind = [part for part in parts if part.truths is None]
    if blind and (parts[0].split == "train" or len(blind) < len(parts)):
        where, split = blind[0].tree.path, parts[0].split
        way_out = "add the file with --from" + (f", or say --from test={where}" if split == "train" else "")
        raise InputError(f"{where}: no truth.txt, which its {split} problems need; {way_out}")
    holders: dict[str, _Release] = {}
    for part in parts:
        for identifier in sorted(part.problems):
            other = holders.setdefault(identifier, part)
            if other is not part:
                raise UsageError(
                    f"{part.tree.path}: problem {identifier} is in {other.tree.path} too; leave one out, "
                    f"or say which is which with --from train=… and --from test=…"
                )


class _Items:
    """The items of several releases, read as they are walked; then says what defects it met."""

    def __init__(self, releases: list[_Release], notes: list[str], *, grouped: bool) -> None:
        self._releases, self._notes, self._grouped = releases, notes, grouped

    def __iter__(self) -> Iterator[Item]:
        met: Counter[str] = Counter()
        texts: Counter[str] = Counter()
        for release in self._releases:
            if release.truths is None:
                self._notes.append(f"{release.split}: no truths, so runs on it cannot be scored")
            for identifier in sorted(release.problems):
                item = _read_problem(release, identifier, met, grouped=self._grouped)
                self._notes.extend(f"{release.split}: {note}" for note in _repeated(item, texts))
                yield item
        split = self._releases[0].split
        self._notes.extend(f"{split}: {name} in {count} documents" for name, count in sorted(met.items()))
        if len(texts) < texts.total():
            self._notes.append(f"{split}: {len(texts)} distinct texts in {texts.total()} documents")


def _repeated(item: Item, texts: Counter[str]) -> Iterator[str]:
    """Count the texts of a problem among all, and say which of its own are the same."""
    names: dict[str, str] = {}
    for document in item.documents:
        name = PurePosixPath(document.id).name
        digest = hashlib.sha1(document.text.strip().encode()).hexdigest()
        texts[digest] += 1
        if digest in names:
            yield f"{item.id}: {names[digest]} and {name} are the same text"
        names.setdefault(digest, name)


def _read_problem(release: _Release, identifier: str, met: Counter[str], *, grouped: bool) -> Item:
    names = {PurePosixPath(name).name: name for name in release.problems[identifier]}
    known = [names[name] for name in sorted(names) if _KNOWN.fullmatch(name)]
    unknown = names.get("unknown.txt")
    if not known or unknown is None:
        lacking = "unknown.txt" if known else "known01.txt"
        where = release.tree.where(release.top + identifier)
        raise FileFaultError(where, f"the problem has no {lacking}; use the whole release")
    documents = tuple(_read_document(release, identifier, name, met) for name in (*known, unknown))
    row = {"known": [document.id for document in documents[:-1]], "questioned": documents[-1].id}
    if release.truths is None:
        return Item(id=identifier, inputs=row, documents=documents, truth=None)
    same = release.truths[identifier]
    truth = {"same": same, "group": identifier[:2]} if grouped else {"same": same}
    return Item(id=identifier, inputs=row, documents=documents, truth=truth, stratum="Y" if same else "N")


def _read_document(release: _Release, identifier: str, name: str, met: Counter[str]) -> Document:
    data = release.tree.read(name)
    text = decode_text(data, release.tree.where(name))
    met["a byte order mark"] += data.startswith(b"\xef\xbb\xbf")
    met["CRLF line ends"] += b"\r\n" in data
    for character, defect in _ODD_CHARACTERS.items():
        met[defect] += character in text
    met["C1 control characters"] += re.search("[\x80-\x9f]", text) is not None
    met["no text at all"] += not text.strip()
    for key in [key for key, count in met.items() if count == 0]:
        del met[key]
    return Document(id=f"{release.split}/{identifier}/{PurePosixPath(name).name}", text=text)


def _open_release(source: Source, tree: Tree) -> _Release:
    """Find the problem folders: at the top, or below one folder of the release's name; never deeper."""
    texts: dict[PurePosixPath, list[str]] = {}
    files = tree.files()
    for name in files:
        path = PurePosixPath(name)
        if path.name == "unknown.txt" or _KNOWN.fullmatch(path.name):
            texts.setdefault(path.parent, []).append(name)
    tops = {folder.parent.as_posix() for folder in texts}
    if len(tops) != 1 or not all(1 <= len(folder.parts) <= 2 for folder in texts):
        raise InputError(
            f"{tree.path} is not a PAN verification release; expected one folder of <problem>/known01.txt, unknown.txt"
        )
    top = "" if tops == {"."} else f"{tops.pop()}/"
    truth_file = f"{top}truth.txt"
    release = _Release(
        tree=tree,
        split=source.split or guess_split(tree.path.resolve().name, top),
        top=top,
        problems={folder.name: names for folder, names in texts.items()},
        truths=_parse_truth(tree, truth_file) if truth_file in files else None,
    )
    if release.truths is not None:
        _check_coverage(release, release.truths, tree.where(truth_file))
        if f"{top}truth.json" in files:
            _compare_truth_json(release, f"{top}truth.json")
    return release


def _parse_truth(tree: Tree, name: str) -> dict[str, bool]:
    """`EN04 Y` per line, blank lines skipped; the first of two equal ids is an error, as it is in PAN."""
    truths: dict[str, bool] = {}
    for number, line in enumerate(decode_text(tree.read(name), tree.where(name)).split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2 or fields[1] not in ("Y", "N"):
            raise FileFaultError(tree.where(name), "not a truth file; write the id, a blank, and Y or N", line=number)
        if fields[0] in truths:
            raise FileFaultError(tree.where(name), f"id {fields[0]!r} occurs twice; keep the right one", line=number)
        truths[fields[0]] = fields[1] == "Y"
    return truths


def _check_coverage(release: _Release, truths: Mapping[str, bool], where: str) -> None:
    without = sorted(set(release.problems) - set(truths))
    if len(without) == len(release.problems):
        ours, theirs = min(release.problems), min(truths, default="none")
        message = f"the truth file of another corpus: it has {theirs}, the problems are {ours}, …; use the matching one"
        raise FileFaultError(where, message)
    if without:
        raise FileFaultError(where, f"no truth for {len(without)} problems, {without[0]} first; use the matching file")


def _compare_truth_json(release: _Release, name: str) -> None:
    truths, where = release.truths or {}, release.tree.where(name)
    for row in _listed(_parse_json(release.tree, name), where, dict):
        identifier = str(row.get("name"))
        if identifier in truths and (row.get("answer") == "Y") != truths[identifier]:
            raise FileFaultError(
                where, f"disagrees with truth.txt about {identifier}; correct one, or remove this file"
            )


def _parse_json(tree: Tree, name: str) -> dict[str, Any]:
    content = read_json(tree, name)
    if not isinstance(content, dict):
        raise FileFaultError(tree.where(name), "not a JSON object; use the original")
    return content


def _listed(content: Mapping[str, Any], where: str, kind: type[_Kind]) -> list[_Kind]:
    """`problems` of a PAN JSON file, every one of the kind it must be."""
    problems = content.get("problems", [])
    if not isinstance(problems, list) or not all(isinstance(problem, kind) for problem in problems):
        raise FileFaultError(where, '"problems" is not a list as PAN writes it; use the original')
    return problems


def _check_contents(identifier: str, release: _Release) -> None:
    """`contents.json`, where there is one, must list what is there and fit the dataset's id."""
    name = f"{release.top}contents.json"
    if name not in release.tree.files():
        return
    content = _parse_json(release.tree, name)
    where = release.tree.where(name)
    absent = [problem for problem in _listed(content, where, str) if problem not in release.problems]
    if absent:
        raise FileFaultError(where, f"lists {absent[0]}, which is not there; use the whole release")
    wanted = identifier.split("-")[1:] if identifier in IDS else []
    language = str(content.get("language", "")).lower()
    said = [_NAMES.get(language, language), str(content.get("genre", "")).lower()]
    for want, have in zip(wanted, said, strict=False):
        if have and want != have:
            fitting = "-".join([_edition(identifier), *filter(None, said)])
            way_out = fitting if fitting in IDS else f"an id of your own, with --like {_edition(identifier)}"
            raise InputError(f"{release.tree.path} holds {' '.join(filter(None, said))}; add it as {way_out}")


def _attach(loose: Mapping[str, Mapping[str, bool]], releases: list[_Release]) -> list[_Release]:
    """Give each truth file that came on its own to the release without truths whose problems it covers."""
    result = list(releases)
    for where, truths in loose.items():
        blind = [i for i, release in enumerate(result) if release.truths is None]
        if not blind:
            raise UsageError(f"{where}: every release has its truths already; leave this file out")
        best = max(blind, key=lambda i: len(set(result[i].problems) & set(truths)))
        _check_coverage(result[best], truths, where)
        result[best] = replace(result[best], truths=truths)
    return result


def _edition(identifier: str) -> str:
    return identifier.split("-")[0]


def _card(identifier: str, releases: list[_Release]) -> dict[str, object]:
    edition, parts = _edition(identifier), identifier.split("-")
    card: dict[str, object] = {
        "family": "pan_folders",
        "title": f"PAN {2000 + int(edition[3:])} author verification: {' '.join(parts[1:]) or 'all languages'}",
        "licence": "as distributed by PAN; not redistributed here",
        "sources": sorted(release.tree.path.name for release in releases),
        "primary": _METRICS[edition == "pan13"][0],
        "metrics": list(_METRICS[edition == "pan13"]),
    }
    if identifier in IDS and len(parts) > 1:
        card["language"] = _CODES[parts[1]]
    return card


IDS = (
    "pan13",
    *(f"pan14-{language}-{genre}" for language, genres in _GENRES.items() for genre in genres),
    *(f"pan15-{language}" for language in _GENRES),
)
importer = Importer(
    family="pan_folders",
    task="verification",
    ids=IDS,
    summary="PAN 2013 to 2015: folders of known*.txt and unknown.txt with truth.txt",
    read=read_corpus,
    like=("pan14", "pan15"),
)
