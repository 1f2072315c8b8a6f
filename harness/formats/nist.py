"""NIST's files for story link detection: the key and the system's output, with `.gz` or without.

Each line of the key is `doc1 doc2 TARGET|NONTARGET|OTHER block`; after its information line, each of the
system's is `doc1 doc2 YES|NO score`. The id of a pair is `doc1 doc2`, in the order written.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from harness.errors import FileFaultError, InputError
from harness.jsonl import MAX_LINE, Row
from harness.records import Entry, Fault
from harness.task import AnswerFormat, Policy, TruthFormat

_GZIP = b"\x1f\x8b"
_ANSWER_LINE = re.compile(rb"^\S+\s+\S+\s+(YES|NO)\s+\S+\s*$", re.MULTILINE)
_KEY_LINE = re.compile(rb"^\s*\S+\s+\S+\s+(TARGET|NONTARGET|OTHER)\b", re.MULTILINE)

NIST = Policy(
    name="nist",
    summary="as NIST's TDT3 scorer: every pair of the key is answered once and no other, or there is no score",
    actions={"blank_line": "ignore"},
)


def plain_head(head: bytes) -> bytes:
    """The first bytes of a file, unpacked where they are gzip's."""
    if not head.startswith(_GZIP):
        return head
    return zlib.decompressobj(wbits=31).decompress(head, 64 * 1024)


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as handle:
        packed = handle.read(2) == _GZIP
    return gzip.open(path, "rb") if packed else path.open("rb")  # type: ignore[return-value]


def _bodies(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each line, comments stripped, blank ones skipped."""
    number = 0
    try:
        with _open(path) as handle:
            while line := handle.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise FileFaultError(path, f"longer than {MAX_LINE >> 20} MB; is this the right file?", line=number)
                fields = line.decode("utf-8").partition("#")[0].split()
                if fields:
                    yield number, fields
    except UnicodeDecodeError as error:
        raise FileFaultError(path, f"byte {error.start} is not UTF-8", line=number) from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _read_answers(path: Path) -> Iterator[Entry]:
    lines = _bodies(path)
    next(lines, None)  # the information line: system and deferral
    for number, fields in lines:
        if len(fields) != 4:
            message = "write doc1, doc2, YES or NO, and the score"
            yield Entry(line=number, fault=Fault(kind="bad_line", message=message, line=number))
        else:
            row: Row = {"linked": {"YES": True, "NO": False}.get(fields[2], fields[2]), "score": _number(fields[3])}
            yield Entry(line=number, id=f"{fields[0]} {fields[1]}", row=row)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _write_answers(rows: Iterable[tuple[str, Row]]) -> Iterator[str]:
    yield "bakeoff 1\n"
    for identifier, row in rows:
        yield f"{identifier} {'YES' if row['linked'] else 'NO'} {row['score']!r}\n"


def _read_key(path: Path) -> Iterator[tuple[int, Row]]:
    for number, fields in _bodies(path):
        if len(fields) != 4 or fields[2] not in ("TARGET", "NONTARGET", "OTHER"):
            raise FileFaultError(path, "write doc1, doc2, TARGET, NONTARGET or OTHER, and the block", line=number)
        row: Row = {"id": f"{fields[0]} {fields[1]}", "linked": fields[2] == "TARGET", "block": fields[3]}
        yield number, row | ({"scored": False} if fields[2] == "OTHER" else {})


ANSWERS = AnswerFormat(
    name="nist",
    summary="NIST TDT: an information line, then doc1 doc2 YES|NO score",
    recognises=lambda head: _ANSWER_LINE.search(plain_head(head)) is not None,
    read=_read_answers,
    write=_write_answers,
    policy=NIST,
)
KEY = TruthFormat(
    name="nist key",
    recognises=lambda head: _KEY_LINE.search(plain_head(head)) is not None,
    read=_read_key,
)


def read_officially(run: Path, key: Path) -> tuple[list[Any], dict[str, tuple[float | None, str]]]:
    """Matched trials exactly as NIST's scorer pairs the two files, and the minima that its sweep finds.

    Where it dies, an error says why; where only its sweep does, the minima have the reason in place of a value.
    """
    from metrics import nist

    with key.open("rb") as handle:
        if not _KEY_LINE.search(plain_head(handle.read(64 * 1024))):
            raise InputError(f"{key} is not a key: no line 'doc1 doc2 TARGET|NONTARGET|OTHER block'")
    try:
        trials = nist.match_trials(nist.read_key(key), nist.read_system(run))
        nist.score_trials(trials)
    except nist.NistError as error:
        named = any(str(error).startswith(str(path)) for path in (run, key))
        raise InputError(str(error) if named else f"{run}: {error}") from error
    try:
        swept = nist.score_trials(trials, curves=True)
    except nist.NistError as error:
        return trials, dict.fromkeys(_MINIMA, (None, str(error)))
    return trials, dict(zip(_MINIMA, map(_minimum, (swept.pooled, swept.block_weighted)), strict=True))


_MINIMA = ("min_c_det_nist", "topic_min_c_det_nist")


def _minimum(sweep: Any) -> tuple[float | None, str]:
    if sweep is None:
        return None, "NIST has no topic-weighted sweep of a single block"
    if sweep.minimum is None:
        return None, "NIST's sweep visits no point of this system"
    return sweep.minimum.norm_cost, ""
