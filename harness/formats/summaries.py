"""Summaries as files: one a topic in a folder, named as DUC named them, as MultiLing did, or plainly by topic.

`D30001.M.100.T.17` is docset d30001t, multi-document, 100 words, system 17; a letter in the place of the system is the
person who wrote a model. `M003.A.250` is a model of MultiLing's topic M003. Anything else is `<topic>` or
`<topic>.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.formats.jsonlines import TRUTHS, answers_format
from harness.jsonl import Row
from harness.records import Entry, Fault
from harness.task import AnswerFormat, Policy, TruthFormat

__all__ = ["DUC", "FOLDER", "JSONL", "MODELS", "TRUTHS", "SummaryName", "parse_name", "read_sentences"]

DUC = Policy(
    name="duc",
    summary="as ROUGE-1.5.5 scored DUC: long summaries are cut, an empty one is a zero; so is one that is missing, "
    "which ROUGE leaves out of the mean",
    actions={
        "missing": "unanswered",
        "unknown": "ignore",
        "duplicate": "refuse",
        "wrong_type": "unanswered",
        "bad_line": "refuse",
        "blank_line": "ignore",
        "encoding": "refuse",
    },
)
_DUC_NAME = re.compile(
    r"(?P<set>d\d+)\.(?P<kind>[mp])\.(?P<size>\d+)\.(?P<letter>[a-z])\.(?P<author>[a-z0-9]+)(?:\.(?P<document>.+))?",
    re.IGNORECASE,
)
_MULTILING_NAME = re.compile(r"(?P<set>M\d{3})(?:\.(?P<author>[A-Z])(?:\.(?P<size>\d+))?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryName:
    """What a file's name says of a summary; the author is a person's letter or a system's number, or unknown."""

    topic: str
    author: str = ""
    size: int | None = None
    document: str = ""


def parse_name(name: str) -> SummaryName:
    """A summary's name, without regard to case in DUC's; the case of a document number is kept."""
    name = re.sub(r"\.(?:html|txt)$", "", name, flags=re.IGNORECASE)
    if found := _DUC_NAME.fullmatch(name):
        topic = (found["set"] + found["letter"]).lower()
        return SummaryName(
            topic=topic, author=found["author"].upper(), size=int(found["size"]), document=found["document"] or ""
        )
    if found := _MULTILING_NAME.fullmatch(name):
        size = int(found["size"]) if found["size"] else None
        return SummaryName(topic=found["set"], author=found["author"] or "", size=size)
    return SummaryName(topic=name)


_SEE_SENTENCE = re.compile(r'<a name="[^"]*">\[[^\]]*\]</a>\s*<a href="[^"]*" id=[^>]*>([^<]*)')


def read_sentences(text: str) -> str:
    """A summary with one sentence per line, out of SEE's HTML if it is in that."""
    if "<html" not in text[:200].lower():
        return "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if line.strip())
    lines = (_SEE_SENTENCE.match(line) for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(line[1] for line in lines if line)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))


def _read_answers(folder: Path) -> Iterator[Entry]:
    """A file is an answer; its place in the order of names stands for a line number."""
    for number, path in enumerate(_files(folder), start=1):
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"{path.name}: byte {error.start} is not UTF-8"
            yield Entry(line=number, fault=Fault(kind="encoding", message=message, line=number))
        else:
            yield Entry(line=number, id=parse_name(path.name).topic, row={"summary": read_sentences(text)})


def _read_models(folder: Path) -> Iterator[tuple[int, Row]]:
    """Models of a topic together, in the order of their names."""
    topics: dict[str, list[str]] = {}
    for path in _files(folder):
        text = path.read_bytes().decode("utf-8-sig")
        topics.setdefault(parse_name(path.name).topic, []).append(read_sentences(text))
    for number, (topic, references) in enumerate(topics.items(), start=1):
        yield number, {"id": topic, "references": references}


def _is_folder_of_texts(folder: Path) -> bool:
    files = _files(folder) if folder.is_dir() else []
    return bool(files) and not any(path.suffix in (".json", ".jsonl", ".yml") for path in files)


JSONL = answers_format(DUC)
FOLDER = AnswerFormat(
    name="folder",
    summary="a folder with a file for each topic, one sentence per line",
    recognises=lambda head: False,
    is_folder=_is_folder_of_texts,
    read=_read_answers,
    write=None,
    policy=DUC,
)
MODELS = TruthFormat(name="folder", recognises=lambda head: False, is_folder=_is_folder_of_texts, read=_read_models)
