"""The folders of a job: copies in a place of their own, so that nothing of ours lies beside them; and what comes back.

What comes back is looked at before it is touched: only plain files, of a bounded size and number, are taken.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.errors import RefusedError

_MOST_FILES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """Empty folders for input and output, and a copy of the program."""

    inputs: Path
    output: Path
    program: Path


@contextmanager
def staged(program: Path) -> Iterator[Staged]:
    """Folders for one job, gone afterwards."""
    root = Path(tempfile.mkdtemp(prefix="bakeoff-"))
    try:
        root.chmod(0o711)  # another user may pass through, and see only what it is given
        folders = Staged(inputs=root / "input", output=root / "output", program=root / "submission")
        folders.inputs.mkdir(mode=0o755)
        folders.output.mkdir(mode=0o700)
        shutil.copytree(program, folders.program, symlinks=True)
        _open_to_read(folders.program)
        yield folders
    finally:
        shutil.rmtree(root, ignore_errors=False)


def _open_to_read(folder: Path) -> None:
    """Readable for the job's user, whatever the participant's umask was."""
    for parent, _, files in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in files:
            path = Path(parent) / name
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)


def collect(output: Path, target: Path, *, megabytes: int) -> list[Path]:
    """Copy what a job wrote, if it is nothing but plain files within a size; returns their places in the target."""
    found: list[Path] = []
    left = megabytes << 20
    for parent, folders, files in os.walk(output):
        for name in (*folders, *files):
            path = Path(parent) / name
            facts, shown = path.lstat(), path.relative_to(output)
            if stat.S_ISDIR(facts.st_mode):
                continue
            if not stat.S_ISREG(facts.st_mode):
                kind = "a link" if stat.S_ISLNK(facts.st_mode) else "no plain file"
                raise RefusedError(f"output: {str(shown)!r} is {kind}; write plain files to $outputDir")
            if facts.st_nlink > 1:
                raise RefusedError(f"output: {str(shown)!r} is a second name of another file; write a copy")
            left -= facts.st_size
            found.append(shown)
            if left < 0 or len(found) > _MOST_FILES:
                raise RefusedError(f"output: more than {megabytes} MB or {_MOST_FILES} files in $outputDir")
    for shown in found:
        (target / shown).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(output / shown, target / shown, follow_symlinks=False)
    return [target / shown for shown in sorted(found)]
