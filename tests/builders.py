"""Small releases in the layouts of PAN, with the defects of the real ones; and what a command leaves behind."""

from __future__ import annotations

import json
import shutil
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
