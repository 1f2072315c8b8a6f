"""Walls out of the kernel's namespaces, by bubblewrap: no network, no other processes, and a file system of its own.

Inside there are the system's programs, the submission and its input to read, the output folder to write, and a small
`/tmp`. Home folders, other teams, truths and the rest of the machine do not exist there. Nobody is root, inside or
outside: where bakeoff itself runs as root, the job gets a user of its own first, so that limits on processes hold.
"""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from harness.errors import InputError
from harness.sandbox.job import INPUT, OUTPUT, PREVIOUS, PROGRAM, Ending, Job
from harness.sandbox.supervision import supervise
from harness.sandbox.users import user_of_its_own

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
_TMP_SHARE = 4
"""`/tmp` lives in memory: it gets the fourth part of the job's."""
_NOBODY = "65534"
_FORK_ROOM = 64


def run(job: Job) -> Ending:
    """Run a job between these walls."""
    with user_of_its_own(job) as user:
        return supervise(_argv(job), job, environment={"PATH": os.defpath}, user=user)


def _argv(job: Job) -> list[str]:
    folders = ["--ro-bind", str(job.inputs), INPUT, "--ro-bind", str(job.program), PROGRAM]
    if job.previous is not None:
        folders += ["--ro-bind", str(job.previous), PREVIOUS]
    size = str((job.limits.memory_mb << 20) // _TMP_SHARE)
    variables = [part for name, value in job.environment().items() for part in ("--setenv", name, value)]
    return [
        _program(),
        *("--unshare-all", "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "bakeoff"),
        *_system(),
        *("--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp"),  # noqa: S108
        *folders,
        *("--bind", str(job.output), OUTPUT, "--chdir", PROGRAM, "--remount-ro", "/"),
        *variables,
        *limited(job),
        *("/bin/sh", "-c", job.command),
    ]


def limited(job: Job) -> list[str]:
    """The kernel's own limits on every single process, set inside the walls.

    Memory and processes have theirs well above the job's: they hold what is too fast for the watcher, who otherwise
    sees the excess first and can name it. (A program whose fork or allocation fails seldom says why it gave up.)
    """
    limits = job.limits
    return [
        "/usr/bin/prlimit",
        f"--as={(limits.memory_mb << 22) + (4 << 30)}",
        f"--cpu={max(1, int(limits.cpu_seconds))}",
        f"--nproc={limits.processes + _FORK_ROOM}",
        f"--fsize={limits.output_mb << 20}",
        "--core=0",
        "--nofile=1024",
        "--",
    ]


def _system() -> list[str]:
    """The system's own folders, read-only; a link such as `/bin` stays a link."""
    binds: list[str] = []
    for folder in _SYSTEM:
        path = Path(folder)
        if path.is_symlink():
            binds += ["--symlink", str(path.readlink()), folder]
        elif path.exists():
            binds += ["--ro-bind", folder, folder]
    return binds


@cache
def _program() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise InputError("bubblewrap is not installed; apt install bubblewrap, or choose --engine docker or podman")
    return found
