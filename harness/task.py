"""What a task is: the types of its problems, truths and answers, its metrics, and what "unanswered" means.

A task file in `harness/tasks/` fills in one `Task`; the stages (dataset, run, check, scoring, leaderboard)
know tasks through this record only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, get_args

from harness.errors import InputError
from harness.jsonl import Row
from harness.records import Document, Entry, Kind

P = TypeVar("P")
T = TypeVar("T")
A = TypeVar("A")
Action = Literal["refuse", "unanswered", "ignore", "first", "last", "keep"]
Collection = Mapping[str, Document]


class RowError(ValueError):
    """A row that is not of the task's type; the reader adds file and line."""


class AnswerError(ValueError):
    """An answer that is not clean: what kind of fault it is, and what could still be meant by it."""

    def __init__(self, kind: Kind, message: str, salvage: Any = None) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.salvage = salvage


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the scorer does about each kind of fault. Part of every signature."""

    name: str
    summary: str
    actions: Mapping[Kind, Action]


STRICT = Policy(name="strict", summary="any fault refuses the run", actions=dict.fromkeys(get_args(Kind), "refuse"))
LENIENT = Policy(
    name="lenient",
    summary="a fault never helps: whatever is not one clear answer counts as unanswered",
    actions={
        "missing": "unanswered",
        "unknown": "ignore",
        "duplicate": "unanswered",
        "nan": "unanswered",
        "out_of_range": "unanswered",
        "wrong_type": "unanswered",
        "text_number": "keep",
        "wrapped": "keep",
        "bad_line": "ignore",
        "blank_line": "ignore",
        "encoding": "ignore",
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """A file format for answers: how to tell it by its first bytes, read it, write it, and its official policy."""

    name: str
    summary: str
    recognises: Callable[[bytes], bool]
    read: Callable[[Path], Iterator[Entry]]
    write: Callable[[Iterable[tuple[str, Row]]], Iterator[str]] | None
    """`None` where the format is more than one file."""
    policy: Policy
    is_folder: Callable[[Path], bool] = lambda _: False
    """Whether a folder as a whole is a run of this format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthFormat:
    """A file format for truths."""

    name: str
    recognises: Callable[[bytes], bool]
    read: Callable[[Path], Iterator[tuple[int, Row]]]
    is_folder: Callable[[Path], bool] = lambda _: False


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A split on its way out of a dataset; without truths it is blind."""

    dataset: str
    title: str
    split: str
    problems: Sequence[Any]
    truths: Mapping[str, Any] | None


Export = Callable[[Path, Release], None]
"""Writes a release into an empty folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What theory says a run without any skill gets; the self-test compares."""

    name: str
    answers: Callable[[Sequence[Any]], Sequence[Any]]
    values: Callable[[Sequence[Any]], Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Official(Generic[T, A]):
    """A run and its truths as the official program reads them, and values by metric that only its own walk gives."""

    truths: Mapping[str, T]
    answers: Mapping[str, A | None]
    values: Mapping[str, tuple[float | None, str]]


@dataclass(frozen=True, kw_only=True)
class Task(Generic[P, T, A]):
    """A shared task; see the module's text."""

    name: str
    title: str
    summary: str
    problem: Callable[[Row, Collection], P]
    truth: Callable[[Row], T]
    truth_row: Callable[[T], Row]
    answer: Callable[[Row], A]
    answer_row: Callable[[A], Row]
    unanswered: A
    metrics: tuple[str, ...]
    columns: Callable[[Sequence[T], Sequence[A | None]], Mapping[str, Any]]
    gold: Callable[[T], A]
    credit: Callable[[T, A | None], float]
    formats: tuple[AnswerFormat, ...]
    truth_formats: tuple[TruthFormat, ...]
    exports: Mapping[str, Export]
    expectations: tuple[Expectation, ...] = ()
    group: Callable[[T], str | None] = lambda _: None
    meant: Callable[[str], str | None] = lambda _: None
    """Another spelling that an unknown id may stand for, such as a pair the other way round."""
    within: Callable[[Task[P, T, A], Mapping[str, Any]], Task[P, T, A]] = lambda task, manifest: task
    """The task as a dataset's manifest sets it, such as with the labels that an answer may have."""
    gold_is_perfect: bool = True
    """Whether `gold` gets the best value of every metric; one summary of several is not all of them."""
    read_officially: Callable[[Path, Path], Official[T, A]] | None = None
    """Run and truth file as the official program pairs them, where that is more than formats and a policy."""

    @property
    def policies(self) -> dict[str, Policy]:
        """Every policy of the task by name: the two common ones and the official ones of its formats."""
        official = [answer_format.policy for answer_format in self.formats]
        return {policy.name: policy for policy in (STRICT, LENIENT, *official)}


class System(ABC, Generic[P, T, A]):
    """A method: a dataclass whose fields are its parameters, with `fit` and `answer`.

    `fit` sees training problems with their truths; `answer` sees problems alone. Both get every problem
    at once, as a lazy sequence that can be walked more than once.
    """

    def fit(self, problems: Sequence[P], truths: Sequence[T], *, seed: int) -> None:
        """Learn; the default is a system with nothing to learn. All randomness comes from `seed`."""
        del problems, truths, seed

    @abstractmethod
    def answer(self, problems: Sequence[P]) -> Mapping[str, A]:
        """An answer for each problem's id; an id left out is unanswered."""


def require(condition: object, message: str) -> None:
    """Raise `RowError` with a message unless the condition holds."""
    if not condition:
        raise RowError(message)


def collect(collection: Collection, identifiers: Iterable[str]) -> tuple[Document, ...]:
    """The documents with these ids; an id that the collection lacks is an error."""
    documents = []
    for identifier in identifiers:
        if identifier not in collection:
            raise InputError(f"no document {identifier!r} in the collection; run bakeoff datasets verify")
        documents.append(collection[identifier])
    return tuple(documents)
