"""One importer a corpus family; adding and building datasets."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.corpora.corpus import Corpus, Importer, Source
from harness.errors import InputError, UnknownNameError, UsageError
from harness.files import partial_folder
from harness.home import datasets_folder

__all__ = ["Corpus", "Importer", "Source", "add_dataset", "build", "importers"]


_ID = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_+.-]{0,99}")


def importers() -> list[Importer]:
    """Every importer, by module name."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return [module.importer for module in modules if hasattr(module, "importer")]


def add_dataset(
    identifier: str, sources: list[Source], *, like: str | None = None, replace: bool = False
) -> dict[str, Any]:
    """Import a corpus as distributed under an id; returns the manifest."""
    from harness.corpora.writer import write_dataset
    from harness.dataset import dataset_ids

    if not _ID.fullmatch(identifier):
        raise UsageError(f"{identifier!r} cannot be a dataset id; use up to 100 letters, digits, '-', '_', '+' and '.'")
    importer = _find(like or identifier, is_own=like is None)
    target = datasets_folder() / identifier
    there = target if target.exists() else dataset_ids().get(identifier)
    if there is not None and not replace:
        raise UsageError(f"{identifier} is in {there} already; --replace puts the new one in its place")
    corpus = importer.read(like or identifier, sources)
    if like is not None:
        corpus = dataclasses.replace(corpus, card={**corpus.card, "title": f"{identifier}, laid out like {like}"})
    return write_dataset(identifier, corpus, target, replace=replace)


def _find(name: str, *, is_own: bool) -> Importer:
    known = {key: importer for importer in importers() for key in (*importer.ids, *importer.like)}
    if name in known:
        return known[name]
    if is_own:
        raise UnknownNameError("corpus", name, known, hint="an id of your own needs --like, for example --like pan14")
    raise UnknownNameError("corpus to be like", name, known)


def build(identifier: str, folder: Path, manifest: Mapping[str, Any]) -> Path:
    """Build the data of a dataset that comes as a manifest alone; returns the folder that now has both.

    Files take their places one by one, each whole, and only if every hash is the manifest's: what is built
    here is what the published scores were computed on.
    """
    from harness.corpora.writer import write_data
    from harness.dataset import MANIFEST

    builder = importlib.import_module(f"harness.corpora.{manifest['builder']}")
    target = datasets_folder() / identifier
    with partial_folder(datasets_folder(), identifier) as fresh:
        built = write_data(identifier, builder.read_corpus(identifier), fresh)
        if built["files"] != manifest["files"]:
            raise InputError(
                f"{identifier} as built here is not the published one; install the release of its source package "
                f"that bakeoff asks for (pip install bakeoff)"
            )
        target.mkdir(exist_ok=True)
        if not (target / MANIFEST).exists():
            shutil.copy(folder / MANIFEST, target / MANIFEST)
        for name in built["files"]:
            (target / name).parent.mkdir(exist_ok=True)
            (fresh / name).replace(target / name)
    return target
