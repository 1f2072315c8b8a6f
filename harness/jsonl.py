"""JSON lines: streaming, lazy by id, and exact about where a fault is."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from harness.errors import FileFaultError, InputError

Row = dict[str, Any]
MAX_LINE = 64 * 1024 * 1024
"""Longest line read, in bytes: a larger one is a broken file, and must not fill the memory."""
_BOM = b"\xef\xbb\xbf"
_LEADING_ID = re.compile(rb'\{"id": ?"([^"\\]*)"')
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    r"""Yield (line number, byte offset, bytes without line end); split on `\n` alone."""
    try:
        handle = path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; give a file that you may read") from error
    with handle:
        yield from split_lines(handle, path)


def split_lines(handle: BinaryIO, where: Path | str) -> Iterator[tuple[int, int, bytes]]:
    """The same for an open file, which messages call `where`."""
    number, offset = 0, 0
    while line := handle.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise FileFaultError(where, f"longer than {MAX_LINE >> 20} MB; is this the right file?", line=number)
        body = line.removesuffix(b"\n").removesuffix(b"\r")
        yield number, offset, body.removeprefix(_BOM) if number == 1 else body
        offset += len(line)


def parse_row(line: bytes, path: Path | str, number: int) -> Row:
    """One JSON object with a text `id`, or an error that names file and line."""
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FileFaultError(path, f"byte {error.start} is not UTF-8", line=number) from error
    except (ValueError, RecursionError) as error:
        detail = (
            "nested too deeply"
            if isinstance(error, RecursionError)
            else getattr(error, "msg", "a number with too many digits")
        )
        raise FileFaultError(path, f"not JSON ({detail})", line=number) from error
    if _SURROGATE.search(line) and not _is_text(row):
        raise FileFaultError(path, "half of a surrogate pair, which is no character; repair the text", line=number)
    if not isinstance(row, dict):
        raise FileFaultError(path, 'not a JSON object; write {"id": …} on each line', line=number)
    if not isinstance(row.get("id"), str):
        raise FileFaultError(path, 'no "id", or one that is not a text', line=number)
    return row


def _is_text(row: Any) -> bool:
    """Whether all of a row can be written as UTF-8; JSON lets halves of surrogate pairs through."""
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield (line number, row) in file order; a bad line is named, never skipped."""
    for number, _, line in read_lines(path):
        yield number, parse_row(line, path, number)


def dump_row(row: Mapping[str, Any]) -> str:
    """One line of JSON; floats keep every digit, so that 0.4999 never becomes 0.5."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows as they come; returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(dump_row(row) + "\n")
            count += 1
    return count


class Table(Mapping[str, Row]):
    """Rows of a JSONL file by id, read when asked for: only ids and offsets stay in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._numbers: dict[str, int] = {}
        self._offsets = array("Q")
        for number, offset, line in read_lines(path):
            identifier = self._identify(line, number)
            if identifier in self._numbers:
                raise FileFaultError(path, f"id {identifier!r} occurs twice", line=number)
            self._numbers[identifier] = number
            self._offsets.append(offset)

    def _identify(self, line: bytes, number: int) -> str:
        """The id where it stands first and is plain, as bakeoff writes it; else that of the whole row."""
        leading = _LEADING_ID.match(line)
        if leading and leading[1].isascii():
            return leading[1].decode("ascii")
        return str(parse_row(line, self.path, number)["id"])

    def __getitem__(self, identifier: str) -> Row:
        number = self._numbers[identifier]
        with self.path.open("rb") as handle:
            handle.seek(self._offsets[number - 1])
            line = handle.readline().rstrip(b"\r\n")
        return parse_row(line.removeprefix(_BOM), self.path, number)

    def rows(self, identifiers: Iterable[str]) -> Iterator[Row]:
        """The rows of these ids, with the file opened once: for walks along many of them."""
        with self.path.open("rb") as handle:
            place = 0
            for identifier in identifiers:
                number = self._numbers[identifier]
                if self._offsets[number - 1] != place:
                    handle.seek(self._offsets[number - 1])
                line = handle.readline()
                place = self._offsets[number - 1] + len(line)
                yield parse_row(line.rstrip(b"\r\n").removeprefix(_BOM), self.path, number)

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
