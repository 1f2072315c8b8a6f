"""Answers and truths as JSON lines, the format of new runs and of PAN since 2020."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.errors import FileFaultError
from harness.jsonl import Row, dump_row, parse_row, read_lines, read_rows
from harness.records import Entry, Fault
from harness.task import AnswerFormat, Policy, TruthFormat


def looks_like_json(head: bytes) -> bool:
    """The first character that is not white space opens an object or a list."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def read_entries(path: Path) -> Iterator[Entry]:
    """Each line as an entry; what cannot be read is a fault of that line, never a stop."""
    for number, _, line in read_lines(path):
        if not line.strip():
            fault = Fault(kind="blank_line", message="blank line", line=number)
            yield Entry(line=number, fault=fault)
            continue
        try:
            row = parse_row(line, path, number)
        except FileFaultError as error:
            message = str(error).split(": ", 1)[1]
            kind = "encoding" if "is not UTF-8" in message else "bad_line"
            yield Entry(line=number, fault=Fault(kind=kind, message=message, line=number))  # type: ignore[arg-type]
        else:
            yield Entry(line=number, id=row["id"], row=row)


def write_lines(rows: Iterable[tuple[str, Row]]) -> Iterator[str]:
    """One JSON object a line, id first."""
    for identifier, row in rows:
        yield dump_row({"id": identifier, **row}) + "\n"


def answers_format(policy: Policy) -> AnswerFormat:
    """JSON lines with the official policy of a task."""
    return AnswerFormat(
        name="jsonl",
        summary='one JSON object a line: {"id": …, …}',
        recognises=looks_like_json,
        read=read_entries,
        write=write_lines,
        policy=policy,
    )


TRUTHS = TruthFormat(name="jsonl", recognises=looks_like_json, read=read_rows)
