"""Datasets by id: those in the home, and those that come with bakeoff, built when first used."""

from __future__ import annotations

import dataclasses
import importlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.corpora import Source, find_importer
from harness.corpora.writer import write_data, write_dataset
from harness.dataset import MANIFEST, Dataset, read_manifest
from harness.errors import InputError, UnknownNameError, UsageError
from harness.files import PARTIAL, partial_folder
from harness.home import bundled_datasets, datasets_folder

_ID = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9_+.-]{0,99}")


def dataset_ids() -> dict[str, Path]:
    """Every dataset by id: the home's own, then those that come with bakeoff."""
    found: dict[str, Path] = {}
    for root in (bundled_datasets(), datasets_folder()):
        for manifest in sorted(root.glob(f"*/{MANIFEST}")):
            if not manifest.parent.name.startswith(PARTIAL):
                found[manifest.parent.name] = manifest.parent
    return dict(sorted(found.items()))


def open_dataset(identifier: str) -> Dataset:
    """The dataset of this id, built first if it comes with bakeoff and has not been used before."""
    known = dataset_ids()
    if identifier not in known:
        hint = f"add your own with bakeoff datasets add (looked in {datasets_folder()})"
        raise UnknownNameError("dataset", identifier, known, hint=hint)
    folder = known[identifier]
    manifest = read_manifest(folder)
    missing = [name for name in manifest["files"] if not (folder / name).is_file()]
    if missing and "builder" in manifest:
        folder = _build(identifier, folder, manifest)
    elif missing:
        raise InputError(f"{folder / missing[0]} is missing; remove {folder} and add {identifier} again")
    return Dataset(folder=folder, manifest=manifest)


def add_dataset(
    identifier: str, sources: list[Source], *, like: str | None = None, replace: bool = False
) -> dict[str, Any]:
    """Import a corpus as distributed under an id; returns the manifest."""
    if not _ID.fullmatch(identifier):
        raise UsageError(f"{identifier!r} cannot be a dataset id; use up to 100 letters, digits, '-', '_', '+' and '.'")
    importer = find_importer(like or identifier, is_own=like is None)
    target = datasets_folder() / identifier
    there = target if target.exists() else dataset_ids().get(identifier)
    if there is not None and not replace:
        raise UsageError(f"{identifier} is in {there} already; --replace puts the new one in its place")
    corpus = importer.read(like or identifier, sources)
    if like is not None:
        corpus = dataclasses.replace(corpus, card={**corpus.card, "title": f"{identifier}, laid out like {like}"})
    return write_dataset(identifier, corpus, target, replace=replace)


def _build(identifier: str, folder: Path, manifest: Mapping[str, Any]) -> Path:
    """Build the data of a dataset that comes as a manifest alone; returns the folder that now has both.

    Files take their places one by one, each whole, and only if every hash is the manifest's: what is built
    here is what the published scores were computed on.
    """
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
