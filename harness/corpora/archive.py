"""A corpus as distributed: a folder, a zip or a single file, seen as named files and never unpacked to disk."""

from __future__ import annotations

import zipfile
import zlib
from abc import ABC, abstractmethod
from pathlib import Path, PurePosixPath

from harness.errors import FileFaultError, InputError

MAX_FILE = 1 << 30
"""Largest file read from an archive, in bytes: more is a broken or hostile archive."""
_JUNK = {".DS_Store", ".directory", "Thumbs.db"}


class Tree(ABC):
    """Named files; names are relative, with `/`, sorted."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @abstractmethod
    def files(self) -> list[str]:
        """Every file's name, junk left out."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """A file's bytes."""

    def where(self, name: str) -> str:
        """How messages call a file of this tree."""
        return f"{self.path}/{name}"


class FolderTree(Tree):
    """A folder on disk."""

    def files(self) -> list[str]:
        root = self.path.resolve()
        names = []
        for path in self.path.rglob("*"):
            name = path.relative_to(self.path).as_posix()
            if path.is_file() and not _is_junk(name):
                if not path.resolve().is_relative_to(root):
                    raise FileFaultError(self.where(name), "a link that leads out of the folder; copy the file instead")
                names.append(name)
        return sorted(names)

    def read(self, name: str) -> bytes:
        path = self.path / name
        if path.stat().st_size > MAX_FILE:
            raise FileFaultError(path, f"larger than {MAX_FILE >> 20} MB")
        return path.read_bytes()


class FileTree(Tree):
    """One file on its own."""

    def files(self) -> list[str]:
        return [self.path.name]

    def read(self, name: str) -> bytes:
        if self.path.stat().st_size > MAX_FILE:
            raise FileFaultError(self.path, f"larger than {MAX_FILE >> 20} MB")
        return self.path.read_bytes()

    def where(self, name: str) -> str:
        return str(self.path)


class ZipTree(Tree):
    """A zip archive; members are read in place, so a hostile name has nowhere to go, but is refused all the same."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError) as error:
            raise FileFaultError(path, f"not a whole zip archive ({error}); download it again") from error
        self._members = {info.filename: info for info in self._zip.infolist() if not info.is_dir()}
        for name in self._members:
            parts = PurePosixPath(name.replace("\\", "/")).parts
            if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
                raise FileFaultError(path, f"member {name!r} points outside the archive; do not trust this file")

    def files(self) -> list[str]:
        return sorted(name for name in self._members if not _is_junk(name))

    def read(self, name: str) -> bytes:
        info = self._members[name]
        if info.file_size > MAX_FILE:
            raise FileFaultError(self.where(name), f"larger than {MAX_FILE >> 20} MB")
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise FileFaultError(self.where(name), f"damaged in the archive ({error}); download it again") from error
        except (RuntimeError, NotImplementedError) as error:
            raise FileFaultError(self.where(name), f"cannot be unpacked ({error}); unzip it yourself first") from error


def open_tree(path: Path) -> Tree:
    """A folder, zip archive or single file as a tree."""
    if path.is_dir():
        tree: Tree = FolderTree(path)
    elif not path.is_file():
        raise InputError(f"{path} does not exist; give an archive or folder as distributed")
    elif path.suffix.lower() == ".zip" or zipfile.is_zipfile(path):
        tree = ZipTree(path)
    else:
        tree = FileTree(path)
    if not tree.files():
        raise InputError(f"{path} is empty; give an archive or folder as distributed")
    return tree


def _is_junk(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return parts[-1] in _JUNK or "__MACOSX" in parts
