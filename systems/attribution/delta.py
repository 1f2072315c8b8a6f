"""Burrows's Delta: the nearest author by the mean difference of standardised word frequencies.

Burrows, Delta: a measure of stylistic difference and a guide to likely authorship, 2002. Relative frequencies of the
most frequent words of all known texts together; an author is his texts joined; deviations are taken over the authors'
texts one by one, since with two or three authors those over profiles are too few to be a scale.
The score is minus Delta. Never answers `<UNK>`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import best_author, read_candidates, texts_of
from systems.text.arrays import Floats

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class _Model:
    authors: tuple[str, ...]
    words: tuple[str, ...]
    centre: Floats
    scale: Floats
    profiles: Floats


@dataclass(kw_only=True)
class Delta(System[Problem, Truth, Answer]):
    """The `words` most frequent words; ties at the end of the list go by alphabet.

    A word whose frequency is the same in every known text has no scale and is left out. A text without words
    has frequency 0 throughout. With no word left every author is at distance 0, and the first by name is answered.
    """

    words: int = 150
    _model: _Model | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.words < 1:
            raise ValueError(f"words must be at least 1, not {self.words}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """The words, their means and deviations, and the authors' profiles."""
        del seed
        known = read_candidates("delta", problems, truths)
        counted = [_count(text) for text in known.texts]
        words = _most_frequent(counted, self.words)
        single = _frequencies(counted, words)
        centre, scale = single.mean(axis=0), single.std(axis=0)
        kept = np.ptp(single, axis=0) > 0  # not scale > 0: rounding may leave a deviation to equal frequencies
        own = [
            sum((counted[i] for i in np.flatnonzero(known.labels == a)), Counter()) for a in range(len(known.authors))
        ]
        words = tuple(word for word, keep in zip(words, kept, strict=True) if keep)
        centre, scale = centre[kept], scale[kept]
        profiles = (_frequencies(own, words) - centre) / scale
        self._model = _Model(known.authors, words, centre, scale, profiles)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """Least Delta."""
        if self._model is None:
            raise NeedsTrainingError("delta")
        model = self._model
        texts = _frequencies([_count(text) for text in texts_of(problems)], model.words)
        standard = (texts - model.centre) / model.scale
        distances = np.abs(standard[:, None, :] - model.profiles[None]).sum(axis=2) / max(len(model.words), 1)
        return best_author(problems, model.authors, 0.0 - distances)


def _count(text: str) -> Counter[str]:
    return Counter(word.replace("’", "'") for word in _WORD.findall(text.lower()))


def _most_frequent(counted: Sequence[Counter[str]], limit: int) -> tuple[str, ...]:
    total: Counter[str] = Counter()
    for counts in counted:
        total.update(counts)
    ranked = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    return tuple(word for word, _ in ranked[:limit])


def _frequencies(counted: Sequence[Counter[str]], words: Sequence[str]) -> Floats:
    """Texts x words, each count divided by the number of all words of the text."""
    counts = np.array([[own[word] for word in words] for own in counted], dtype=np.float64)
    counts = counts.reshape(len(counted), len(words))  # also where there are none
    totals = np.array([own.total() for own in counted], dtype=np.float64)
    return np.asarray(counts / np.maximum(totals, 1)[:, None])
