"""Watching a process tree: measured as a whole, and killed as a whole when it goes beyond a limit.

Walls and resource limits of the kernel stop single processes; only a watcher sees what they take together. It looks
every few milliseconds at first, then twenty times a second.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from harness.errors import InputError
from harness.sandbox.job import Ending, Job, Limits

_TAIL = 8 * 1024
"""Bytes of standard error kept: the end, which is where the reason stands."""
_FIRST_PAUSE, _PAUSE = 0.005, 0.05
_PATIENCE = 5.0
"""Seconds that a killed tree gets to vanish before we say that it did not."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@dataclass(slots=True)
class _Taken:
    """What a tree takes now, and the most that it ever took."""

    processes: int = 0
    memory_mb: float = 0.0
    peak_memory_mb: float = 0.0
    cpu: dict[int, float] = field(default_factory=dict)

    @property
    def cpu_seconds(self) -> float:
        return sum(self.cpu.values())


class _Stream:
    """Standard output or error of a job, drained so that it never blocks; only the end is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.written, self.tail = 0, b""
        self._pipe = pipe
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        while chunk := os.read(self._pipe.fileno(), 1 << 16):
            self.written += len(chunk)
            self.tail = (self.tail + chunk)[-_TAIL:]

    def close(self) -> None:
        self._thread.join(timeout=_PATIENCE)
        self._pipe.close()


def supervise(
    argv: Sequence[str],
    job: Job,
    *,
    environment: Mapping[str, str],
    folder: Path | None = None,
    user: int | None = None,
    kill: Callable[[], None] = lambda: None,
    pids: Callable[[int], set[int]] | None = None,
) -> Ending:
    """Run a command to its end or its limits. `kill` ends what is not below the process itself, such as a container."""
    try:
        process = subprocess.Popen(  # noqa: S603 - running what a participant sent is the purpose
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    except OSError as error:
        raise InputError(f"cannot start {argv[0]}: {error.strerror}; is it installed?") from error
    if process.stdout is None or process.stderr is None:  # never: both are pipes
        raise InputError(f"{argv[0]} has no output")
    streams = [_Stream(process.stdout), _Stream(process.stderr)]
    start, taken, reason, pause = time.monotonic(), _Taken(), "", _FIRST_PAUSE
    members = pids or _descendants
    try:
        while process.poll() is None and not reason:
            _look(members(process.pid), taken)
            reason = _excess(job, taken, streams, time.monotonic() - start)
            if not reason:
                _wait(process, pause)
                pause = min(_PAUSE, pause * 1.5)
    finally:
        seconds = time.monotonic() - start
        _end(process, members(process.pid), kill)
        for stream in streams:
            stream.close()
    reason = reason or _excess(job, taken, streams, seconds) or _judge(process.returncode)
    return Ending(
        reason=reason,
        code=process.returncode,
        seconds=round(seconds, 3),
        cpu_seconds=round(taken.cpu_seconds, 3),
        peak_memory_mb=round(taken.peak_memory_mb, 1),
        errors=streams[1].tail.decode("utf-8", "replace"),
    )


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return


def _excess(job: Job, taken: _Taken, streams: Sequence[_Stream], seconds: float) -> str:
    """The limit that was passed, in words for the participant."""
    limits: Limits = job.limits
    printed = sum(stream.written for stream in streams) / (1 << 20)
    if seconds > limits.seconds:
        return f"time: it ran longer than {limits.seconds:g} s"
    if taken.cpu_seconds > limits.cpu_seconds:
        return f"cpu: it used more than {limits.cpu_seconds:g} s of processor time"
    if taken.processes > limits.processes:
        return f"processes: it had more than {limits.processes} at one time"
    if taken.memory_mb > limits.memory_mb:
        return f"memory: its processes took more than {limits.memory_mb} MB together"
    if printed > limits.output_mb:
        return f"output: it printed more than {limits.output_mb} MB"
    if _size_mb(job.output) > limits.output_mb:
        return f"output: it wrote more than {limits.output_mb} MB"
    return ""


def _judge(code: int) -> str:
    if code == 0:
        return ""
    number = -code if code < 0 else code - 128 if code > 128 else 0
    if number == signal.SIGXCPU:
        return "cpu: a process of it used more processor time than it may"
    if number == signal.SIGXFSZ:
        return "output: it wrote a file larger than it may"
    names = {member.value: member.name for member in signal.Signals}
    return f"crash: it was ended by {names[number]}" if number in names else f"crash: it ended with exit code {code}"


def _end(process: subprocess.Popen[bytes], members: set[int], kill: Callable[[], None]) -> None:
    """Kill everything, and wait until it is gone."""
    kill()
    for pid in {process.pid, *members}:
        try:
            os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    process.wait()
    deadline = time.monotonic() + _PATIENCE
    while any(_is_alive(pid) for pid in members):
        if time.monotonic() > deadline:
            raise InputError(f"processes {sorted(filter(_is_alive, members))} of the submission cannot be killed")
        time.sleep(_FIRST_PAUSE)


def _is_alive(pid: int) -> bool:
    facts = _stat(pid)
    return facts is not None and facts[0] != "Z"


def process_ids() -> list[int]:
    """Every process of this machine."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _descendants(root: int) -> set[int]:
    """A process and all below it: in a process namespace nobody can leave this tree."""
    children: dict[int, list[int]] = {}
    for pid in process_ids():
        if (facts := _stat(pid)) is not None:
            children.setdefault(int(facts[1]), []).append(pid)
    found, waiting = {root}, [root]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _look(members: set[int], taken: _Taken) -> None:
    """Count, weigh and time the members; the processor time of those that have ended since stays counted."""
    taken.processes, taken.memory_mb = 0, 0.0
    for pid in members:
        facts = _stat(pid)
        if facts is None:
            continue
        taken.cpu[pid] = (int(facts[11]) + int(facts[12])) / _TICKS
        taken.processes += int(facts[17])
        taken.memory_mb += int(facts[21]) * _PAGE_MB
    taken.peak_memory_mb = max(taken.peak_memory_mb, taken.memory_mb)


def _stat(pid: int) -> list[str] | None:
    """Fields of `/proc/<pid>/stat` from the state on (the name before it may hold anything); `None` if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None
    return text[text.rindex(")") + 2 :].split()


def _size_mb(folder: Path) -> float:
    """What stands in a folder, links not followed; what vanishes while we look counts nothing."""
    total, waiting = 0, [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except (FileNotFoundError, PermissionError, NotADirectoryError):
            continue
    return total / (1 << 20)
