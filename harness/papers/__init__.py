"""Papers rebuilt: one module a paper, named as its system; the published figures are in `published/`."""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from typing import Any

from harness.errors import UnknownNameError
from harness.files import write_atomic
from harness.home import home
from harness.records import Progress, unheard

__all__ = ["PaperTable", "Progress", "paper_names", "published", "reproduce"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """One table of a paper: published beside measured, and frank notes."""

    title: str
    headings: list[str]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)


def paper_names() -> list[str]:
    """Every paper that can be rebuilt."""
    return sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))


def published(name: str) -> dict[str, Any]:
    """A paper's own figures."""
    content: dict[str, Any] = json.loads(
        (files(__package__) / "published" / f"{name}.json").read_text(encoding="utf-8")
    )
    return content


def reproduce(name: str, *, quick: bool = False, seed: int = 0, on_progress: Progress = unheard) -> list[PaperTable]:
    """Rebuild a paper's tables and keep them under `reproduction/`."""
    if name not in paper_names():
        raise UnknownNameError("paper", name, paper_names())
    module = importlib.import_module(f"{__name__}.{name}")
    tables: list[PaperTable] = module.rebuild(published(name), quick=quick, seed=seed, on_progress=on_progress)
    content = json.dumps([asdict(table) for table in tables], ensure_ascii=False, indent=1)
    write_atomic(home() / "reproduction" / f"{name}.json", content + "\n")
    return tables
