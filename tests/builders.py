"""Small releases in the layouts of the real corpora, with their defects; and what a command leaves behind."""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line that a failed command says."""
        lines = self.err.strip().split("\n")
        assert len(lines) == 1, f"not one line: {self.err!r}"
        assert lines[0].startswith("bakeoff: "), self.err
        assert "Traceback" not in self.out + self.err
        return lines[0].removeprefix("bakeoff: ")


Command = Callable[..., Result]


def words(seed: object, count: int = 40) -> str:
    """A text that no other seed has."""
    return " ".join(f"w{seed}x{number * number % 17}" for number in range(count))


def pan13(folder: Path, ids: Sequence[str] = ("EN04", "EN07", "GR01", "GR02", "SP02", "SP03")) -> Path:
    """PAN 2013: BOM and CRLF in documents; truth.txt with a BOM, blank lines and mixed line ends."""
    for identifier in ids:
        for name in ("known01", "known02", "unknown"):
            text = words(f"{identifier}{name}").replace(" ", "\r\n", 3)
            _write(folder / identifier / f"{name}.txt", BOM + text.encode())
    lines = [f"{identifier} {'YN'[position % 2]}" for position, identifier in enumerate(ids)]
    truth = "\r\n\n".join(lines[:2]) + "\n\r\n" + "\r\n".join(lines[2:])
    _write(folder / "truth.txt", BOM + truth.encode())
    return folder


def pan14(
    folder: Path,
    *,
    count: int = 12,
    known: Iterable[int] = (1, 2, 3),
    prefix: str = "DE",
    language: str = "dutch",
    genre: str | None = "essays",
    truth: bool = True,
    truth_json: bool = True,
    encode: str = "utf-8-sig",
    shared: Mapping[int, int] | None = None,
    seed: str = "",
) -> Path:
    """PAN 2014 (and 2015, without genre and truth.json): `shared` gives a problem another's unknown text."""
    ids = [f"{prefix}{number:03d}" for number in range(1, count + 1)]
    sizes = list(known)
    for position, identifier in enumerate(ids):
        for number in range(1, sizes[position % len(sizes)] + 1):
            _write(folder / identifier / f"known{number:02d}.txt", words(f"{seed}{identifier}k{number}").encode(encode))
        owner = ids[(shared or {}).get(position, position)]
        _write(folder / identifier / "unknown.txt", words(f"{seed}{owner}u").encode(encode))
    content = {"language": language, **({"genre": genre} if genre else {}), "problems": ids}
    _write(folder / "contents.json", json.dumps(content).encode())
    letters = {identifier: "YN"[position % 2] for position, identifier in enumerate(ids)}
    if truth:
        _write(folder / "truth.txt", "".join(f"{i} {letter}\r\n" for i, letter in letters.items()).encode())
    if truth and truth_json:
        rows = [{"name": i, "answer": letter} for i, letter in letters.items()]
        _write(folder / "truth.json", json.dumps({"corpus": "x", "problems": rows}, indent=1).encode())
    return folder


def pan15(folder: Path, *, count: int = 8, truth: bool = True, seed: str = "") -> Path:
    """PAN 2015 English: one known text, no genre, no truth.json."""
    return pan14(
        folder,
        count=count,
        known=(1,),
        prefix="EN",
        language="EN",
        genre=None,
        truth=truth,
        truth_json=False,
        seed=seed,
    )


def pan20(folder: Path, *, count: int = 8, truth: bool = True, seed: str = "p") -> Path:
    """PAN 2020: pairs.jsonl and truth.jsonl."""
    rows = [
        {"id": f"{seed}-{n:04d}", "fandoms": ["A", "B"], "pair": [words(f"{seed}{n}a"), words(f"{seed}{n}b")]}
        for n in range(count)
    ]
    truths = [{"id": row["id"], "same": n % 2 == 0, "authors": [str(n), str(n + n % 2)]} for n, row in enumerate(rows)]
    jsonl(folder / "pairs.jsonl", rows)
    if truth:
        jsonl(folder / "truth.jsonl", truths)
    return folder


def c50(
    folder: Path, authors: Sequence[str] = ("AnnaBell", "LynneO'Donnell"), *, texts: int = 3, ending: str = ""
) -> Path:
    """C50: CRLF, numbers unique over both halves, and `ending` under every text (`{}` is the author's full name)."""
    number = 1000
    for half in ("C50train", "C50test"):
        for author in authors:
            name = "".join(
                f" {letter}" if letter.isupper() and place else letter for place, letter in enumerate(author)
            )
            for _ in range(texts):
                number += 7
                text = f"{words(number)}.\n{ending.format(name.replace(chr(39) + ' ', chr(39)))}\n"
                _write(folder / half / author / f"{number}newsML.txt", text.replace("\n", "\r\n").encode("ascii"))
    return folder


def federalist(folder: Path, *, footnotes: bool = True) -> Path:
    """The Federalist in the shape of Gutenberg's e-text 1404, its labels in `authors.tsv`."""
    rows, papers = ["number\tfile\tgutenberg_author\tmosteller_wallace_author\twords"], []
    for number in range(1, 86):
        label = _federalist_label(number)
        signature = "" if number == 37 else "PUBLIUS"
        opening = " " if number == 11 else "\n\n1. "
        note = f"{opening}A note by Hamilton." if footnotes and number % 3 == 2 else ""
        salutation = f"To the People of the State of New York{'.' if number == 15 else ':'}"
        text = f"{salutation}\n\n{words(f'f{number}')}(1) and on(E1).\n\n{signature}{note}\n\n\n"
        papers.append(f"FEDERALIST No. {number}\n\nA Title\n\nFrom a Journal. 1787\n\n{label}\n\n{text}")
        rows.append(f"{number}\tfederalist_{number:02d}.txt\tX\t{label}\t{len(text.split())}")
    book = "Produced by\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\nContents\n\n" + "".join(papers)
    book += "End of the Project Gutenberg EBook of X\n\n*** END OF THIS ***\n"
    _write(folder / "pg1404.txt", BOM + book.replace("\n", "\r\n").encode())
    _write(folder / "authors.tsv", ("\n".join(rows) + "\n").encode())
    return folder


def _federalist_label(number: int) -> str:
    """As Mosteller and Wallace have it."""
    if number in (2, 3, 4, 5, 64):
        return "JAY"
    if 18 <= number <= 20:
        return "HAMILTON AND MADISON"
    if 49 <= number <= 58 or number in (62, 63):
        return "HAMILTON OR MADISON"
    return "MADISON" if number in (10, 14) or 37 <= number <= 48 else "HAMILTON"


def pan18(
    folder: Path,
    *,
    problems: int = 2,
    candidates: int = 3,
    known: int = 2,
    unknown: int = 6,
    truth: bool = True,
    open_set: bool = False,
    first: int = 1,
) -> Path:
    """PAN 2018 (and 2019, with `open_set`: every fourth text is by nobody, and fandom-info.json tells all)."""
    names = [f"problem{number:05d}" for number in range(first, first + problems)]
    rows = [
        {"problem-name": name, "language": "sp" if name[-1] == "2" else "en", "encoding": "UTF-8"} for name in names
    ]
    _write(folder / "collection-info.json", json.dumps(rows).encode())
    for name in names:
        authors = [f"candidate{number:05d}" for number in range(1, candidates + 1)]
        info = {"unknown-folder": "asked", "candidate-authors": [{"author-name": author} for author in authors]}
        _write(folder / name / "problem-info.json", json.dumps(info).encode())
        truths = []
        for author in authors:
            for number in range(1, known + 1):
                _write(folder / name / author / f"known{number:05d}.txt", words(f"{name}{author}k{number}").encode())
        for number in range(1, unknown + 1):
            author = "<UNK>" if open_set and number % 4 == 0 else authors[number % candidates]
            truths.append({"unknown-text": f"unknown{number:05d}.txt", "true-author": author})
            _write(folder / name / "asked" / f"unknown{number:05d}.txt", words(f"{name}u{number}").encode())
        if truth:
            _write(folder / name / "ground-truth.json", json.dumps({"ground_truth": truths}).encode())
        if open_set:
            fandoms = [{**row, "fandom": "Sherlock"} for row in truths]
            _write(folder / name / "fandom-info.json", json.dumps(fandoms).encode())
    return folder


@dataclass(frozen=True)
class News:
    """A Usenet post to be written down."""

    group: str
    number: int
    sender: str
    body: str
    message_id: str = ""
    subject: str = "Re: a subject"

    def encoded(self) -> bytes:
        """With the headers that tell who wrote it."""
        fields = {
            "Newsgroups": self.group,
            "Path": f"host.example!other.example!{self.sender.split('@')[0]}",
            "From": self.sender,
            "Subject": self.subject,
            "Message-ID": self.message_id or f"<{self.group}.{self.number}@host.example>",
            "Date": "1 Apr 93 00:00:00 GMT",
            "Organization": "Secret Institute,\n  second line",
        }
        head = "".join(f"{name}: {value}\n" for name, value in fields.items())
        return f"{head}\n{self.body}".encode("latin-1")


def newsgroups(folder: Path, posts: Iterable[News]) -> Path:
    """20 Newsgroups: `<group>/<number>`, Latin-1."""
    for post in posts:
        _write(folder / post.group / str(post.number), post.encoded())
    return folder


def tarred(folder: Path) -> Path:
    """A folder as a compressed tar beside it, below one top folder."""
    target = folder.with_name(folder.name + ".tar.gz")
    with tarfile.open(target, "w:gz") as archive:
        archive.add(folder, arcname=folder.name)
    shutil.rmtree(folder)
    return target


def jsonl(path: Path, rows: Iterable[object]) -> Path:
    """A JSONL file."""
    _write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    return path


def zipped(folder: Path, *, top: str | None = None, extra: Mapping[str, bytes] | None = None) -> Path:
    """A folder as a zip beside it, below one top folder, with directory entries and junk as archives have."""
    target = folder.with_name(folder.name + ".zip")
    name = folder.name if top is None else top
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/", b"")
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
        archive.writestr(f"{name}/.DS_Store", b"\0\1junk")
        archive.writestr(f"__MACOSX/{name}/DE001/._unknown.txt", b"\0junk")
        for member, data in (extra or {}).items():
            archive.writestr(member, data)
    shutil.rmtree(folder)
    return target


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    if not folder.exists():
        return {}
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
