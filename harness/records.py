"""The records that pass between the stages: frozen, and without behaviour of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "missing",
    "unknown",
    "duplicate",
    "nan",
    "out_of_range",
    "wrong_type",
    "text_number",
    "wrapped",
    "bad_line",
    "blank_line",
    "encoding",
    "shifted",
]


Progress = Callable[[int, int, str], None]
"""Is told how much is done, of how much, and what is under way."""


def unheard(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with its id in the collection; headline and ISO date where the corpus has them."""

    id: str
    text: str
    headline: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with a run: its kind, where it stands, and the answer that could still be meant."""

    kind: Kind
    message: str
    line: int | None = None
    id: str | None = None
    salvage: Any = None

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{self.kind}: {place}{self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a run as a format's reader understood it: a row for an id, or a fault."""

    line: int
    id: str | None = None
    row: Mapping[str, Any] | None = None
    fault: Fault | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One number, with all that is needed to compute it again; without a value, the reason."""

    metric: str
    value: float | None
    signature: str
    interval: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a run took."""

    seconds: float
    peak_memory_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCall:
    """A system by task and name, with the parameters that differ from its defaults."""

    task: str
    name: str
    parameters: Mapping[str, Any]
