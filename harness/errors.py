"""Everything bakeoff can say no to. Each message is one line: what is wrong, where, and the way out.

BakeoffError
├── UsageError            the command or call is wrong (exit code 2)
│   └── UnknownNameError
└── InputError            the data is wrong (exit code 1)
    ├── FileFaultError    … in a file, at a line
    ├── RefusedError      … a run that the policy does not score
    └── NeedsTrainingError … a system that learns, on a dataset without training problems
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class BakeoffError(Exception):
    """Any failure that is explained to the user in one line."""

    exit_code = 1


class UsageError(BakeoffError):
    """The request itself cannot be carried out as written."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that nothing answers to."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        names = sorted(known)
        near = nearest(name, names)
        way_out = f"did you mean {near!r}?" if near else f"known: {', '.join(names) or 'none yet'}"
        super().__init__(f"no {kind} named {name!r}; {way_out}{'; ' + hint if hint else ''}")


class InputError(BakeoffError):
    """The data given cannot be used."""


class FileFaultError(InputError):
    """Something wrong inside a file, at a known place."""

    def __init__(self, path: Path | str, message: str, *, line: int | None = None) -> None:
        place = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")


class RefusedError(InputError):
    """A run with faults that the policy in force does not score."""


class NeedsTrainingError(InputError):
    """A system that must learn was given nothing to learn from."""

    def __init__(self, system: str) -> None:
        super().__init__(f"{system} learns from training problems, and this dataset has none")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, if any is close."""
    matches = difflib.get_close_matches(name, list(known), n=1)
    return matches[0] if matches else None
