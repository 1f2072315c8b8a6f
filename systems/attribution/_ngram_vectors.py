"""Texts as unit vectors of tf-idf: character n-grams of several lengths, and words with word pairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from scipy import sparse

from systems.text.arrays import Codes, Floats
from systems.text.ngrams import ngram_codes, unit_rows

CHARACTERS = (2, 3, 4, 5)
_WORD = re.compile(r"\w+|[^\w\s]")
_WHITE = re.compile(r"\s+")
_PAIR = np.uint64(0x9E3779B97F4A7C15)


def character_codes(text: str) -> Codes:
    """The codes of all n-grams of all lengths, runs of white space as one space."""
    folded = _WHITE.sub(" ", text)
    return np.concatenate([ngram_codes(folded, n) for n in CHARACTERS])


def word_codes(text: str) -> Codes:
    """The codes of words, punctuation marks, and neighbouring pairs of them, in lower case."""
    words = _WORD.findall(text.lower())
    digests = b"".join(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words)
    codes = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
    return np.concatenate([codes, codes[:-1] * _PAIR + codes[1:]])


@dataclass(frozen=True, slots=True)
class _Family:
    codes_of: Callable[[str], Codes]
    vocabulary: Codes
    weights: Floats

    def vectors(self, texts: Sequence[str]) -> sparse.csr_array:
        rows = [_known_counts(self.codes_of(text), self.vocabulary) for text in texts]
        ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
        columns = np.concatenate([np.empty(0, dtype=np.int64), *(columns for columns, _ in rows)])
        values = np.concatenate([np.empty(0), *(1 + np.log(counts) for _, counts in rows)]) * self.weights[columns]
        return unit_rows(sparse.csr_array((values, columns, ends), shape=(len(texts), len(self.vocabulary))))


@dataclass(frozen=True, slots=True)
class Vectoriser:
    """Vocabularies and weights of the two families."""

    families: tuple[_Family, ...]

    def vectors(self, texts: Sequence[str]) -> sparse.csr_array:
        """One row a text; the families side by side, each of unit length or empty."""
        return sparse.csr_array(sparse.hstack([family.vectors(texts) for family in self.families], format="csr"))


def learn_vectoriser(texts: Sequence[str], *, least: int) -> Vectoriser:
    """The n-grams of at least `least` texts, and ln((1 + texts) / (1 + texts with it)) + 1 for each."""
    return Vectoriser(tuple(_learn(codes_of, texts, least) for codes_of in (character_codes, word_codes)))


def _learn(codes_of: Callable[[str], Codes], texts: Sequence[str], least: int) -> _Family:
    distinct = np.concatenate([np.unique(codes_of(text)) for text in texts])
    codes, present = np.unique(distinct, return_counts=True)
    kept = present >= min(least, len(texts))
    return _Family(codes_of, codes[kept], np.log((1 + len(texts)) / (1 + present[kept])) + 1)


def _known_counts(codes: Codes, vocabulary: Codes) -> tuple[np.ndarray, np.ndarray]:
    """Places in the sorted vocabulary, and how often each occurs."""
    found, counts = np.unique(codes, return_counts=True)
    places = np.minimum(np.searchsorted(vocabulary, found), max(len(vocabulary) - 1, 0))
    known = vocabulary[places] == found if len(vocabulary) else np.zeros(len(found), dtype=bool)
    return places[known], counts[known]
