"""Counting character n-grams of any language, in numpy.

An n-gram is known by a code of 64 bits, a polynomial in its code points modulo 2**64: no alphabet has to be
learnt first, texts can be streamed, and among the few million n-grams of a corpus the chance that two share
a code is below one in a million.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
from scipy import sparse

from systems.text.arrays import Codes, Floats, Ints

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no code point is lost from a product modulo 2**64
_BATCH = 1 << 22
_WHITE = re.compile(r"\s\s+")


def code_points(text: str) -> Codes:
    """The characters of a text as numbers; lone surrogates are let through, as texts from the web have them."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)


def ngram_codes(text: str, n: int) -> Codes:
    """The code of every n-gram of a text, in order; none if the text is shorter than n."""
    points = code_points(text)
    size = max(len(points) - n + 1, 0)
    codes = np.zeros(size, dtype=np.uint64)
    for shift in range(n if size else 0):
        codes *= _MULTIPLIER
        codes += points[shift : shift + size]
    return codes


def fold(text: str) -> str:
    """Lower case, and each run of white space as one space: what scikit-learn's vectorisers count."""
    return _WHITE.sub(" ", text.lower())


def frequent_ngrams(texts: Iterable[str], *, n: int, limit: int) -> Codes:
    """The `limit` most frequent n-grams of the texts together, by code; ties go to the smaller code."""
    codes, counts = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    for batch in _batches(texts, n):
        new, new_counts = np.unique(batch, return_counts=True)
        codes, where = np.unique(np.concatenate([codes, new]), return_inverse=True)
        counts = np.bincount(where, weights=np.concatenate([counts, new_counts]), minlength=len(codes)).astype(np.int64)
    chosen = np.argsort(-counts, kind="stable")[:limit]
    return np.sort(codes[chosen])


def _batches(texts: Iterable[str], n: int) -> Iterator[Codes]:
    """Codes of many texts at a time, so that merging them is rare and memory stays bounded."""
    waiting: list[Codes] = []
    for text in texts:
        waiting.append(ngram_codes(text, n))
        if sum(map(len, waiting)) > _BATCH:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


def count_ngrams(texts: Iterable[str], vocabulary: Codes, *, n: int) -> sparse.csr_array:
    """One row a text, one column an n-gram of the (sorted) vocabulary."""
    rows: list[tuple[Ints, Ints]] = [_row(ngram_codes(text, n), vocabulary) for text in texts]
    ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns = np.concatenate([row[0] for row in rows]) if rows else np.empty(0, dtype=np.int64)
    values = np.concatenate([row[1] for row in rows]) if rows else np.empty(0, dtype=np.int64)
    return sparse.csr_array((values.astype(np.float64), columns, ends), shape=(len(rows), len(vocabulary)))


def _row(codes: Codes, vocabulary: Codes) -> tuple[Ints, Ints]:
    if not len(vocabulary):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    places = np.minimum(np.searchsorted(vocabulary, codes), len(vocabulary) - 1)
    counts = np.bincount(places[vocabulary[places] == codes], minlength=len(vocabulary))
    columns = np.flatnonzero(counts)
    return columns, counts[columns]


def inverse_document_frequency(counts: sparse.csr_array) -> Floats:
    """ln((1 + documents) / (1 + documents with the n-gram)) + 1 for each column."""
    documents = counts.shape[0]
    present = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.asarray(np.log((1 + documents) / (1 + present)) + 1)


def unit_rows(rows: sparse.csr_array) -> sparse.csr_array:
    """Each row divided by its Euclidean length; an empty row stays empty."""
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.where(lengths > 0, lengths, 1.0)) @ rows)
