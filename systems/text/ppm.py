"""Prediction by partial matching, static: how many bits a character one text costs under the model of another.

The probability of a character is count(context + character) / count(context) at the longest context, up to
`order` characters, in which the model has seen that character; 1/256 if it has never seen it. This is plain
back-off without escape probabilities (the values do not sum to 1), as in the compression baseline of PAN 2020,
which follows Teahan & Harper, Using compression-based language models for text categorization, 2003.

Contexts are numbered level by level: the code of a (k + 1)-gram is the number of its first k characters times the
size of Unicode plus its last character, so that any alphabet and any order fit into 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from systems.text.arrays import Ints
from systems.text.ngrams import code_points

_UNICODE = 0x110000
_UNSEEN = 1 / 256


@dataclass(frozen=True, slots=True)
class _Level:
    """The n-grams of one length: sorted codes, how often each occurs, and how often its context goes on."""

    codes: Ints
    counts: Ints
    context_counts: Ints


@dataclass(frozen=True, slots=True)
class PpmModel:
    """The counts of one text."""

    levels: tuple[_Level, ...]


def build_model(text: str, *, order: int) -> PpmModel:
    """Count the n-grams of lengths 1 to order + 1."""
    points = code_points(text).astype(np.int64)
    contexts = np.zeros(len(points), dtype=np.int64)  # at level k: the number of the k characters before each place
    levels = []
    for k in range(min(order + 1, len(points))):
        codes, numbers, counts = np.unique(contexts * _UNICODE + points[k:], return_inverse=True, return_counts=True)
        going_on = np.bincount(contexts, minlength=1)
        levels.append(_Level(codes, counts, going_on[codes // _UNICODE]))
        contexts = numbers[:-1]
    return PpmModel(tuple(levels))


def cross_entropy(model: PpmModel, text: str) -> float:
    """Bits a character of the text under the model; 0 for an empty text, which costs nothing."""
    points = code_points(text).astype(np.int64)
    if not len(points):
        return 0.0
    probabilities = np.full(len(points), _UNSEEN)
    places = np.arange(len(points))  # where the k characters before are known to the model, and their numbers
    contexts = np.zeros(len(points), dtype=np.int64)
    for level in model.levels:
        codes = contexts * _UNICODE + points[places]
        numbers = np.minimum(np.searchsorted(level.codes, codes), len(level.codes) - 1)
        found = level.codes[numbers] == codes
        places, numbers = places[found], numbers[found]
        probabilities[places] = level.counts[numbers] / level.context_counts[numbers]
        # An n-gram one longer can be known only where both its first n and its last n characters are.
        going_on = np.diff(places) == 1
        places, contexts = places[1:][going_on], numbers[:-1][going_on]
    return float(-np.log2(probabilities).mean())
