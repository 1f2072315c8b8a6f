"""A corpus as distributed: a folder, a zip, a tar or a single file, seen as named files and never unpacked to disk."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NoReturn, cast

from harness.errors import FileFaultError, InputError
from harness.files import decode_text

MAX_FILE = 64 * 1024 * 1024
"""Largest file read whole, in bytes: no corpus has a text of that size, and it must not fill the memory."""
MAX_TAR = 512 * 1024 * 1024
"""Largest tar, in bytes out of its compression: it is held in memory, because gzip can only be read in order."""
_ZIP_MAGIC, _GZIP_MAGIC = b"PK\x03\x04", b"\x1f\x8b"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_JUNK = {".DS_Store", ".directory", "Thumbs.db"}
_LINK_OUT = "a link that leads out of the folder; copy the file instead"


class Tree(ABC):
    """Named files; names are relative, with `/`, sorted."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @abstractmethod
    def files(self) -> list[str]:
        """Every file's name, junk left out."""

    @abstractmethod
    def size(self, name: str) -> int:
        """A file's length in bytes."""

    @abstractmethod
    def _open(self, name: str) -> BinaryIO:
        """A file, open for reading."""

    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        """A file to be read piece by piece; whatever stands in the way is named by file."""
        try:
            with self._open(name) as handle:
                yield handle
        except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
            raise FileFaultError(self.where(name), f"damaged in the archive ({error}); download it again") from error
        except OSError as error:
            raise FileFaultError(self.where(name), f"cannot be read ({error.strerror or error})") from error
        except (RuntimeError, NotImplementedError) as error:
            raise FileFaultError(self.where(name), f"cannot be unpacked ({error}); unzip it yourself first") from error

    def read(self, name: str) -> bytes:
        """A file's bytes, if it is of a size that a text can have."""
        with self.reading(name) as handle:
            if self.size(name) > MAX_FILE:
                raise FileFaultError(self.where(name), f"larger than {MAX_FILE >> 20} MB; is this the right file?")
            return handle.read()

    def where(self, name: str) -> str:
        """How messages call a file of this tree."""
        return f"{self.path}/{name}"


class FolderTree(Tree):
    """A folder on disk."""

    def files(self) -> list[str]:
        names = []
        for folder, folders, files in os.walk(self.path, onerror=_refuse):
            for entry in (Path(folder) / name for name in (*folders, *files)):
                name = entry.relative_to(self.path).as_posix()
                if not _is_junk(name) and self._is_file(entry, name):
                    names.append(name)
        return sorted(names)

    def _is_file(self, entry: Path, name: str) -> bool:
        """Whether an entry is a file of this folder; a link that would leave something out is refused."""
        if entry.is_symlink() and not entry.resolve().is_relative_to(self.path.resolve()):
            raise FileFaultError(self.where(name), _LINK_OUT)
        if entry.is_symlink() and not entry.is_file():
            raise FileFaultError(self.where(name), "a link to no file; copy what it should lead to instead")
        return entry.is_file()

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def _open(self, name: str) -> BinaryIO:
        return (self.path / name).open("rb")


class FileTree(Tree):
    """One file on its own."""

    def files(self) -> list[str]:
        return [self.path.name]

    def size(self, name: str) -> int:
        return self.path.stat().st_size

    def _open(self, name: str) -> BinaryIO:
        return self.path.open("rb")

    def where(self, name: str) -> str:
        return str(self.path)


class ZipTree(Tree):
    """A zip archive; members are read in place, so a hostile name has nowhere to go, but is refused all the same."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise FileFaultError(path, f"not a whole zip archive ({error}); download it again") from error
        self._members: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            if not info.is_dir():
                _check_member(path, info)
                if info.filename in self._members:
                    raise FileFaultError(path, f"member {info.filename!r} occurs twice; download the archive again")
                self._members[info.filename] = info

    def files(self) -> list[str]:
        return sorted(name for name in self._members if not _is_junk(name))

    def size(self, name: str) -> int:
        return self._members[name].file_size

    def _open(self, name: str) -> BinaryIO:
        member = cast(io.RawIOBase, self._zip.open(self._members[name]))
        return io.BufferedReader(member, 1 << 20)


class TarTree(Tree):
    """A tar archive, compressed by gzip or not; links, devices and hostile names are refused."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._members: dict[str, tarfile.TarInfo] = {}
        try:
            self._tar = tarfile.open(fileobj=_unpacked(path), mode="r:")  # noqa: SIM115 - open as long as the tree
            infos = self._tar.getmembers()
        except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
            raise FileFaultError(path, f"not a whole tar archive ({error}); download it again") from error
        for info in infos:
            if info.isdir():
                continue
            _check_name(path, info.name)
            if not info.isreg():
                message = f"member {info.name!r} is a link or a device; unpack the archive yourself and copy the file"
                raise FileFaultError(path, message)
            name = PurePosixPath(info.name).as_posix()
            if name in self._members:
                raise FileFaultError(path, f"member {name!r} occurs twice; download the archive again")
            self._members[name] = info

    def files(self) -> list[str]:
        return sorted(name for name in self._members if not _is_junk(name))

    def size(self, name: str) -> int:
        return self._members[name].size

    def _open(self, name: str) -> BinaryIO:
        return cast(BinaryIO, self._tar.extractfile(self._members[name]))


def _unpacked(path: Path) -> BinaryIO:
    """A tar in memory, out of gzip if need be."""
    is_packed = _head(path).startswith(_GZIP_MAGIC)
    with gzip.open(path) if is_packed else path.open("rb") as handle:
        data = handle.read(MAX_TAR + 1)
    if len(data) > MAX_TAR:
        raise FileFaultError(path, f"unpacks to more than {MAX_TAR >> 20} MB; unpack it yourself and give the folder")
    if not data.endswith(bytes(tarfile.BLOCKSIZE)):
        raise tarfile.ReadError("no end mark")
    return io.BytesIO(data)


def _check_member(path: Path, info: zipfile.ZipInfo) -> None:
    _check_name(path, info.filename)
    if stat.S_ISLNK(info.external_attr >> 16):
        raise FileFaultError(path, f"member {info.filename!r} is a link; unzip the archive yourself and copy the file")


def _check_name(path: Path, name: str) -> None:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
        raise FileFaultError(path, f"member {name!r} points outside the archive; do not trust this file")


def read_json(tree: Tree, name: str) -> Any:
    """A JSON file of a tree; anything wrong with it is named by line."""
    try:
        return json.loads(decode_text(tree.read(name), tree.where(name)))
    except json.JSONDecodeError as error:
        message = f"not JSON ({error.msg}); use the original"
        raise FileFaultError(tree.where(name), message, line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise FileFaultError(tree.where(name), f"not JSON ({error}); use the original") from error


def open_tree(path: Path) -> Tree:
    """A folder, zip or tar archive or single file as a tree."""
    if path.is_dir():
        tree: Tree = FolderTree(path)
    elif not path.is_file():
        raise InputError(f"{path} does not exist; give an archive or folder as distributed")
    elif path.suffix.lower() == ".zip" or _is_zip(path):
        tree = ZipTree(path)
    elif path.name.lower().endswith((".tar", ".tar.gz", ".tgz")) or _is_tar(path):
        tree = TarTree(path)
    else:
        tree = FileTree(path)
    if not tree.files():
        raise InputError(f"{path} is empty; give an archive or folder as distributed")
    return tree


def _is_zip(path: Path) -> bool:
    """By its first bytes: a truncated archive is one too."""
    return _head(path).startswith(_ZIP_MAGIC)


def _is_tar(path: Path) -> bool:
    """By the mark in its first header, below gzip if need be; a compressed file that is no tar is a single file."""
    head = _head(path)
    if head.startswith(_GZIP_MAGIC):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, tarfile.BLOCKSIZE)
        except zlib.error:
            return False
    return head[_TAR_MAGIC_AT:].startswith(_TAR_MAGIC)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as handle:
            return handle.read(4096)
    except OSError as error:
        _refuse(error)


def _refuse(error: OSError) -> NoReturn:
    raise InputError(f"cannot read {error.filename}: {error.strerror}; give a folder or file that you may read")


def _is_junk(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return parts[-1] in _JUNK or "__MACOSX" in parts
