"""Multiclass exponentiated gradient on the style of messages (Argamon, Šarić & Stein 2003).

Features are in `_email_features`, the updates and where they differ from the print in `_eg`. Left open by the paper
and decided here:

- The scale of the features. They are relative frequencies, each divided by its greatest value in training. Without
  that (`scale=frequency`) a share of lower-case words near 0.8 stands beside function words near 0.01, the few coarse
  features take every update, and with beta = 2 nothing settles: of C50's ten authors' texts the naive one_vs_all
  attributes 19 % rightly instead of 54 %, the ultraconservative one 11 % instead of 47 %.
- An empty diagonal has no part in min and max.
- Features that no training text has are ignored: normalisation would give them weights that say nothing.

The paper's remark that all algorithms are the same for two authors does not hold of its own tables, nor here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.attribution import Answer, Problem, Truth
from systems.attribution._candidates import best_author, read_candidates, texts_of
from systems.attribution._email_features import extract_features
from systems.text.arrays import Floats, Ints

if TYPE_CHECKING:
    from scipy import sparse

    from systems.attribution._eg import Models

UPDATES: Mapping[str, tuple[str, ...]] = {
    "one_vs_all": ("naive", "ultraconservative"),
    "all_vs_all": ("naive", "all_pairs", "rows"),
}
COMBINATIONS = ("vote", "min", "max")
RULES = ("linear", "exponential")
SCALES = ("greatest", "frequency")


@dataclass(frozen=True, slots=True)
class _Fitted:
    authors: tuple[str, ...]
    columns: Ints
    greatest: Floats
    models: Models


@dataclass(kw_only=True)
class ExponentiatedGradient(System[Problem, Truth, Answer]):
    """One model an author (`one_vs_all`) or one for each ordered pair (`all_vs_all`), all learnt together.

    `update` is `naive` (each model on its own), `ultraconservative` (one_vs_all), `all_pairs` or `rows` (all_vs_all).
    `combine` makes one score of an author's pairs. `rule` is what a promotion multiplies a weight by: 1 + beta x
    (`linear`) or (1 + beta) ** x (`exponential`). `scale` is what frequencies are divided by: their `greatest` in
    training, or nothing (`frequency`). With `zero_diagonal` the pair of an author with itself counts as
    confidence 0 in min and max, which gives the published tables' pattern for `rows`; without it, and with equal
    initial weights, all pairs of a row are the same model, so `rows` is the ultraconservative one_vs_all.

    Always names a candidate, never `<UNK>`. A text without any known feature scores 0 with every author.
    """

    scheme: str = "one_vs_all"
    update: str = "ultraconservative"
    combine: str = "vote"
    beta: float = 2.0
    passes: int = 25
    rule: str = "linear"
    scale: str = "greatest"
    zero_diagonal: bool = False
    _fitted: _Fitted | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        _one_of("scheme", self.scheme, UPDATES)
        _one_of(f"update of {self.scheme}", self.update, UPDATES[self.scheme])
        _one_of("combine", self.combine, COMBINATIONS)
        _one_of("rule", self.rule, RULES)
        _one_of("scale", self.scale, SCALES)
        if self.scheme == "one_vs_all" and self.combine != "vote":
            raise ValueError(f"combine={self.combine} is for scheme=all_vs_all: one_vs_all has one model an author")
        if self.zero_diagonal and (self.scheme == "one_vs_all" or self.combine == "vote"):
            raise ValueError("zero_diagonal is for scheme=all_vs_all with combine=min or max; it changes no other")
        if not 0 < self.beta < np.inf:
            raise ValueError(f"beta must be greater than 0, not {self.beta}")
        if self.passes < 1:
            raise ValueError(f"passes must be at least 1, not {self.passes}")

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Features of the known texts, and the passes over them."""
        known = read_candidates("exponentiated_gradient", problems, truths)
        self.fit_features(extract_features(known.texts), known.labels, known.authors, seed=seed)

    def fit_features(self, features: sparse.csr_array, labels: Ints, authors: Sequence[str], *, seed: int) -> None:
        """The passes alone: `labels` numbers the authors."""
        from systems.attribution import _eg

        columns = _by_frequency(features)
        greatest = np.ones(len(columns))
        if self.scale == "greatest" and len(columns):
            greatest = features[:, columns].max(axis=0).toarray().ravel()
        examples = _scaled(features, columns, greatest)
        in_pairs = self.scheme == "all_vs_all" and self.update != "rows"
        train = _eg.train_all_vs_all if in_pairs else _eg.train_one_vs_all
        models = train(
            examples,
            labels,
            len(authors),
            conservative=self.update != "naive",
            factors=_eg.promotion_factors(examples.data, beta=self.beta, linear=self.rule == "linear"),
            passes=self.passes,
            random=np.random.default_rng(seed),
        )
        self._fitted = _Fitted(tuple(authors), columns, greatest, models)

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The author with the most confident models."""
        if self._fitted is None:
            raise NeedsTrainingError("exponentiated_gradient")
        scores = self.score_features(extract_features(texts_of(problems)))
        return best_author(problems, self._fitted.authors, scores)

    def score_features(self, features: sparse.csr_array) -> Floats:
        """Texts x authors."""
        found = self.confidences(features)
        return found if found.ndim == 2 else combined(found, self.combine, zero_diagonal=self.zero_diagonal)

    def confidences(self, features: sparse.csr_array) -> Floats:
        """Of each model: texts x authors, or with all_vs_all texts x authors x the authors they are set against."""
        if self._fitted is None:
            raise NeedsTrainingError("exponentiated_gradient")
        examples = _scaled(features, self._fitted.columns, self._fitted.greatest)
        found = self._fitted.models.confidences(examples)
        if self.scheme == "one_vs_all":
            return found
        authors = len(self._fitted.authors)
        if self.update == "rows":
            return np.repeat(found[:, :, None], authors, axis=2)
        return found.reshape(-1, authors, authors)


def _by_frequency(features: sparse.csr_array) -> Ints:
    """The columns that are not empty, the fullest first: what is read together then lies together in memory."""
    texts = np.bincount(features.indices, minlength=features.shape[1])
    return np.argsort(-texts, kind="stable")[: np.count_nonzero(texts)]


def _scaled(features: sparse.csr_array, columns: Ints, greatest: Floats) -> sparse.csr_array:
    examples = features[:, columns]
    examples.sort_indices()
    examples.data /= greatest[examples.indices]
    return examples


def combined(pairs: Floats, combine: str, *, zero_diagonal: bool = False) -> Floats:
    """One score an author from texts x authors x authors; the diagonal counts as 0 or not at all."""
    authors = np.arange(pairs.shape[1])
    pairs = pairs.copy()
    pairs[:, authors, authors] = 0.0
    if combine == "vote":
        return np.asarray(pairs.sum(axis=2))
    if not zero_diagonal and len(authors) > 1:
        pairs[:, authors, authors] = np.inf if combine == "min" else -np.inf
    return np.asarray(pairs.min(axis=2) if combine == "min" else pairs.max(axis=2))


def _one_of(what: str, value: str, known: Mapping[str, object] | tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, not {value!r}")
