"""Tokens and their numbers, as ROUGE-1.5.5 reads bytes and as the Unicode mode reads text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from metrics.metric import MetricError, MetricParameterError
from metrics.rouge.data import stop_words
from metrics.rouge.settings import TextSettings
from metrics.rouge.stem import stem

DROPPED, BREAK = -1, 0
"""The numbers of a stop word and of a line break; tokens count from 1."""
Numbers = npt.NDArray[np.int32]
_BREAK_SIGN = "|"
"""Stands for a line break once all but letters and digits are blanks."""


def number_tokens(text: bytes, settings: TextSettings) -> tuple[Numbers, int]:
    """The number of each token and line break of the text, equal for equal stems; and one more than the largest."""
    words, places = _ascii_words(text) if settings.tokens == "ascii" else _unicode_words(text)
    dropped = stop_words() if settings.stop else frozenset()
    stem_of = _stemmer(settings)
    numbers: dict[str, int] = {}
    of_word = [BREAK]
    for word in words:
        of_word.append(DROPPED if word in dropped else numbers.setdefault(stem_of(word), len(numbers) + 1))
    return np.array(of_word, dtype=np.int32)[places], len(numbers) + 1


def _ascii_table() -> bytes:
    """Letters in lower case and digits; every other byte is a blank. So "café" is "caf", and hyphens split."""
    table = bytearray(b" " * 256)
    for kept in range(256):
        if chr(kept).isascii() and chr(kept).isalnum():
            table[kept] = ord(chr(kept).lower())
    table[ord("\n")] = ord(_BREAK_SIGN)
    return bytes(table)


_ASCII = _ascii_table()


def _ascii_words(text: bytes) -> tuple[list[str], Numbers]:
    """The distinct tokens, and for each token its place among them from 1 on, 0 for a line break."""
    from metrics.rouge.splitting import split_words

    plain = text.translate(_ASCII)
    places, starts, ends = split_words(np.frombuffer(plain, dtype=np.uint8), ord(_BREAK_SIGN))
    whole = plain.decode("ascii")
    return [whole[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)], places


class _UnicodeTable(dict[int, str]):
    """Letters, marks and decimal digits stay; every other character is a blank. Filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        kept = character if category[0] in "LM" or category == "Nd" else " "
        return self.setdefault(code, kept)


_UNICODE = _UnicodeTable({ord("\n"): f" {_BREAK_SIGN} "})


def _unicode_words(text: bytes) -> tuple[list[str], Numbers]:
    # A limit in bytes may cut a character in two; what is left of it is no character.
    characters = unicodedata.normalize("NFC", text.decode("utf-8", "ignore")).lower()
    place_of = {_BREAK_SIGN: BREAK}
    places = [place_of.setdefault(word, len(place_of)) for word in characters.translate(_UNICODE).split()]
    return list(place_of)[1:], np.array(places, dtype=np.int32)


def _stemmer(settings: TextSettings) -> Callable[[str], str]:
    if not settings.stem:
        return str
    return stem if settings.tokens == "ascii" else _snowball(settings.lang)


@cache
def _snowball(lang: str) -> Callable[[str], str]:
    try:
        import Stemmer
    except ImportError as error:
        raise MetricError("stemming other languages needs the package PyStemmer: pip install PyStemmer") from error
    known = Stemmer.algorithms()
    if lang not in known:
        raise MetricParameterError(f"rouge: no stemmer for lang {lang!r}; known: {', '.join(known)}")
    word_stem: Callable[[str], str] = Stemmer.Stemmer(lang).stemWord
    return word_stem
