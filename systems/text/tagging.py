"""Part-of-speech tags of English texts, by a tagger that pip alone installs, kept on disk by the text's hash.

| tagger    | package        | accuracy | tokens a second | tags   |
|-----------|----------------|----------|-----------------|--------|
| `pattern` | textblob (MIT) | .950     | 270,000         | Penn   |
| `hanta`   | HanTa (LGPL)   | .968     | 10,000–25,000   | CLAWS5 |
| (brill)   | brill-postagger| .923     | 217,000         | UD     |

Accuracy is on ten coarse classes over 442 words of Brown's ca01 (standard error .01; punctuation and differences of
scheme, such as determiner or pronoun, left out), speed is one core's. `pattern` is the default: in attribution its
tags serve no worse (`ssad(kernel=pos)` finds .940 of the articles of C50's ten authors, .937 with `hanta`), and it is
ten times as fast: 2.4 s for these 1,000 articles, 0.1 s from the cache.
`hanta` is there for who installs it. A tagger of your own is any object with a `name`, which must change
whenever its tags do, and `tag`.

The cache is `cache/tags` in `BAKEOFF_HOME`, or else `bakeoff/tags` in the user's cache folder. Entries are written
whole or not at all and carry a digest; one that does not match its digest is made again.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol


class Tagger(Protocol):
    """Gives each token of a text its tag."""

    @property
    def name(self) -> str:
        """Tells the tagger's output from that of others and of its own other versions; a part of file names."""

    def tag(self, text: str) -> list[str]:
        """The tags of the text's tokens, in order; punctuation has tags too."""


class _Pattern:
    """The tagger of Pattern (De Smedt & Daelemans), as textblob carries it: a lexicon and Brill's rules."""

    def __init__(self) -> None:
        self.name = f"pattern-{_installed('textblob')}"
        self._tag: Callable[[str], list[tuple[str, str]]] | None = None

    def tag(self, text: str) -> list[str]:
        if self._tag is None:  # textblob takes a second to import, which a full cache saves
            self._tag = self._load()
        return [tag for _, tag in self._tag(text)] if text.strip() else []

    @staticmethod
    def _load() -> Callable[[str], list[tuple[str, str]]]:
        from textblob.en.taggers import PatternTagger

        tag: Callable[[str], list[tuple[str, str]]] = PatternTagger().tag
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it leaves its lexicon's file to be closed by chance
            tag("The lexicon is read now.")
        return tag


_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z])")
_TOKEN = re.compile(r"(?:[A-Z]\.)+|\d+(?:[.,]\d+)*|\w+(?:-\w+)*?(?=n't\b)|n't\b|'\w+|\w+(?:-\w+)*|[^\w\s]")


class _Hanta:
    """The Hanover Tagger (Wartena 2019): a hidden Markov model with morphology for unknown words."""

    def __init__(self) -> None:
        self.name = f"hanta-{_installed('HanTa')}-1"  # -1: the sentences and tokens below
        self._model: Any = None

    def tag(self, text: str) -> list[str]:
        if self._model is None:
            from HanTa.HanoverTagger import HanoverTagger

            self._model = HanoverTagger("morphmodel_en.pgz")
        tags: list[str] = []
        for sentence in _SENTENCE_END.split(text):
            tokens = _TOKEN.findall(sentence)
            tags += [tag for _, _, tag in self._model.tag_sent(tokens)] if tokens else []
        return tags


TAGGERS: dict[str, Callable[[], Tagger]] = {"pattern": _Pattern, "hanta": _Hanta}
"""Taggers by name; what they need is imported when the first text is tagged."""


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise ValueError(f"this tagger needs {package}; pip install {package}") from None


@cache
def get_tagger(name: str) -> Tagger:
    """The tagger of this name; its model is loaded once."""
    if name not in TAGGERS:
        raise ValueError(f"no tagger named {name!r}; known: {', '.join(sorted(TAGGERS))}")
    return TAGGERS[name]()


def tag_texts(texts: Iterable[str], tagger: Tagger | None = None) -> list[list[str]]:
    """The tags of each text, from the cache where it has them."""
    tagger = tagger or get_tagger("pattern")
    folder = cache_folder() / tagger.name
    return [_tagged(text, tagger, folder) for text in texts]


def cache_folder() -> Path:
    """Where tags are kept."""
    if home := os.environ.get("BAKEOFF_HOME"):
        return Path(home) / "cache" / "tags"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bakeoff" / "tags"


def _tagged(text: str, tagger: Tagger, folder: Path) -> list[str]:
    key = _digest(text.encode("utf-8", "surrogatepass"))
    path = folder / key[:2] / key[2:]
    tags = _read(path)
    if tags is None:
        tags = tagger.tag(text)
        _write(path, tags)
    return tags


def _read(path: Path) -> list[str] | None:
    """Tags as they were written; nothing if there is no entry, or not a whole one."""
    try:
        digest, newline, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    whole = newline and digest == _digest(content).encode()
    return content.decode("utf-8").split("\n") if whole and content else [] if whole else None


def _write(path: Path, tags: list[str]) -> None:
    """An entry under a passing name, then renamed; no fsync, as a torn entry is noticed by its digest."""
    content = "\n".join(tags).encode("utf-8")
    partial: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(prefix=".partial-", dir=path.parent)
        with os.fdopen(handle, "wb") as out:
            out.write(_digest(content).encode() + b"\n" + content)
        Path(partial).replace(path)
    except OSError as error:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)
        warnings.warn(
            f"tags are not kept: cannot write to {path.parent} ({error.strerror}); set XDG_CACHE_HOME to a folder "
            "of yours",
            stacklevel=2,
        )


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()
