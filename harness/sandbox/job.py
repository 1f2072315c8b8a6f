"""What is to be run, within which limits, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

INPUT, PREVIOUS, OUTPUT, PROGRAM = "/input", "/run-input", "/output", "/submission"
"""Where the folders of a job stand inside the walls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a job may take; beyond any of them it is killed whole."""

    seconds: float = 600.0
    """Wall-clock time."""
    cpu_seconds: float = 1200.0
    """Processor time of all its processes together."""
    memory_mb: int = 2048
    """Memory of all its processes together."""
    processes: int = 64
    """Processes and threads at one time."""
    output_mb: int = 100
    """What it writes: the output folder, and standard output and error together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A command with the folders it may see: `inputs` and `program` to read, `output` to write."""

    command: str
    program: Path
    inputs: Path
    output: Path
    previous: Path | None = None
    """An earlier run that the software builds on: TIRA's `$inputRun`."""
    variables: Mapping[str, str] = field(default_factory=dict)
    image: str = ""
    limits: Limits = field(default_factory=Limits)

    def environment(self, *, inside: bool = True) -> dict[str, str]:
        """The variables that the command sees; nothing of ours but TIRA's three."""
        folders = {"inputDataset": (INPUT, self.inputs), "outputDir": (OUTPUT, self.output)}
        if self.previous is not None:
            folders["inputRun"] = (PREVIOUS, self.previous)
        places = {name: within if inside else str(outside) for name, (within, outside) in folders.items()}
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp", **self.variables, **places}  # noqa: S108


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a job ended: `reason` is empty where all went well. The measures are of all its processes together."""

    reason: str
    code: int | None
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float
    errors: str
    """The end of its standard error."""

    @property
    def is_fine(self) -> bool:
        """Whether the command ended by itself with exit code 0."""
        return not self.reason
