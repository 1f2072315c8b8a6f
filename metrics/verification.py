"""Author verification as PAN scores it, from the 2013 edition on.

Columns: `same` (truth), `answer` (probability of "same author"; exactly 0.5 means unanswered), and for the
2013 edition `verdict` (1 yes, 0 no, -1 unanswered) and `given` (whether the run has a line for the problem).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from metrics.metric import Array, Metric, Parameter, ratio

UNANSWERED = 0.5
_IN_CACHE = 250_000
"""Weights that AUC handles at once: with these it stays in the processor's cache, which doubles its speed."""
_PAN20 = "Kestemont et al., Overview of the Cross-Domain Authorship Verification Task at PAN 2020"
_PAN13 = "Juola & Stamatatos, Overview of the Author Identification Task at PAN 2013"


def _answered_counts(same: Array, answer: Array) -> Array:
    """Per problem: true positive, false positive, false negative, unanswered, 1."""
    same = same.astype(bool)
    yes, no = answer > UNANSWERED, answer < UNANSWERED
    unanswered = ~(yes | no)
    return np.column_stack([yes & same, yes & ~same, no & same, unanswered, np.ones(len(same))])


def _c_at_1_statistics(same: Array, answer: Array) -> Array:
    answered = answer != UNANSWERED
    right = answered & ((answer > UNANSWERED) == same.astype(bool))
    return np.column_stack([right, ~answered, np.ones(len(same))])


def _c_at_1(sums: Array) -> Array:
    right, unanswered, n = np.moveaxis(sums, -1, 0)
    value: Array = (1.0 / n) * (right + unanswered * right / n)
    return value


def _f1(sums: Array) -> Array:
    tp, fp, fn = np.moveaxis(sums[..., :3], -1, 0)
    return _zero_without_hits(tp, 2 * tp / (2 * tp + fp + fn))


def _f_05_u(sums: Array) -> Array:
    tp, fp, fn, unanswered = np.moveaxis(sums[..., :4], -1, 0)
    return _zero_without_hits(tp, 1.25 * tp / (1.25 * tp + 0.25 * (fn + unanswered) + fp))


def _zero_without_hits(hits: Array, value: Array) -> Array:
    """0 where there is no hit at all, also where the formula would divide by zero."""
    return np.where(hits > 0, value, 0.0)


def _brier_statistics(same: Array, answer: Array) -> Array:
    outside = (answer < 0) | (answer > 1)
    return np.column_stack([(answer - same) ** 2, np.ones(len(same)), outside])


def _brier(sums: Array) -> Array:
    # PAN's script catches the library's refusal of a value outside [0, 1] and gives 0.
    return np.where(sums[..., 2] > 0, 0.0, 1.0 - ratio(sums))


def area_under_roc(same: Array, answer: Array, *, weights: Array) -> Array:
    """AUC for each row of problem weights; a tie counts one half; NaN without both classes."""
    positive, negative = (rows[np.argsort(answer[rows])] for rows in (np.flatnonzero(same), np.flatnonzero(same == 0)))
    first, last = (np.searchsorted(answer[negative], answer[positive], side=side) for side in ("left", "right"))
    rows = max(1, _IN_CACHE // len(answer))
    parts = (weights[start : start + rows] for start in range(0, len(weights), rows))
    return np.concatenate([_share_won(part, positive, negative, first, last) for part in parts])


def _share_won(weights: Array, positive: Array, negative: Array, first: Array, last: Array) -> Array:
    """Weighted share of (positive, negative) pairs in the right order, from the negatives below each positive."""
    won = np.take(weights, positive, axis=1)
    lost = np.zeros((len(weights), len(negative) + 1))
    np.cumsum(np.take(weights, negative, axis=1), axis=1, out=lost[:, 1:])
    below = np.einsum("ij,ij->i", won, np.take(lost, first, axis=1))
    if (first != last).any():
        below = 0.5 * (below + np.einsum("ij,ij->i", won, np.take(lost, last, axis=1)))
    return _divide(below, won.sum(axis=1) * lost[:, -1])


def _auc_2013(same: Array, answer: Array, given: Array, *, weights: Array) -> Array:
    """AUC in which a problem without a line in the run wins no comparison, whatever its class."""
    given, same = given.astype(bool), same.astype(bool)
    totals = (weights @ same) * (weights @ ~same)
    if not given.any():
        return _divide(np.zeros(len(weights)), totals)
    there = weights[:, given]
    pairs = (there @ same[given]) * (there @ ~same[given])
    inner = area_under_roc(same[given], answer[given], weights=there)
    return _divide(np.where(pairs > 0, inner * pairs, 0.0), totals)


def _divide(numerator: Array, denominator: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, numerator / denominator, np.nan)


def _verdict_statistics(same: Array, verdict: Array) -> Array:
    answered = verdict >= 0
    return np.column_stack([answered & (verdict == same), answered, np.ones(len(same))])


def _recall_2013(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 2])


def _precision_2013(sums: Array) -> Array:
    return _zero_without_hits(sums[..., 0], sums[..., 0] / sums[..., 1])


def _f1_2013(sums: Array) -> Array:
    right, answered, n = np.moveaxis(sums, -1, 0)
    return _zero_without_hits(right, 2 * right / (answered + n))


auc = Metric(
    name="auc",
    summary="area under the ROC curve; ties count one half",
    columns=("same", "answer"),
    weighted=area_under_roc,
    cite="Fawcett, HPL-2003-4",
    single_class="undefined: no pair of problems to order",
    unanswered="kept as the score 0.5",
    undefined="the truth has only one class, so there is no pair of problems to order",
)
c_at_1 = Metric(
    name="c_at_1",
    summary="accuracy that does not punish leaving a hard problem unanswered",
    columns=("same", "answer"),
    statistics=_c_at_1_statistics,
    aggregate=_c_at_1,
    cite="Peñas & Rodrigo, ACL 2011",
    unanswered="credited with the accuracy on the answered problems",
)
f_05_u = Metric(
    name="f_05_u",
    summary="F0.5 of the same-author class, an unanswered problem counting as a false negative",
    columns=("same", "answer"),
    statistics=_answered_counts,
    aggregate=_f_05_u,
    cite="Bevendorff et al., NAACL 2019",
    single_class="0 where there is no true positive",
    unanswered="a false negative, whatever its class",
)
f1 = Metric(
    name="f1",
    summary="F1 of the same-author class over the answered problems",
    columns=("same", "answer"),
    statistics=_answered_counts,
    aggregate=_f1,
    cite=_PAN20,
    single_class="0 where there is no true positive",
    unanswered="left out; 0 where nothing is answered (PAN's script stops there)",
)
brier = Metric(
    name="brier",
    summary="1 minus the mean squared error of the probabilities",
    columns=("same", "answer"),
    statistics=_brier_statistics,
    aggregate=_brier,
    cite="Brier, Monthly Weather Review 1950",
    unanswered="kept as the score 0.5",
)


def _each(parts: tuple[Metric, ...], same: Array, answer: Array, weights: Array) -> list[Array]:
    return [part.resampled((same, answer), weights) for part in parts]


def _overall(same: Array, answer: Array, *, weights: Array, year: int) -> Array:
    parts = (auc, c_at_1, f_05_u, f1) if year == 2020 else (auc, c_at_1, f_05_u, f1, brier)
    return np.asarray(np.mean(_each(parts, same, answer, weights), axis=0))


def _final_score(same: Array, answer: Array, *, weights: Array) -> Array:
    return np.asarray(np.prod(_each((auc, c_at_1), same, answer, weights), axis=0))


overall = Metric(
    name="overall",
    summary="mean of AUC, c@1, F0.5u and F1, from 2021 on also of Brier",
    columns=("same", "answer"),
    weighted=_overall,
    cite=_PAN20,
    parameters={
        "year": Parameter(type=int, default=2022, choices=(2020, 2021, 2022, 2023), doc="edition of PAN"),
    },
    single_class="undefined, as AUC is",
    unanswered="as each of its measures says",
    undefined="AUC, one of its measures, needs both classes in the truth",
)
auc_c_at_1 = Metric(
    name="auc_c_at_1",
    summary="AUC times c@1, the final score of PAN 2014 and 2015",
    columns=("same", "answer"),
    weighted=_final_score,
    cite="Stamatatos et al., Overview of the Author Identification Task at PAN 2014",
    single_class="undefined, as AUC is",
    unanswered="as AUC and c@1 say",
    undefined="AUC, one of its factors, needs both classes in the truth",
)

_of_verdicts: Callable[..., Metric] = partial(
    Metric, columns=("same", "verdict"), statistics=_verdict_statistics, cite=_PAN13
)
recall_2013 = _of_verdicts(
    name="recall_2013",
    summary="right answers over all problems",
    aggregate=_recall_2013,
    unanswered="counts in the denominator",
)
precision_2013 = _of_verdicts(
    name="precision_2013",
    summary="right answers over answered problems",
    aggregate=_precision_2013,
    unanswered="left out; 0 where nothing is answered",
)
f1_2013 = _of_verdicts(
    name="f1_2013",
    summary="harmonic mean of the 2013 precision and recall",
    aggregate=_f1_2013,
    unanswered="costs recall, not precision",
)
auc_2013 = Metric(
    name="auc_2013",
    summary="AUC in which a problem the run leaves out wins no comparison",
    columns=("same", "answer", "given"),
    weighted=_auc_2013,
    cite=_PAN13,
    single_class="undefined: no pair of problems to order",
    unanswered="a line with the score 0.5 is ranked as such; a missing line loses every comparison",
    undefined="the truth has only one class, so there is no pair of problems to order",
)


def verdicts(answer: Array) -> Array:
    """1 yes, 0 no, -1 unanswered, from probabilities."""
    values: dict[str, Any] = {"dtype": np.int8}
    return np.where(answer > UNANSWERED, 1, np.where(answer < UNANSWERED, 0, -1)).astype(**values)
