"""PAN's files: `answers.txt` and `truth.txt` of 2013 to 2015, `answers.jsonl` and `truth.jsonl` since 2020.

What the official evaluators do about faulty runs is written down here as policies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from harness.errors import FileFaultError
from harness.formats.jsonlines import TRUTHS, answers_format
from harness.jsonl import Row, read_lines
from harness.records import Entry, Fault
from harness.task import AnswerFormat, Policy, TruthFormat

_LETTER_LINE = re.compile(rb"^\s*\S+\s+[YN-](\s|$)")
_GROUPED_ID = re.compile(r"([A-Z]{2})\d{2}")
LETTER_VALUES = {"Y": 1.0, "N": 0.0, "-": 0.5}

PAN20 = Policy(
    name="pan20",
    summary="as the evaluators of PAN 2020 to 2023: the last duplicate wins, an unknown id stops the scoring",
    actions={
        "missing": "unanswered",
        "unknown": "refuse",
        "duplicate": "last",
        "nan": "refuse",
        "out_of_range": "keep",
        "wrong_type": "keep",
        "text_number": "keep",
        "wrapped": "keep",
        "bad_line": "refuse",
        "blank_line": "refuse",
        "encoding": "refuse",
    },
)
PAN14 = Policy(
    name="pan14",
    summary="as the evaluators of PAN 2014 and 2015: the first duplicate wins, what cannot be read is unanswered",
    actions={
        "missing": "unanswered",
        "unknown": "ignore",
        "duplicate": "first",
        "nan": "unanswered",
        "out_of_range": "keep",
        "wrong_type": "unanswered",
        "bad_line": "ignore",
        "blank_line": "ignore",
        "encoding": "ignore",
    },
)
PAN13 = Policy(
    name="pan13",
    summary="as the evaluator of PAN 2013: the first duplicate wins, an unknown letter stops the scoring",
    actions={
        "missing": "unanswered",
        "unknown": "ignore",
        "duplicate": "first",
        "nan": "refuse",
        "out_of_range": "keep",
        "wrong_type": "refuse",
        "bad_line": "refuse",
        "blank_line": "ignore",
        "encoding": "refuse",
    },
)


def _most_lines(head: bytes, fits: Callable[[bytes], object]) -> bool:
    """Whether most lines fit: one bad line must not hide what a file is. The last line may be cut."""
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    return bool(lines) and 2 * sum(1 for line in lines if fits(line)) > len(lines)


def _has_letters(head: bytes) -> bool:
    return _most_lines(head, _LETTER_LINE.match)


def _has_fields(head: bytes) -> bool:
    return _most_lines(head, lambda line: len(line.split()) == 2)


def _read_fields(path: Path) -> Iterator[tuple[int, list[str] | Fault]]:
    """Lines split on white space; a blank or undecodable line is a fault."""
    for number, _, line in read_lines(path):
        try:
            fields = line.decode("utf-8").split()
        except UnicodeDecodeError as error:
            yield number, Fault(kind="encoding", message=f"byte {error.start} is not UTF-8", line=number)
            continue
        yield number, fields or Fault(kind="blank_line", message="blank line", line=number)


def _read_scores(path: Path) -> Iterator[Entry]:
    """`DE001 0.731`"""
    for number, fields in _read_fields(path):
        if isinstance(fields, Fault):
            yield Entry(line=number, fault=fields)
        elif len(fields) != 2:
            message = f"{len(fields)} fields; write the id, a blank and the score"
            yield Entry(line=number, fault=Fault(kind="bad_line", message=message, line=number))
        else:
            yield _scored(number, fields[0], fields[1], {})


def _read_letters(path: Path) -> Iterator[Entry]:
    """`EN04 Y 0.82`; the score is optional, but all-or-nothing."""
    scored: bool | None = None
    for number, fields in _read_fields(path):
        if isinstance(fields, Fault):
            yield Entry(line=number, fault=fields)
            continue
        if len(fields) not in (2, 3) or fields[1] not in LETTER_VALUES:
            message = "write the id, then Y, N or -, then, if any, the score"
            yield Entry(line=number, fault=Fault(kind="bad_line", message=message, line=number))
            continue
        scored = len(fields) == 3 if scored is None else scored
        if scored != (len(fields) == 3):
            message = "some lines have a score and others have none; give all or none"
            yield Entry(line=number, fault=Fault(kind="bad_line", message=message, line=number))
        elif scored:
            yield _scored(number, fields[0], fields[2], {"answer": fields[1]})
        else:
            yield Entry(line=number, id=fields[0], row={"answer": fields[1], "value": LETTER_VALUES[fields[1]]})


def _scored(number: int, identifier: str, text: str, row: Row) -> Entry:
    try:
        return Entry(line=number, id=identifier, row={**row, "value": float(text)})
    except ValueError:
        message = f"the score {text!r} of {identifier} is not a number"
        return Entry(
            line=number, id=identifier, fault=Fault(kind="wrong_type", message=message, line=number, id=identifier)
        )


def _write_scores(rows: Iterable[tuple[str, Row]]) -> Iterator[str]:
    for identifier, row in rows:
        yield f"{identifier} {row['value']!r}\n"


def _write_letters(rows: Iterable[tuple[str, Row]]) -> Iterator[str]:
    for identifier, row in rows:
        value = row["value"]
        letter = row.get("answer") or ("-" if value == 0.5 else "Y" if value > 0.5 else "N")
        yield f"{identifier} {letter} {value!r}\n"


def _read_truth_txt(path: Path) -> Iterator[tuple[int, Row]]:
    """`EN04 Y`; blank lines are skipped. Two-letter, two-digit ids carry PAN 2013's class."""
    for number, fields in _read_fields(path):
        if isinstance(fields, Fault):
            if fields.kind == "blank_line":
                continue
            raise FileFaultError(path, fields.message, line=number)
        if len(fields) != 2 or fields[1] not in ("Y", "N"):
            raise FileFaultError(path, "write the id, a blank, and Y or N", line=number)
        row: Row = {"id": fields[0], "same": fields[1] == "Y"}
        if grouped := _GROUPED_ID.fullmatch(fields[0]):
            row["group"] = grouped[1]
        yield number, row


ANSWERS_JSONL = answers_format(PAN20)
ANSWERS_TXT = AnswerFormat(
    name="answers.txt",
    summary="PAN 2014/15: id and score, one problem a line",
    recognises=_has_fields,
    read=_read_scores,
    write=_write_scores,
    policy=PAN14,
)
ANSWERS_2013 = AnswerFormat(
    name="answers-2013.txt",
    summary="PAN 2013: id, Y, N or -, and a score",
    recognises=_has_letters,
    read=_read_letters,
    write=_write_letters,
    policy=PAN13,
)
TRUTH_JSONL = TRUTHS
TRUTH_TXT = TruthFormat(name="truth.txt", recognises=_has_letters, read=_read_truth_txt)
