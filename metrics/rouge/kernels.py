"""The inner loops of ROUGE, compiled by numba. Import this module only when something is to be scored.

Every kernel takes encoded pairs (see `encoding`) and returns hits per reference. Scratch arrays are sized once
per call for the longest text, so that time is linear in the number of pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

_Function = TypeVar("_Function", bound=Callable[..., Any])
Ints = npt.NDArray[np.int64]
Tokens = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def compiled(function: _Function) -> _Function:
    """Compile at first call and keep the result on disk, where some directory can be written."""
    try:
        return cast(_Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba's way to say that there is nowhere to keep it; then each process compiles anew
        return cast(_Function, numba.njit(nogil=True)(function))


@compiled
def _slot(keys: Ints, stamps: Ints, stamp: int, key: np.int64) -> np.int64:
    """Where the key is, or the free slot where it belongs; slots of another stamp are free."""
    mask = len(keys) - 1
    mixed = key * -7046029254386353131  # 2**64 divided by the golden ratio: spreads neighbouring keys
    slot = (mixed ^ (mixed >> 29)) & mask
    while stamps[slot] == stamp and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled
def table_size(entries: int) -> int:
    """The size of a hash table for so many entries: a power of two, at most half full."""
    size = 16
    while size < 2 * entries:
        size *= 2
    return size


@compiled
def sentence_powers(sentences: Ints, texts: Ints, powers: Floats) -> Floats:
    """Per text: the sum over its sentences of `powers[length]`, added in order."""
    sums = np.zeros(len(texts) - 1)
    for text in range(len(texts) - 1):
        for sentence in range(texts[text], texts[text + 1]):
            sums[text] += powers[sentences[sentence + 1] - sentences[sentence]]
    return sums


@compiled
def _longest(starts: Ints, texts: Ints) -> int:
    longest = 0
    for text in texts:
        longest = max(longest, starts[text + 1] - starts[text])
    return longest


@compiled
def ngram_hits(tokens: Tokens, texts: Ints, peers: Ints, references: Ints, starts: Ints, max_n: int) -> Ints:
    """Clipped n-gram matches of each reference with its peer, a column for each n from 1 to `max_n`.

    The n-grams of a peer form a trie whose edges live in a hash table: (node, token) leads to the longer n-gram.
    """
    entries = _longest(texts, peers) * max_n
    size = table_size(entries)
    keys, stamps, nodes = np.empty(size, np.int64), np.full(size, -1, np.int64), np.empty(size, np.int64)
    in_peer, unused = np.zeros(entries + 1, np.int64), np.zeros(entries + 1, np.int64)
    hits = np.zeros((len(references), max_n), np.int64)
    for pair in range(len(peers)):
        last = 0
        start, end = texts[peers[pair]], texts[peers[pair] + 1]
        for position in range(start, end):
            node = 0
            for offset in range(min(max_n, end - position)):
                key = (node << 32) | tokens[position + offset]
                slot = _slot(keys, stamps, pair, key)
                if stamps[slot] != pair:
                    last += 1
                    keys[slot], stamps[slot], nodes[slot] = key, pair, last
                    in_peer[last] = 0
                node = nodes[slot]
                in_peer[node] += 1
        for row in range(starts[pair], starts[pair + 1]):
            unused[: last + 1] = in_peer[: last + 1]
            end = texts[references[row] + 1]
            for position in range(texts[references[row]], end):
                node = 0
                for offset in range(min(max_n, end - position)):
                    slot = _slot(keys, stamps, pair, (node << 32) | tokens[position + offset])
                    if stamps[slot] != pair:
                        break
                    node = nodes[slot]
                    if unused[node] > 0:
                        unused[node] -= 1
                        hits[row, offset] += 1
    return hits


@compiled
def skip_hits(tokens: Tokens, texts: Ints, peers: Ints, references: Ints, starts: Ints, gap: int) -> Ints:
    """Clipped matches of skip-bigrams (column 0) and of the unigrams that SU adds (column 1).

    Two tokens with at most `gap` others between them are a skip-bigram; a negative gap means any distance.
    The unigram of a text's last token is never counted.
    """
    longest = _longest(texts, peers)
    reach = longest if gap < 0 else min(gap + 1, longest)
    size = table_size(longest * (reach + 1))
    keys, stamps = np.empty(size, np.int64), np.full(size, -1, np.int64)
    in_peer, used, used_by = np.empty(size, np.int64), np.empty(size, np.int64), np.full(size, -1, np.int64)
    hits = np.zeros((len(references), 2), np.int64)
    for pair in range(len(peers)):
        text = tokens[texts[peers[pair]] : texts[peers[pair] + 1]]
        for first in range(len(text) - 1):
            for second in range(first, _last_partner(first, len(text), gap) + 1):
                key = _pair_key(text, first, second)
                slot = _slot(keys, stamps, pair, key)
                if stamps[slot] != pair:
                    keys[slot], stamps[slot], in_peer[slot] = key, pair, 0
                in_peer[slot] += 1
        for row in range(starts[pair], starts[pair + 1]):
            text = tokens[texts[references[row]] : texts[references[row] + 1]]
            _match_skips(text, gap, keys, stamps, pair, in_peer, used, used_by, row, hits[row])
    return hits


@compiled
def _match_skips(
    text: Tokens,
    gap: int,
    keys: Ints,
    stamps: Ints,
    pair: int,
    in_peer: Ints,
    used: Ints,
    used_by: Ints,
    row: int,
    hits: Ints,
) -> None:
    """Add the matches of a reference; `used` counts in each slot what this row has matched so far."""
    for first in range(len(text) - 1):
        for second in range(first, _last_partner(first, len(text), gap) + 1):
            slot = _slot(keys, stamps, pair, _pair_key(text, first, second))
            if stamps[slot] != pair:
                if second == first:
                    break  # no skip-bigram of the peer begins with this token
                continue
            if used_by[slot] != row:
                used_by[slot], used[slot] = row, 0
            if used[slot] < in_peer[slot]:
                used[slot] += 1
                hits[1 if second == first else 0] += 1


@compiled
def _last_partner(first: int, length: int, gap: int) -> int:
    return length - 1 if gap < 0 else min(length - 1, first + gap + 1)


@compiled
def _pair_key(text: Tokens, first: int, second: int) -> np.int64:
    """Both tokens in one number; a position with itself stands for the unigram."""
    return (np.int64(text[first]) << 32) | (np.int64(0) if second == first else np.int64(text[second]))
