"""Wall-clock time and peak memory of a block of work in this process."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.records import Resources

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class Measurement:
    """Filled in when the measured block ends."""

    resources = Resources(seconds=0.0, peak_memory_mb=0.0)


@contextmanager
def measured() -> Iterator[Measurement]:
    """Measure a block. Where the system lets the peak be reset (Linux), it is the block's own, else the process's."""
    result = Measurement()
    _reset_peak()
    start = time.perf_counter()
    yield result
    seconds = time.perf_counter() - start
    result.resources = Resources(seconds=round(seconds, 3), peak_memory_mb=round(_peak_mb(), 1))


def _reset_peak() -> None:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return  # not Linux, or not allowed: the peak since the process began is what can be told


def _peak_mb() -> float:
    if _STATUS.exists():
        for line in _STATUS.read_text(encoding="ascii").split("\n"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024) if sys.platform == "darwin" else peak / 1024
