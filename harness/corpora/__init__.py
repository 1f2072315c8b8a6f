"""One importer a corpus family; each module defines `importer`, or is the builder of a dataset of ours."""

from __future__ import annotations

import importlib
import pkgutil

from harness.corpora.corpus import Corpus, Importer, Source
from harness.errors import UnknownNameError

__all__ = ["Corpus", "Importer", "Source", "find_importer", "importers"]


def importers() -> list[Importer]:
    """Every importer, by module name."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return [module.importer for module in modules if hasattr(module, "importer")]


def find_importer(name: str, *, is_own: bool) -> Importer:
    """The importer of a corpus id, or of a word for `--like`."""
    known = {key: importer for importer in importers() for key in (*importer.ids, *importer.like)}
    if name in known:
        return known[name]
    if is_own:
        raise UnknownNameError("corpus", name, known, hint="an id of your own needs --like, for example --like pan14")
    raise UnknownNameError("corpus to be like", name, known)
