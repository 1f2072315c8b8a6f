"""What ROUGE-1.5.5 reads: its XML configuration or plain list, and texts in the formats SPL and SEE."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from metrics.rouge.options import FORMATS, RougeProgramError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_UNREADABLE = 2
"""The exit code where a file cannot be read."""
_SEE_SENTENCE = re.compile(rb'<a (?:size="\d+" )?name="\d+">\[\d+\]</a>\s+<a href="#\d+" id=\d+>([^<]+)', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One EVAL: a topic with its models and the peers' texts."""

    id: str
    format: str
    peers: dict[str, Path]
    models: dict[str, Path]


def read_configuration(path: Path, directory: Path) -> list[Evaluation]:
    """The evaluations of an XML configuration; relative names start from the directory."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    content = _read(directory / path, "configuration")
    try:
        root = fromstring(content)
    except DefusedXmlException as error:
        raise RougeProgramError(f"{path}: refused: entities are not allowed in a configuration ({error})") from error
    except (ParseError, LookupError, ValueError) as error:  # the latter two of an encoding that cannot be read
        raise RougeProgramError(f"{path}: not well-formed XML: {error}") from error
    evaluations: dict[str, Evaluation] = {}
    for element in root.iter("EVAL"):
        evaluation = _evaluation(element, path, directory)
        if evaluation.id in evaluations:
            raise RougeProgramError(f"{path}: the EVAL ID {evaluation.id!r} is given twice; ids must be unique")
        evaluations[evaluation.id] = evaluation
    if not evaluations:
        raise RougeProgramError(f"{path}: there is no EVAL element in it")
    return list(evaluations.values())


def _evaluation(element: Element, path: Path, directory: Path) -> Evaluation:
    name = element.get("ID")
    if name is None:
        raise RougeProgramError(f"{path}: an EVAL element has no ID")
    where = f"{path}: EVAL {name!r}"
    kind = element.find("INPUT-FORMAT")
    text_format = None if kind is None else kind.get("TYPE")
    if text_format not in FORMATS:
        raise RougeProgramError(f"{where}: unknown INPUT-FORMAT TYPE {text_format!r}; known: {', '.join(FORMATS)}")
    return Evaluation(
        id=name,
        format=text_format,
        peers=_files(element, "PEERS/P", directory / _root(element, "PEER-ROOT", where), where),
        models=_files(element, "MODELS/M", directory / _root(element, "MODEL-ROOT", where), where),
    )


def _root(element: Element, tag: str, where: str) -> str:
    root = (element.findtext(tag) or "").strip()
    if not root:
        raise RougeProgramError(f"{where} has no {tag}")
    return root


def _files(element: Element, tag: str, root: Path, where: str) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for item in element.iterfind(tag):
        name, file = item.get("ID"), (item.text or "").strip()
        if name is None or not file:
            raise RougeProgramError(f"{where}: {tag} needs an ID and a file name")
        if name in files:
            raise RougeProgramError(f"{where}: {tag} {name!r} is given twice; ids must be unique")
        files[name] = root / file
    return files


def read_list(path: Path, directory: Path, text_format: str, system: str) -> list[Evaluation]:
    """The evaluations of a plain list, one a line, numbered from 1: the peer's file, then the models'."""
    evaluations: list[Evaluation] = []
    for number, line in enumerate(_read(directory / path, "list").decode("utf-8", "surrogateescape").split("\n"), 1):
        names = line.split()
        if not names:
            continue
        if len(names) < 2:
            raise RougeProgramError(f"{path}, line {number}: a peer and at least one model are needed")
        peer, *models = (directory / name for name in names)
        numbered = {str(place): model for place, model in enumerate(models, start=1)}
        evaluation_id = str(len(evaluations) + 1)
        evaluations.append(Evaluation(id=evaluation_id, format=text_format, peers={system: peer}, models=numbered))
    if not evaluations:
        raise RougeProgramError(f"{path}: the list is empty")
    return evaluations


def text_reader() -> Callable[[Path, str], bytes]:
    """A function that reads a text of a format as bytes with one sentence per line, each file once."""
    known: dict[tuple[Path, str], bytes] = {}

    def read(path: Path, text_format: str) -> bytes:
        if (path, text_format) not in known:
            content = _read(path, "text")
            known[path, text_format] = _see_sentences(content) if text_format == "SEE" else content
        return known[path, text_format]

    return read


def _see_sentences(content: bytes) -> bytes:
    """The sentences of a SEE page. Lines that do not begin as SEE has it hold none; text ends at the first "<"."""
    matches = (_SEE_SENTENCE.match(line) for line in content.split(b"\n"))
    return b"\n".join(match[1] for match in matches if match)


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RougeProgramError(f"cannot read the {what} {path}: {error.strerror}", _UNREADABLE) from error
    except ValueError as error:  # a null byte in the name
        raise RougeProgramError(f"cannot read the {what} {str(path)!r}: {error}", _UNREADABLE) from error
