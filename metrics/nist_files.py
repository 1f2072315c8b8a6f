"""NIST's files for story link detection: the key and the system's output, in and out.

Key: a header `# LINK_DETECTION ...`, then `doc1 doc2 TARGET|NONTARGET|OTHER block`.
System: `# description`, an information line `system deferral`, then `doc1 doc2 YES|NO score`.
Both allow `#` comments, blank lines and gzip (`.gz`). Pairs match as ordered text.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from metrics.metric import MetricError

_NUMBER = re.compile(r"\s*([+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))", re.IGNORECASE)
_BLANKS = re.compile(r"\s+", re.ASCII)
_SHOWN = 3


class NistError(MetricError):
    """A key or system file that NIST's scorer refuses, or a score it cannot give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRecord:
    """One line of a key: an ordered pair, its label and its block (topic)."""

    pair: str
    label: str
    block: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRecord:
    """One line of a system's output; `score` is as written, `None` where the line has none."""

    pair: str
    decision: str
    score: str | None

    @property
    def value(self) -> float:
        """The score as Perl reads it: its leading number, else 0."""
        return leading_number(self.score or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFile:
    """A system's output with what its head says."""

    system: str
    deferral: str
    description: str
    records: list[SystemRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A pair of the key with the system's answer to it."""

    block: str
    target: bool
    decision: str
    score: str | None
    value: float


def leading_number(text: str) -> float:
    """The number a text begins with, else 0; `inf` and overflow are infinite."""
    match = _NUMBER.match(text)
    return float(match[1]) if match else 0.0


def _open(path: Path, mode: str) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, mode + "t", encoding="utf-8", newline="\n")  # type: ignore[return-value]
    return path.open(mode, encoding="utf-8", newline="\n")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with _open(path, "r") as lines:
            yield from ((number, line.rstrip("\r\n")) for number, line in enumerate(lines, start=1))
    except (OSError, UnicodeDecodeError) as error:
        raise NistError(f"{path}: cannot be read: {error}") from error


def _bodies(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines without comments; blank ones are skipped."""
    for number, line in numbered:
        body = line.partition("#")[0].rstrip()
        if body:
            yield number, body


def _fields(body: str, most: int) -> list[str]:
    """Fields apart by white space; a line that starts with a blank has an empty first field, as in Perl."""
    fields = _BLANKS.split(body, maxsplit=most - 1)
    return fields + [""] * (most - len(fields))


def read_key(path: str | Path) -> list[KeyRecord]:
    """The records of a key file, in its order."""
    path = Path(path)
    lines = _lines(path)
    header = next(lines, (1, ""))[1]
    if (_BLANKS.split(header, maxsplit=1) or [""])[0] != "#":
        raise NistError(f"{path}, line 1: a key starts with '# LINK_DETECTION', not {header!r}; add the header")
    records = []
    for _, body in _bodies(lines):
        first, second, label, block, _ = _fields(body, 5)
        records.append(KeyRecord(pair=f"{first} {second}", label=label, block=block))
    return records


def read_system(path: str | Path) -> SystemFile:
    """A system's output, in its order; the first comment describes the system."""
    path = Path(path)
    description: str | None = None
    head: list[str] | None = None
    records = []
    for _, line in _lines(path):
        if head is None and description is None and line.startswith("#"):
            description = line[1:].strip()
        for _, body in _bodies([(0, line)]):
            if head is None:
                head = _fields(body, 2)
            else:
                first, second, decision, score = _fields(body, 4)
                records.append(SystemRecord(pair=f"{first} {second}", decision=decision, score=score or None))
    system, deferral = head or ["", ""]
    return SystemFile(system=system, deferral=deferral, description=description or "", records=records)


def write_key(path: str | Path, records: Iterable[KeyRecord], *, description: str = "") -> None:
    """Write a key file; a name that the format cannot hold is refused before anything is written."""
    lines = [f"# LINK_DETECTION {description}".rstrip()]
    lines += [" ".join([*_pair(record.pair), _word(record.label), _word(record.block)]) for record in records]
    _write(Path(path), lines)


def write_system(path: str | Path, system: SystemFile) -> None:
    """Write a system's output; a name that the format cannot hold is refused before anything is written."""
    lines = [f"# {system.description}"] if system.description else []
    lines.append(f"{_word(system.system)} {_word(system.deferral)}")
    for record in system.records:
        lines.append(" ".join([*_pair(record.pair), _word(record.decision), _word(record.score or "")]))
    _write(Path(path), lines)


def _write(path: Path, lines: list[str]) -> None:
    try:
        with _open(path, "w") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise NistError(f"{path}: cannot be written: {error}") from error


def _pair(pair: str) -> list[str]:
    documents = pair.split(" ")
    if len(documents) != 2:
        raise NistError(f"{pair!r} is not a pair 'doc1 doc2'; a document id holds no white space")
    return [_word(document) for document in documents]


def _word(text: str) -> str:
    if not text or "#" in text or _BLANKS.search(text):
        raise NistError(f"{text!r} cannot be written to a NIST file; a field is not empty and has no blank and no '#'")
    return text


def match_trials(key: Iterable[KeyRecord], system: SystemFile, *, skip_spurious: bool = False) -> list[Trial]:
    """Pair the two files as NIST's scorer does, reading the key only as far as the system's lines need.

    So of a pair that stands twice in the key, the second line holds if both were read before the system's line came;
    otherwise it waits for an answer that never comes. OTHER pairs need an answer but are not scored.
    """
    waiting: dict[str, KeyRecord] = {}
    rest = iter(key)
    trials, spurious = [], []
    for answer in system.records:
        while answer.pair not in waiting and (record := next(rest, None)) is not None:
            waiting[record.pair] = record
        found = waiting.pop(answer.pair, None)
        if found is None:
            spurious.append(answer.pair)
        elif found.label != "OTHER":
            trials.append(_trial(found, answer))
    waiting |= {record.pair: record for record in rest}
    if spurious and not skip_spurious:
        raise NistError(
            f"{_pairs(spurious)} of the system not in the key, or given twice or reversed: {_some(spurious)}; "
            "remove these lines"
        )
    if waiting:
        hint = "the system must answer all"
        if system.deferral.split()[1:2] in (["YES"], ["NO"]):
            hint = "the first pair was taken for the information line 'system deferral', which is missing"
        raise NistError(f"{_pairs(waiting)} of the key without an answer: {_some(sorted(waiting))}; {hint}")
    return trials


def _trial(record: KeyRecord, answer: SystemRecord) -> Trial:
    if math.isnan(answer.value):
        raise NistError(f"the score of {answer.pair!r} is NaN, which is above and below no other; give a number")
    return Trial(
        block=record.block,
        target=record.label == "TARGET",
        decision=answer.decision,
        score=answer.score,
        value=answer.value,
    )


def by_block(trials: Iterable[Trial]) -> dict[str, list[Trial]]:
    """The trials of each block, blocks in the order of their names."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.block, []).append(trial)
    return dict(sorted(groups.items()))


def _pairs(pairs: Collection[str]) -> str:
    return f"{len(pairs)} pair{'' if len(pairs) == 1 else 's'}"


def _some(pairs: list[str]) -> str:
    return ", ".join(map(repr, pairs[:_SHOWN])) + (", ..." if len(pairs) > _SHOWN else "")
