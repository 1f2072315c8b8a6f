"""Fuzzy c-means over four habits of punctuation: the verifier of Modaresi & Gross at PAN 2014.

Every text is four numbers (`extract_features`). A sample of texts known to share an author is clustered; two texts
are alike if they belong to the clusters in like measure: the cosine of the known texts' mean membership
and the questioned text's.

Where the paper is followed: features, min-max scaling, updates, random start, cosine. Where it leaves a choice:
- the sample is a share of the training problems; of each the known texts, and the questioned one if it is by
  the same author;
- other texts are scaled by the extremes of the sample, and may leave [0, 1];
- sentence length is in words, the length of a text in characters.
Where it cannot be followed: it answers "same" from a cosine of 0.5 on. Memberships are positive and, with its m of 3
to 5, nearly uniform: over 1,000 draws on its training corpora 90 to 100 % of the cosines reach 0.5, and c@1 is .50
to .55 where it reports .66 to .85. Here the threshold is learnt on the training problems and moved to 0.5;
`threshold=0.5` is the paper's letter.
It also allows m = 1, at which the memberships are undefined; m must be greater.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth
from systems.text.arrays import Bools, Floats, Ints
from systems.text.threshold import Boundary, learn_threshold
from systems.verification._fuzzy import (
    Clusters,
    check_parameters,
    draw_samples,
    fit_clusters,
    memberships,
    similarities,
)
from systems.verification._texts import TextIndex, index_texts, labels

__all__ = [
    "PUBLISHED",
    "Clusters",
    "FuzzyCMeans",
    "by_one_author",
    "draw_samples",
    "extract_features",
    "fit_clusters",
    "memberships",
    "similarities",
]

PUBLISHED: Mapping[str, tuple[int, float]] = {
    "dutch-essays": (4, 4.0),
    "dutch-reviews": (3, 4.0),
    "english-essays": (3, 3.0),
    "english-novels": (4, 3.0),
    "greek-articles": (4, 3.0),
    "spanish-articles": (3, 5.0),
}
"""Clusters and m for each PAN 2014 corpus, from the paper's Table 1; the system's own defaults suit them all."""

_PUNCTUATION = "(),:;!?"
# One or more sentence marks (U+037E is the Greek question mark), closing quotes or brackets, then white space.
_SENTENCE_END = re.compile(r"[.!?…\u037e]+[\"'”’»)\]]*(?=\s|$)")


@dataclass(kw_only=True)
class FuzzyCMeans(System[Problem, Truth, Answer]):
    """`draws` clusterings, each of a `sample` (share) of the training problems; the cosines are averaged.

    `threshold` None is learnt. With one class in training, every problem that looks like them gets that class.
    """

    clusters: int = 4
    m: float = 3.0
    threshold: float | None = None
    sample: float = 0.2
    draws: int = 25
    tolerance: float = 1e-5
    most_iterations: int = 300
    _fitted: Clusters | None = field(default=None, init=False, repr=False)
    _boundary: Boundary | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_parameters(self.clusters, self.m)
        if self.threshold is not None and not 0 < self.threshold < 1:
            raise ValueError(f"threshold must lie between 0 and 1, not {self.threshold}; without one it is learnt")
        if not 0 < self.sample <= 1:
            raise ValueError(f"sample is a share of the training problems, in (0, 1], not {self.sample}")
        if self.draws < 1 or self.most_iterations < 1:
            raise ValueError("draws and most_iterations must be at least 1")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Cluster the samples; learn the threshold, unless it is given."""
        same = labels("fuzzy_c_means", problems, truths)
        index = index_texts(problems)
        features = extract_features(index.texts())
        random = np.random.default_rng(seed)
        numbers, present = draw_samples(by_one_author(index, same), share=self.sample, draws=self.draws, random=random)
        self._fitted = fit_clusters(
            features[numbers],
            present,
            clusters=self.clusters,
            m=self.m,
            random=random,
            tolerance=self.tolerance,
            most_iterations=self.most_iterations,
        )
        if self.threshold is None:
            self._boundary = learn_threshold(_mean_similarities(self._fitted, features, index), same)
        else:
            self._boundary = Boundary(self.threshold, self.threshold)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The cosine, rescaled by the threshold."""
        if self._fitted is None or self._boundary is None:
            raise NeedsTrainingError("fuzzy_c_means")
        index = index_texts(problems)
        scores = _mean_similarities(self._fitted, extract_features(index.texts()), index)
        return index.answers(self._boundary.rescale(scores))


def by_one_author(index: TextIndex, same: Bools) -> list[Ints]:
    """For each problem, the texts known to share an author: the known ones, and the questioned one if it does."""
    pairs = zip(index.known, index.questioned, same, strict=True)
    return [np.append(known, questioned) if alike else known for known, questioned, alike in pairs]


def _mean_similarities(clusters: Clusters, features: Floats, index: TextIndex) -> Floats:
    """Draw by draw: memberships of all texts in all draws together would be large for a large dataset."""
    total = np.zeros(len(index.questioned))
    for number in range(len(clusters.centres)):
        shares = memberships(clusters.draw(number), features)
        total += similarities(shares, index.known, index.questioned)[0]
    return total / len(clusters.centres)


def extract_features(texts: Iterable[str]) -> Floats:
    """A row a text: mean sentence length, punctuation, space after comma, space before comma."""
    return np.array([_features(text) for text in texts], dtype=np.float64).reshape(-1, 4)


def _features(text: str) -> tuple[float, float, float, float]:
    words = len(text.split())
    size = max(len(text), 1)
    marks = sum(map(text.count, _PUNCTUATION))
    commas = text.count(",")
    # Commas with a space less those without: twice the ones with, less all.
    after, before = 2 * text.count(", ") - commas, 2 * text.count(" ,") - commas
    return words / max(_sentences(text), 1), marks / size, after / size, before / size


def _sentences(text: str) -> int:
    """Sentence ends, and one more if words follow the last."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    rest = text[ends[-1] :] if ends else text
    return len(ends) + bool(rest.strip())
