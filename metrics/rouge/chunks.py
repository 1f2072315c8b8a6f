"""Kernels over parts of the pairs, one part a core: compiled code runs without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.rouge.encoding import Encoded

_SMALLEST = 64
"""Pairs in a chunk, at least: less work does not pay for a thread."""
Array = npt.NDArray[Any]


def by_chunks(encoded: Encoded, kernel: Callable[..., Array], before: tuple[Any, ...], after: tuple[Any, ...]) -> Array:
    """What `kernel(*before, peers, references, starts, *after)` gives for all references, in their order."""
    chunks = max(1, min(_cores(), len(encoded) // _SMALLEST))
    bounds = [len(encoded) * chunk // chunks for chunk in range(chunks + 1)]

    def part(chunk: int) -> Array:
        first, end = bounds[chunk], bounds[chunk + 1]
        starts = encoded.starts[first : end + 1]
        references = encoded.references[starts[0] : starts[-1]]
        return kernel(*before, encoded.peers[first:end], references, starts - starts[0], *after)

    if chunks == 1:
        return part(0)
    with ThreadPoolExecutor(chunks) as pool:
        return np.concatenate(list(pool.map(part, range(chunks))))


def _cores() -> int:
    """The cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
