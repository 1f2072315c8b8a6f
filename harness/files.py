"""Files that are whole or absent: atomic writes, hashes, and text with its defects named."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import FileFaultError, UsageError

PARTIAL = ".partial-"
"""Marks what is being written. Nothing that reads a folder looks at names with this prefix."""


@contextmanager
def partial_folder(parent: Path, name: str) -> Iterator[Path]:
    """A folder to work in, which is gone when the block ends."""
    with _writing_to(parent):
        partial = Path(tempfile.mkdtemp(prefix=f"{PARTIAL}{name}-", dir=parent))
    try:
        partial.chmod(0o755)
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def atomic_folder(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """A folder to fill, which takes the target's name only when the block ends well."""
    if target.exists() and not replace:
        raise UsageError(f"{target} exists already; choose another place or remove it first")
    with partial_folder(target.parent, target.name) as partial:
        yield partial
        with partial_folder(target.parent, f"old-{target.name}") as old:  # set aside first: renaming is quick
            if target.exists():
                target.rename(old / target.name)
            partial.rename(target)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a whole file or nothing."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file")
    data = content.encode("utf-8") if isinstance(content, str) else content
    with _writing_to(path.parent):
        handle, name = tempfile.mkstemp(prefix=f"{PARTIAL}{path.name}-", dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        partial.chmod(0o644)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def remove_partials(folder: Path) -> None:
    """Clear what an earlier, killed process left half-written in a folder."""
    for entry in folder.glob(f"{PARTIAL}*"):
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


@contextmanager
def _writing_to(folder: Path) -> Iterator[None]:
    """A block that makes something in a folder, which is made first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise UsageError(
            f"cannot write to {folder}: {error.strerror}; choose a folder of yours (BAKEOFF_HOME is the home)"
        ) from error


def sha256_file(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def sha256_path(path: Path) -> str:
    """Hex digest of a file, or of all files of a folder with their names."""
    if path.is_file():
        return sha256_file(path)
    files = sorted(entry for entry in path.rglob("*") if entry.is_file())
    return sha256_text(*(f"{entry.relative_to(path).as_posix()} {sha256_file(entry)}" for entry in files))


def sha256_text(*parts: str) -> str:
    """Hex digest of several texts, kept apart by NUL."""
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()


def decode_text(data: bytes, where: str, *, encoding: str = "utf-8-sig") -> str:
    r"""Text with `\n` line ends; undecodable bytes and NULs are refused by place, never replaced."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = encoding.removesuffix("-sig").upper()
        raise FileFaultError(
            where, f"byte {error.start} is not {name}; re-save the file in that encoding", line=line
        ) from error
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise FileFaultError(where, "a NUL byte; this is not a text file, use the original", line=line)
    return text.replace("\r\n", "\n")
