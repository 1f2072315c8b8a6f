"""Walls out of a container of the submission's own image, as TIRA runs it: docker or podman."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.errors import InputError, UsageError
from harness.sandbox.job import INPUT, OUTPUT, PREVIOUS, PROGRAM, Ending, Job
from harness.sandbox.supervision import process_ids, supervise

_USER = 65534
_FILES = 1024
_ENVIRONMENT = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "CONTAINERS_STORAGE_CONF")


def runner(engine: str) -> Callable[[Job], Ending]:
    """A function that runs jobs with this engine."""
    return lambda job: _run(engine, job)


def _run(engine: str, job: Job) -> Ending:
    if not job.image:
        raise UsageError(f'{engine} runs an image: name one as image = "…" under [environment] of submission.toml')
    program = _program(engine)
    name = f"bakeoff-{uuid.uuid4().hex}"
    environment = {key: os.environ[key] for key in _ENVIRONMENT if key in os.environ}
    _quiet([*program, "image", "inspect", job.image], f"no image {job.image!r} here; load it with {engine} load")
    job.output.chmod(0o777)  # the user inside is nobody outside
    argv = [*program, "run", "--name", name, *_walls(engine, job), job.image, "/bin/sh", "-c", job.command]
    try:
        return supervise(
            argv,
            job,
            environment=environment,
            kill=lambda: _call([*program, "kill", name]),
            pids=lambda root: {root, *_members(program, name)},
        )
    finally:
        _call([*program, "rm", "--force", "--volumes", name])
        job.output.chmod(0o700)


def _walls(engine: str, job: Job) -> list[str]:
    limits = job.limits
    volumes = [(job.inputs, INPUT, "ro"), (job.program, PROGRAM, "ro"), (job.output, OUTPUT, "rw")]
    if job.previous is not None:
        volumes.append((job.previous, PREVIOUS, "ro"))
    mounts = [part for outside, inside, mode in volumes for part in ("--volume", f"{outside}:{inside}:{mode}")]
    variables = [part for key, value in job.environment().items() for part in ("--env", f"{key}={value}")]
    return [
        *("--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
        *("--user", f"{_USER}:{_USER}", "--workdir", PROGRAM, "--pull", "never", "--log-driver", "none"),
        *("--tmpfs", f"/tmp:size={limits.memory_mb // 4}m"),  # noqa: S108
        *("--ulimit", f"nofile={_FILES}:{_FILES}", "--ulimit", f"nproc={limits.processes}:{limits.processes}"),
        *("--ulimit", f"fsize={limits.output_mb << 20}:{limits.output_mb << 20}", "--ulimit", "core=0:0"),
        *_cgroup_limits(engine, job),
        *mounts,
        *variables,
    ]


def _cgroup_limits(engine: str, job: Job) -> list[str]:
    """Limits on all processes together, which the container's own group keeps."""
    del engine
    memory = f"{job.limits.memory_mb}m"
    return ["--memory", memory, "--memory-swap", memory, "--pids-limit", str(job.limits.processes)]


def _program(engine: str) -> list[str]:
    """The engine's command; podman takes runc where crun, its own choice, is not there."""
    found = shutil.which(engine)
    if found is None:
        raise InputError(f"{engine} is not installed; apt install {engine}, or choose another --engine")
    if engine == "podman" and shutil.which("crun") is None and shutil.which("runc") is not None:
        return [found, "--runtime", "runc"]
    return [found]


def _members(program: Sequence[str], name: str) -> set[int]:
    """The processes of a container as this machine numbers them: its first one's and all that share its group."""
    first = _first_pid(program, name)
    return set() if not first else _same_namespace(first)


def _first_pid(program: Sequence[str], name: str) -> int:
    answer = subprocess.run([*program, "inspect", name], capture_output=True, check=False)  # noqa: S603
    if answer.returncode:
        return 0
    state = json.loads(answer.stdout)[0].get("State", {})
    return int(state.get("Pid") or 0)


def _same_namespace(first: int) -> set[int]:
    try:
        wanted = Path(f"/proc/{first}/ns/pid").readlink()
    except OSError:
        return set()
    found = set()
    for pid in process_ids():
        try:
            if Path(f"/proc/{pid}/ns/pid").readlink() == wanted:
                found.add(pid)
        except OSError:
            continue
    return found


def _call(argv: Sequence[str]) -> None:
    """A command whose failure means that there was nothing to do."""
    subprocess.run(list(argv), capture_output=True, check=False)  # noqa: S603


def _quiet(argv: Sequence[str], otherwise: str) -> None:
    if subprocess.run(list(argv), capture_output=True, check=False).returncode:  # noqa: S603
        raise InputError(otherwise)
