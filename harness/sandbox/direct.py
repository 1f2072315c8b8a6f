"""No walls: for software that the user trusts. Limits hold as far as one user's processes can be watched."""

from __future__ import annotations

import uuid
from pathlib import Path

from harness.sandbox.bubblewrap import limited
from harness.sandbox.job import Ending, Job
from harness.sandbox.supervision import process_ids, supervise
from harness.sandbox.users import user_of_its_own

_MARK = "BAKEOFF_JOB"


def run(job: Job) -> Ending:
    """Run a job as it is, marked in its environment so that children which leave the tree are found again."""
    mark = uuid.uuid4().hex
    with user_of_its_own(job) as user:
        return supervise(
            [*limited(job), "/bin/sh", "-c", job.command],
            job,
            environment={**job.environment(inside=False), _MARK: mark},
            folder=job.program,
            user=user,
            pids=lambda root: {root, *_marked(f"{_MARK}={mark}".encode())},
        )


def _marked(mark: bytes) -> set[int]:
    found = set()
    for pid in process_ids():
        try:
            variables = Path(f"/proc/{pid}/environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if mark in variables.split(b"\0"):
            found.add(pid)
    return found
