"""BLEU of whole corpora and of single segments, as sacreBLEU and as NLTK compute it.

Columns: `hypothesis` (text; `None` means unanswered) and `references` (a list of texts for each hypothesis).
All values are between 0 and 1: sacreBLEU's divided by 100. The orders 1 to `order` are weighted alike.

The two families differ in smoothing alone. In sacreBLEU's an order without a match makes the score 0 unless it is
smoothed; in NLTK's it is the least positive number, so that scores near 0 are never quite 0. NLTK's methods 5, 6 and
7 look at the last segment of a corpus, whatever comes before it; `bleu_nltk` does the same to give the same number.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

import numpy as np

from metrics.bleu_text import TOKENISERS, match_statistics
from metrics.metric import Array, Floats, Metric, MetricError, Parameter, mean_metric

_CITE = "Papineni et al., ACL 2002"
_CHEN = "Chen & Cherry, WMT 2014"
_COLUMNS = ("hypothesis", "references")
_ORDER = Parameter(type=int, default=4, choices=(1, 2, 3, 4), doc="longest n-gram")
_TOKENISER = Parameter(type=str, default="13a", choices=tuple(TOKENISERS), doc="how a text becomes tokens")
_LOWERCASE = Parameter(type=bool, default=False, doc="lower-case the texts first")
_SMOOTHING = Parameter(
    type=str, default="exp", choices=("exp", "floor", "add-k", "none"), doc="what an order without a match counts"
)
_VALUE = Parameter(type=float, default=None, doc="the count of floor (0.1 if not given) or the k of add-k (1)")
_NLTK = {
    "order": _ORDER,
    "tokeniser": Parameter(type=str, default="none", choices=tuple(TOKENISERS), doc=_TOKENISER.doc),
    "lowercase": _LOWERCASE,
    "method": Parameter(type=int, default=0, choices=tuple(range(8)), doc="smoothing method of NLTK"),
}
_DEFAULT_VALUES = {"floor": 0.1, "add-k": 1.0}
_EPSILON, _ALPHA, _K = 0.1, 5.0, 5.0
"""Constants of NLTK's methods 1, 6, and 4 and 7."""


def statistics(
    hypothesis: Array, references: Array, *, order: int = 4, tokeniser: str = "13a", lowercase: bool = False
) -> Floats:
    """Per segment: hypothesis length, reference length, matches and totals of orders 1 to `order`."""
    full = _cached_statistics(*_checked(hypothesis, references), tokeniser, lowercase)
    longest = (full.shape[1] - 2) // 2
    return np.asarray(full[:, [0, 1, *range(2, 2 + order), *range(2 + longest, 2 + longest + order)]])


@lru_cache(maxsize=2)
def _cached_statistics(
    hypotheses: tuple[str, ...], references: tuple[tuple[str, ...], ...], tokeniser: str, lowercase: bool
) -> Floats:
    """All orders at once, kept for the next order or smoothing asked of the same texts."""
    if lowercase:
        hypotheses = tuple(text.lower() for text in hypotheses)
        references = tuple(tuple(text.lower() for text in texts) for texts in references)
    counts = match_statistics(hypotheses, references, order=5, tokeniser=tokeniser).astype(np.float64)
    counts.flags.writeable = False
    return counts


def _checked(hypothesis: Array, references: Array) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Texts, or an error that names the row."""
    hypotheses = tuple("" if text is None else text for text in hypothesis.tolist())
    lists = tuple(tuple(texts) if isinstance(texts, list | tuple) else () for texts in references.tolist())
    for row, (text, texts) in enumerate(zip(hypotheses, lists, strict=True)):
        if not isinstance(text, str):
            raise MetricError(f"hypothesis must be a text, not {text!r}, in row {row}")
        if not texts or not all(isinstance(reference, str) for reference in texts):
            raise MetricError(f"references must be a list of one text or more, not {references[row]!r}, in row {row}")
    return hypotheses, lists


def _parts(sums: Array) -> tuple[Array, Array, Array, Array]:
    """Lengths of hypothesis and reference, matches and totals by order."""
    order = (sums.shape[-1] - 2) // 2
    return sums[..., 0], sums[..., 1], sums[..., 2 : 2 + order], sums[..., 2 + order :]


def _brevity(length: Array, reference: Array) -> Array:
    ratio = np.divide(reference, length, out=np.full_like(length, np.inf), where=length > 0)
    return np.exp(np.minimum(0.0, 1.0 - ratio))


def _bleu(
    sums: Array, *, smoothing: str, smoothing_value: float | None, effective_order: bool = False, **_: Any
) -> Array:
    length, reference, matches, totals = _parts(sums)
    value = _DEFAULT_VALUES.get(smoothing, 0.0) if smoothing_value is None else smoothing_value
    logs, orders = np.zeros_like(length), np.zeros_like(length)
    halvings = np.zeros_like(length)
    for n in range(matches.shape[-1]):
        match, total = matches[..., n], totals[..., n]
        if smoothing == "add-k" and n > 0:
            match, total = match + value, total + value
        counted = total > 0
        if smoothing == "exp":
            halvings = halvings + (counted & (match == 0))
            match = np.where(match == 0, 0.5**halvings, match)
        elif smoothing == "floor":
            match = np.where(match == 0, value, match)
        if effective_order:
            logs, orders = np.where(counted, logs + np.log(match / total), logs), orders + counted
        else:
            logs, orders = logs + np.where(counted, np.log(match / total), -np.inf), orders + 1
    score = _brevity(length, reference) * np.exp(logs / orders)
    return np.where(matches.any(axis=-1), score, 0.0)


def _segment_bleu(hypothesis: Array, references: Array, **settings: Any) -> Array:
    rows = statistics(hypothesis, references, **_text_settings(settings))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _bleu(rows, effective_order=True, **settings)


def _text_settings(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in ("order", "tokeniser", "lowercase")}


def _corpus_statistics(hypothesis: Array, references: Array, **settings: Any) -> Array:
    return statistics(hypothesis, references, **_text_settings(settings))


def _nltk(sums: Array, last: Array, method: int) -> Array:
    """NLTK's score from summed statistics and those of the last segment, which has order 5 too."""
    length, reference, matches, totals = _parts(sums)
    precisions = list(np.moveaxis(matches / totals, -1, 0))
    zero = np.moveaxis(matches == 0, -1, 0)
    if method == 0:
        precisions = [np.where(none, sys.float_info.min, p) for none, p in zip(zero, precisions, strict=True)]
    elif method == 1:
        precisions = [np.where(zero[n], _EPSILON / totals[..., n], p) for n, p in enumerate(precisions)]
    elif method == 2:
        later = (matches[..., 1:] + 1) / (totals[..., 1:] + 1)
        precisions = [precisions[0], *np.moveaxis(later, -1, 0)]
    elif method in (3, 4, 7):
        scale = np.ones_like(length) if method == 3 else np.log(np.maximum(length, 1.0)) / _K
        misses = np.cumsum(zero, axis=0)
        smoothed = [scale * 0.5 ** misses[n] / totals[..., n] for n in range(len(precisions))]
        precisions = [np.where(zero[n], smoothed[n], p) for n, p in enumerate(precisions)]
    if method in (5, 7):
        precisions = _averaged_with_neighbours(precisions, last)
    if method == 6:
        precisions = _interpolated(precisions, matches, last)
    logs = sum(np.log(p, out=np.zeros_like(p), where=(p > 0) | np.isnan(p)) for p in precisions)
    value = _brevity(length, reference) * np.exp(logs / len(precisions))
    return np.where(matches[..., 0] > 0, value, 0.0)


def _averaged_with_neighbours(precisions: list[Array], last: Array) -> list[Array]:
    """Method 5: the mean of the order below (already averaged), the order and the order above."""
    _, _, matches, totals = _parts(last)
    above = [*precisions[1:], matches[..., 4] / totals[..., 4]]
    averaged, below = [], precisions[0] + 1
    for own, next_order in zip(precisions, above, strict=True):
        below = (below + own + next_order) / 3
        averaged.append(below)
    return averaged


def _interpolated(precisions: list[Array], matches: Array, last: Array) -> list[Array]:
    """Method 6: a prior from the two orders below; undefined where no trigram matches, as NLTK stops there."""
    values = list(precisions)
    for n in range(2, len(values)):
        prior = np.divide(values[n - 1] ** 2, values[n - 2], out=np.zeros_like(values[n]), where=values[n - 2] > 0)
        grams = np.maximum(last[..., 0] - n, 0)
        values[n] = (matches[..., n] + _ALPHA * prior) / (grams + _ALPHA)
    refused = precisions[2] == 0 if len(precisions) > 2 else np.ones_like(precisions[0], dtype=bool)
    return [np.where(refused, np.nan, value) for value in values]


def _nltk_rows(hypothesis: Array, references: Array, settings: dict[str, Any]) -> tuple[Floats, Floats]:
    """Statistics up to `order` and up to order 5; a total is at least 1 in every segment, as NLTK counts."""
    text = _text_settings(settings)
    rows = []
    for order in (text["order"], 5):
        counts = statistics(hypothesis, references, **{**text, "order": order})
        counts[:, 2 + order :] = np.maximum(counts[:, 2 + order :], 1.0)
        rows.append(counts)
    return rows[0], rows[1]


def _corpus_nltk(hypothesis: Array, references: Array, *, weights: Array, method: int, **settings: Any) -> Array:
    rows, full = _nltk_rows(hypothesis, references, settings)
    last = weights.shape[1] - 1 - np.argmax(weights[:, ::-1] > 0, axis=1)
    return _nltk(weights @ rows, full[last], method)


def _segment_nltk(hypothesis: Array, references: Array, *, method: int, **settings: Any) -> Array:
    return _nltk(*_nltk_rows(hypothesis, references, settings), method)


_declared: dict[str, Any] = {
    "columns": _COLUMNS,
    "nan": "refused: a hypothesis is a text",
    "unanswered": "an empty text: 0, and no token among those of the corpus",
}
_no_trigram = "method 6 needs order 3 or more and a trigram that matches"
bleu = Metric(
    name="bleu",
    summary="BLEU of the corpus: matches and lengths are summed over segments first",
    statistics=_corpus_statistics,
    aggregate=_bleu,
    cite=_CITE,
    parameters={
        "order": _ORDER,
        "tokeniser": _TOKENISER,
        "lowercase": _LOWERCASE,
        "smoothing": _SMOOTHING,
        "smoothing_value": _VALUE,
        "effective_order": Parameter(type=bool, default=False, doc="leave out orders longer than the texts"),
    },
    **_declared,
)
segment_bleu = mean_metric(
    _segment_bleu,
    name="segment_bleu",
    summary="mean over segments of BLEU, orders longer than the hypothesis left out",
    cite=_CITE,
    parameters={
        "order": _ORDER,
        "tokeniser": _TOKENISER,
        "lowercase": _LOWERCASE,
        "smoothing": _SMOOTHING,
        "smoothing_value": _VALUE,
    },
    **_declared,
)
bleu_nltk = Metric(
    name="bleu_nltk",
    summary="BLEU of the corpus with NLTK's smoothing; method 6 can exceed 1",
    weighted=_corpus_nltk,
    cite=_CHEN,
    bounds=(0.0, float("inf")),
    parameters=_NLTK,
    undefined=_no_trigram,
    **_declared,
)
segment_bleu_nltk = mean_metric(
    _segment_nltk,
    name="segment_bleu_nltk",
    summary="mean over segments of BLEU with NLTK's smoothing; method 6 can exceed 1",
    cite=_CHEN,
    bounds=(0.0, float("inf")),
    parameters=_NLTK,
    undefined=_no_trigram,
    **_declared,
)
