"""Finished cells of a paper's tables, kept one by one, so that a long reproduction resumes where it stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness.errors import FileFaultError
from harness.files import sha256_text, write_atomic
from harness.home import home


@dataclass(frozen=True, slots=True)
class Cells:
    """The finished cells of one paper, in `reproduction/<paper>/`."""

    paper: str

    @property
    def folder(self) -> Path:
        """Where the cells are kept."""
        return home() / "reproduction" / self.paper

    def get(self, compute: Callable[[], Any], *key: str) -> Any:
        """The cell of this key, from disk or computed; it is plain JSON: numbers, texts, lists and mappings.

        The key names all that the value depends on: fingerprint of the dataset, version of the system's code,
        parameters, seed. The source of the paper's own module is added.
        """
        path = self._path(key)
        if not path.is_file():
            write_atomic(path, json.dumps({"key": key, "value": compute()}, ensure_ascii=False) + "\n")
        try:
            return json.loads(path.read_text(encoding="utf-8"))["value"]
        except (ValueError, KeyError, TypeError) as error:
            raise FileFaultError(path, "not a finished cell; remove the file, and it is computed again") from error

    def _path(self, key: tuple[str, ...]) -> Path:
        source = (files(__package__) / f"{self.paper}.py").read_text(encoding="utf-8")
        return self.folder / f"{sha256_text(source, *key)[:24]}.json"
