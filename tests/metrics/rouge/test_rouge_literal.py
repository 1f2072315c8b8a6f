"""The fast kernels against the definitions written out slowly, on random small texts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.rouge import Measure, count, encode

Sentences = list[list[str]]


def flat(sentences: Sentences) -> list[str]:
    return [token for sentence in sentences for token in sentence]


def overlap(model: Counter, peer: Counter) -> tuple[int, int, int]:
    return model.total(), peer.total(), (model & peer).total()


def ngrams(sentences: Sentences, n: int) -> Counter:
    tokens = flat(sentences)
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def skip_bigrams(sentences: Sentences, gap: int, *, unigrams: bool) -> Counter:
    tokens = flat(sentences)
    pairs = [(i, j) for i, j in combinations(range(len(tokens)), 2) if gap < 0 or j <= i + gap + 1]
    counted = Counter((tokens[i], tokens[j]) for i, j in pairs)
    return counted + Counter((token,) for token in tokens[:-1]) if unigrams else counted


def common(model: list[str], peer: list[str], weight: float) -> set[int]:
    """Positions of the model sentence on one longest common subsequence, weighted, found from the end."""
    best = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    run = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i, token in enumerate(model, 1):
        for j, other in enumerate(peer, 1):
            if token == other:
                k = run[i - 1][j - 1]
                best[i][j] = (best[i - 1][j - 1] + (k + 1) ** weight) - k**weight
                run[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    found: set[int] = set()
    i, j = len(model), len(peer)
    while i and j:
        if model[i - 1] == peer[j - 1]:
            found.add(i - 1)
            i, j = i - 1, j - 1
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def union(model: Sentences, peer: Sentences, weight: float = 1.0) -> tuple[int, float]:
    """Hits of the union subsequences clipped by both texts' counts, and the same with runs weighted."""
    left = Counter(flat(model)) & Counter(flat(peer))
    hits, total = 0, 0.0
    for sentence in model:
        found = set().union(*(common(sentence, other, weight) for other in peer))
        run = 0
        for position, token in enumerate(sentence):
            if position in found and left[token] > 0:
                left[token] -= 1
                hits, run = hits + 1, run + 1
                if position + 1 not in found:
                    total, run = total + run**weight, 0
    return hits, total


WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
TEXTS = st.lists(st.lists(WORDS, max_size=9), max_size=4)


def counts(peer: Sentences, model: Sentences, measure: Measure) -> tuple[float, ...]:
    encoded = encode([[" ".join(s) for s in peer]], [[[" ".join(s) for s in model]]])
    counted = count(encoded, [measure])[measure]
    return float(counted.model[0]), float(counted.peer[0]), float(counted.hits[0])


@given(peer=TEXTS, model=TEXTS, n=st.integers(1, 5))
def test_n_grams(peer: Sentences, model: Sentences, n: int) -> None:
    expected = overlap(ngrams(model, n), ngrams(peer, n))
    assert counts(peer, model, Measure(kind="N", n=n)) == expected


@given(peer=TEXTS, model=TEXTS, gap=st.integers(-1, 5), unigrams=st.booleans())
def test_skip_bigrams(peer: Sentences, model: Sentences, gap: int, unigrams: bool) -> None:
    sides = (skip_bigrams(text, gap, unigrams=unigrams) for text in (model, peer))
    assert counts(peer, model, Measure(kind="SU" if unigrams else "S", gap=gap)) == overlap(*sides)


@given(peer=TEXTS, model=TEXTS)
def test_union_of_longest_common_subsequences(peer: Sentences, model: Sentences) -> None:
    hits, _ = union(model, peer)
    expected = (len(flat(model)), len(flat(peer)), hits)
    assert counts(peer, model, Measure(kind="L")) == expected


@given(peer=TEXTS, model=TEXTS, weight=st.sampled_from([1.0, 1.2, 1.5, 2.0, 3.0]))
def test_weighted_union(peer: Sentences, model: Sentences, weight: float) -> None:
    _, hits = union(model, peer, weight)
    size = sum(len(sentence) ** weight for sentence in model) ** weight
    expected = (size, len(flat(peer)) ** weight, hits)
    assert counts(peer, model, Measure(kind="W", weight=weight)) == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=5))
def test_many_pairs_at_once_are_as_each_alone(
    pairs: list[tuple[Sentences, list[Sentences]]],
) -> None:
    def lines(sentences: Sentences) -> list[str]:
        return [" ".join(sentence) for sentence in sentences]

    repeated = pairs * 40  # enough for several chunks
    encoded = encode([lines(peer) for peer, _ in repeated], [[lines(m) for m in models] for _, models in repeated])
    for measure in (Measure(kind="N", n=2), Measure(kind="L"), Measure(kind="W"), Measure(kind="SU")):
        together = np.column_stack(count(encoded, [measure])[measure][:3])
        alone = [counts(peer, model, measure) for peer, models in pairs for model in models]
        np.testing.assert_array_equal(together, np.array(alone * 40))
