"""The engines by name, and running a job under one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.errors import UnknownNameError
from harness.sandbox import bubblewrap, container, direct
from harness.sandbox.job import Ending, Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A way to wall a job in."""

    name: str
    summary: str
    run: Callable[[Job], Ending]
    is_safe: bool = True


ENGINES = {
    engine.name: engine
    for engine in (
        Engine(name="bubblewrap", summary="namespaces of the kernel, no image needed (Linux)", run=bubblewrap.run),
        Engine(name="docker", summary="a container of the submission's image", run=container.runner("docker")),
        Engine(name="podman", summary="the same without a daemon", run=container.runner("podman")),
        Engine(name="none", summary="no walls at all: only for software you trust", run=direct.run, is_safe=False),
    )
}


def find_engine(name: str) -> Engine:
    """The engine of this name."""
    if name not in ENGINES:
        raise UnknownNameError("engine", name, ENGINES)
    return ENGINES[name]


def run_job(job: Job, engine: str) -> Ending:
    """Run a job under an engine, to its end or its limits."""
    return find_engine(engine).run(job)
