"""From hits to recall, precision and F, exactly as ROUGE-1.5.5 combines references and rounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.metric import MetricParameterError
from metrics.rouge.chunks import by_chunks
from metrics.rouge.encoding import Encoded, Integers

Floats = npt.NDArray[np.float64]
Combine = Literal["A", "B"]
Kind = Literal["N", "L", "W", "S", "SU"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One ROUGE measure: `n` belongs to N, `weight` to W, `gap` (negative: no limit) to S and SU."""

    kind: Kind
    n: int = 1
    weight: float = 1.2
    gap: int = 4

    def __post_init__(self) -> None:
        if self.kind not in ("N", "L", "W", "S", "SU"):
            raise MetricParameterError(f"rouge: no measure {self.kind!r}; known: N, L, W, S, SU")
        if self.n < 1:
            raise MetricParameterError(f"rouge: n must be at least 1, not {self.n}")
        if not 0 < self.weight < math.inf:
            raise MetricParameterError(f"rouge: weight must be positive, not {self.weight}")

    def __str__(self) -> str:
        """The name that ROUGE-1.5.5 prints: ROUGE-2, ROUGE-L, ROUGE-W-1.2, ROUGE-SU4, ROUGE-S*."""
        gap = "*" if self.gap < 0 else str(self.gap)
        own = {"N": str(self.n), "L": "L", "W": f"W-{self.weight:.15g}", "S": f"S{gap}", "SU": f"SU{gap}"}
        return f"ROUGE-{own[self.kind]}"


class Counts(NamedTuple):
    """What a score is made of, a row per reference or per pair; of W, weighted."""

    model: Floats
    peer: Floats
    hits: Floats
    merit: Floats
    """What the best reference is chosen by: the recall, as ROUGE-1.5.5 compares it."""


class Scores(NamedTuple):
    """Recall, precision and F, rounded to five decimals, a row per pair."""

    recall: Floats
    precision: Floats
    f: Floats


def count(encoded: Encoded, measures: Sequence[Measure]) -> dict[Measure, Counts]:
    """The counts of each reference with its peer, for all measures in one go."""
    counts: dict[Measure, Counts] = {}
    orders = [measure.n for measure in measures if measure.kind == "N"]
    hits = _ngram_hits(encoded, max(orders)) if orders else None
    for measure in measures:
        if measure.kind == "N" and hits is not None:
            counts[measure] = _ngram_counts(encoded, hits[:, measure.n - 1], measure.n)
        elif measure.kind == "L":
            counts[measure] = _subsequence_counts(encoded)
        elif measure.kind == "W":
            counts[measure] = _weighted_counts(encoded, measure.weight)
    for gap in {measure.gap for measure in measures if measure.kind in ("S", "SU")}:
        pairs, with_unigrams = _skip_counts(encoded, gap)
        for measure in measures:
            if measure.kind in ("S", "SU") and measure.gap == gap:
                counts[measure] = pairs if measure.kind == "S" else with_unigrams
    return counts


def combine(starts: Integers, counts: Counts, how: Combine) -> Counts:
    """One row per pair: the sum over its references (A), or the reference with the best recall, first on ties (B).

    The references of pair `p` are the rows from `starts[p]` to `starts[p + 1]`.
    """
    if how == "A":
        return Counts(*(_sum_by_pair(starts, part) for part in counts))
    best = [
        start + int(np.argmax(counts.merit[start:end])) if end > start else -1
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    padded = (np.append(part, 0.0) for part in counts)  # position -1: a pair without references has no counts
    return Counts(*(part[best] for part in padded))


def rates(measure: Measure, counts: Counts, alpha: float = 0.5) -> Scores:
    """Recall, precision and F from counts. F is made of the rounded values, and rounded again."""
    recall = round_5(_ratio(measure, counts.hits, counts.model))
    precision = round_5(_ratio(measure, counts.hits, counts.peer))
    return Scores(recall, precision, f_measure(recall, precision, alpha))


def jackknifed(encoded: Encoded, measure: Measure, counts: Counts, how: Combine, alpha: float = 0.5) -> Scores:
    """The mean over leaving out each reference in turn; with a single reference, its plain score."""
    sizes = np.diff(encoded.starts)
    sums = np.zeros((3, len(encoded)))
    for left_out in range(int(sizes.max(initial=0))):
        kept = np.ones(len(encoded.references), dtype=bool)
        several = sizes > 1
        kept[(encoded.starts[:-1] + left_out)[several & (sizes > left_out)]] = False
        fewer = np.concatenate([[0], np.cumsum(kept)])[encoded.starts]
        rest = Counts(*(part[kept] for part in counts))
        scores = rates(measure, combine(fewer, rest, how), alpha)
        counted = np.where(several, sizes > left_out, left_out == 0)
        sums += np.array(scores) * counted
    return Scores(*(sums / np.maximum(sizes, 1)))


def score(
    encoded: Encoded, measures: Iterable[Measure], *, combine_references: Combine = "A", alpha: float = 0.5
) -> dict[Measure, Scores]:
    """Recall, precision and F of each pair under each measure."""
    wanted = list(measures)
    counts = count(encoded, wanted)
    return {
        measure: rates(measure, combine(encoded.starts, counts[measure], combine_references), alpha)
        for measure in wanted
    }


def f_measure(recall: Floats, precision: Floats, alpha: float) -> Floats:
    """The weighted harmonic mean, 0 where both parts are 0; alpha near 1 favours precision."""
    return round_5(divide(recall * precision, (1 - alpha) * precision + alpha * recall))


def round_5(values: Floats) -> Floats:
    """Round to five decimals as printing does: by the exact binary value, not by the value times 10^5."""
    scaled = values * 1e5
    rounded = np.rint(scaled)
    close = np.flatnonzero(np.abs(np.abs(scaled - rounded) - 0.5) < 1e-6)
    for position in close:  # too close to a tie for the product to be trusted
        rounded[position] = round(float(f"{values[position]:.5f}") * 1e5)
    result: Floats = rounded / 1e5
    return result


def _ratio(measure: Measure, hits: Floats, total: Floats) -> Floats:
    """Hits over the total; for W taken back through the weighting function."""
    plain = divide(hits, total)
    if measure.kind != "W":
        return plain
    return np.array([value ** (1.0 / measure.weight) for value in plain.tolist()], dtype=np.float64)


def divide(hits: Floats, total: Floats) -> Floats:
    """Hits over the total, 0 where there is nothing to hit."""
    return np.divide(hits, total, out=np.zeros_like(hits), where=total > 0)


def _counts(model: Floats, peer: Floats, hits: Floats) -> Counts:
    """Counts of N, S and SU, whose recalls are compared after rounding."""
    return Counts(model, peer, hits, round_5(divide(hits, model)))


def _sum_by_pair(starts: Integers, values: Floats) -> Floats:
    """Sums of the values from each start to the next, added in order."""
    sums = np.zeros(len(starts) - 1)
    sizes = np.diff(starts)
    for place in range(int(sizes.max(initial=0))):
        there = sizes > place
        sums[there] += values[starts[:-1][there] + place]
    return sums


def _lengths(encoded: Encoded) -> tuple[Floats, Floats]:
    """Tokens of each reference, and of its peer, in the same rows."""
    lengths = np.diff(encoded.whole.text_starts).astype(np.float64)
    return lengths[encoded.references], np.repeat(lengths[encoded.peers], np.diff(encoded.starts))


def _ngram_hits(encoded: Encoded, max_n: int) -> Integers:
    from metrics.rouge.kernels import ngram_hits

    return by_chunks(encoded, ngram_hits, (encoded.whole.tokens, encoded.whole.text_starts), (max_n,))


def _ngram_counts(encoded: Encoded, hits: Integers, n: int) -> Counts:
    model, peer = (np.maximum(lengths - n + 1, 0.0) for lengths in _lengths(encoded))
    return _counts(model, peer, hits.astype(np.float64))


def _skip_counts(encoded: Encoded, gap: int) -> tuple[Counts, Counts]:
    """The counts of S, and those of SU, which adds unigrams."""
    from metrics.rouge.kernels import skip_hits

    hits = by_chunks(encoded, skip_hits, (encoded.whole.tokens, encoded.whole.text_starts), (gap,))
    model, peer = _lengths(encoded)
    pairs = (_skip_bigrams(model, gap), _skip_bigrams(peer, gap), hits[:, 0].astype(np.float64))
    unigrams = (np.maximum(model - 1, 0.0), np.maximum(peer - 1, 0.0), hits[:, 1])
    return _counts(*pairs), _counts(*(part + more for part, more in zip(pairs, unigrams, strict=True)))


def _skip_bigrams(lengths: Floats, gap: int) -> Floats:
    """How many skip-bigrams texts of these lengths have."""
    others = np.maximum(lengths - 1, 0.0)
    reach = others if gap < 0 else np.minimum(others, gap + 1.0)
    result: Floats = reach * others - reach * (reach - 1) / 2
    return result


def _union_hits(encoded: Encoded, powers: list[float]) -> Floats:
    from metrics.rouge.subsequence import union_hits

    whole, lines = encoded.whole, encoded.lines
    texts = (whole.tokens, whole.text_starts, lines.tokens, lines.sentences, lines.texts)
    return by_chunks(encoded, union_hits, texts, (encoded.vocabulary, np.array(powers)))


def _longest_sentence(encoded: Encoded) -> int:
    return int(np.diff(encoded.lines.sentences).max(initial=0))


def _subsequence_counts(encoded: Encoded) -> Counts:
    hits = _union_hits(encoded, [float(k) for k in range(_longest_sentence(encoded) + 1)])[:, 0]
    model = np.diff(encoded.lines.text_starts).astype(np.float64)[encoded.references]
    return Counts(model, _lengths(encoded)[1], hits, divide(hits, model))  # compared unrounded


def _weighted_counts(encoded: Encoded, weight: float) -> Counts:
    from metrics.rouge.kernels import sentence_powers

    powers = [math.pow(k, weight) for k in range(_longest_sentence(encoded) + 1)]
    hits = _union_hits(encoded, powers)[:, 1]
    sums = sentence_powers(encoded.lines.sentences, encoded.lines.texts, np.array(powers))[encoded.references]
    # ROUGE-1.5.5 puts the sum of weighted lengths through the weighting function once more, but for the best reference.
    model = np.array([math.pow(value, weight) for value in sums.tolist()])
    peer = np.array([math.pow(value, weight) for value in _lengths(encoded)[1].tolist()])
    return Counts(model, peer, hits, divide(hits, sums))
