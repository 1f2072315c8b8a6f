"""Systems of another package, as a user would plug them in: one module and an entry point each."""

from __future__ import annotations

import textwrap
from pathlib import Path

HEAD = """
from dataclasses import dataclass
import hashlib, os, signal, time
from harness.task import System
from harness.tasks.verification import Answer

def score(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:6], 16) / 0x1000000
"""
BODIES = {
    "steady": "return {p.id: Answer(value=score(p.id)) for p in problems}",
    "slow": "time.sleep(3); return {p.id: Answer(value=score(p.id + 'x')) for p in problems}",
    "crash": "raise RuntimeError('this system\\nalways fails')",
    "suicide": "os.kill(os.getpid(), signal.SIGKILL)",
    "stray": "return {'nobody': Answer(value=1.0)}",
    "outside": "return {p.id: Answer(value=7.0) for p in problems}",
    "lazy": "return {}",
}


def install(folder: Path, *names: str) -> Path:
    """Write an importable distribution with these verification systems; put the folder on PYTHONPATH."""
    info = folder / "plugged-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n", encoding="utf-8")
    points = ["[bakeoff.systems]"]
    for name in names:
        source = f'"""A plugged-in system."""\n{HEAD}\n@dataclass\nclass {name.capitalize()}(System):\n'
        method = f"def answer(self, problems):\n    {BODIES[name]}\n"
        (folder / f"plugged_{name}.py").write_text(source + textwrap.indent(method, "    "), encoding="utf-8")
        points.append(f"verification.{name} = plugged_{name}")
    (info / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
    return folder
