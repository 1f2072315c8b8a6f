"""Which author, which class: accuracy, micro and macro averages, and attribution as PAN scored it.

Columns: `label` (truth, text), `predicted` (text; empty or `None` means unanswered) and, for PAN's attribution
tasks, `problem` (the set of texts and candidates a text belongs to).

A macro average runs over the labels of the truth; a predicted label that the truth lacks costs precision in the
micro average only. Under resampling "the truth" is that of the resample, so that re-weighting gives the number
which scoring the drawn texts would give.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.metric import Array, Floats, Metric, MetricError, Parameter, grouped_sums, mean_metric

UNKNOWN = "<UNK>"
"""PAN's word for "none of the candidates"."""
_NONE = -1
_PAN18 = "Kestemont et al., Overview of the Author Identification Task at PAN 2018"
_PAN19 = "Kestemont et al., Overview of the Cross-domain Authorship Attribution Task at PAN 2019"
_PAN15 = "macro-averaged F1 of the PAN 2015 evaluator"


def _texts(name: str, column: Array, *, may_be_absent: bool) -> list[str]:
    """The column as texts; absent is the empty text."""
    texts = []
    for row, value in enumerate(column.tolist()):
        if may_be_absent and value is None:
            value = ""
        if not isinstance(value, str) or not (value or may_be_absent):
            raise MetricError(f"{name} must be a text, not {value!r}, in row {row}")
        texts.append(value)
    return texts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Coded:
    """Rows as numbers of (problem, label) classes; classes are those of the truth, sorted by problem."""

    truth: Array
    """Class of the true label."""
    said: Array
    """Class of the predicted label; -1 where the truth of the problem has no such label."""
    problem: Array
    """Problem of the row."""
    class_problem: Array
    """Problem of each class."""
    labels: list[str]
    """Label of each class."""


def _code(label: Array, predicted: Array, problem: Array | None = None) -> _Coded:
    labels = _texts("label", label, may_be_absent=False)
    answers = _texts("predicted", predicted, may_be_absent=True)
    problems = [""] * len(labels) if problem is None else [str(name) for name in problem.tolist()]
    number = {name: index for index, name in enumerate(sorted(set(problems)))}
    classes = sorted(set(zip(problems, labels, strict=True)))
    index = {key: position for position, key in enumerate(classes)}
    return _Coded(
        truth=np.array([index[key] for key in zip(problems, labels, strict=True)]),
        said=np.array([index.get(key, _NONE) for key in zip(problems, answers, strict=True)]),
        problem=np.array([number[name] for name in problems]),
        class_problem=np.array([number[name] for name, _ in classes]),
        labels=[name for _, name in classes],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """For each row of weights and each class: hits, occurrences in the truth, times predicted."""

    hits: Floats
    true: Floats
    said: Floats

    def precision(self) -> Floats:
        return _zero_over_zero(self.hits, self.said)

    def recall(self) -> Floats:
        return _zero_over_zero(self.hits, self.true)

    def f1(self) -> Floats:
        return _zero_over_zero(2 * self.hits, self.true + self.said)


def _count(coded: _Coded, weights: Array) -> _Counts:
    size = len(coded.labels)
    return _Counts(
        hits=grouped_sums(weights, coded.truth, size, coded.truth == coded.said),
        true=grouped_sums(weights, coded.truth, size),
        said=grouped_sums(weights, coded.said, size),
    )


def _zero_over_zero(numerator: Array, denominator: Array) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _over_authors(
    label: Array,
    predicted: Array,
    *,
    weights: Array,
    value: Callable[[_Counts], Floats],
    summary: Callable[..., Array],
    **settings: Any,
) -> Array:
    counts = _count(_code(label, predicted), weights)
    return summary(value(counts), counts.true > 0, **settings)


def _mean(values: Floats, present: Array) -> Array:
    return np.asarray(np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1))


def _least(values: Floats, present: Array) -> Array:
    return np.asarray(np.where(present, values, np.inf).min(axis=1))


def _greatest(values: Floats, present: Array) -> Array:
    return np.asarray(np.where(present, values, -np.inf).max(axis=1))


def _spread(values: Floats, present: Array, *, ddof: int) -> Array:
    squares = np.where(present, (values - _mean(values, present)[:, None]) ** 2, 0.0).sum(axis=1)
    size = present.sum(axis=1) - ddof
    return np.asarray(np.sqrt(np.divide(squares, size, out=np.full(len(values), np.nan), where=size > 0)))


def per_author_f1(label: npt.ArrayLike, predicted: npt.ArrayLike) -> dict[str, float]:
    """F1 of every author of the truth; 0 for one who is never rightly predicted."""
    columns = accuracy.prepare((label, predicted))
    coded = _code(*columns)
    values = _count(coded, np.ones((1, len(columns[0])))).f1()[0]
    return dict(zip(coded.labels, values.tolist(), strict=True))


def _micro_statistics(label: Array, predicted: Array) -> Array:
    """Per text: right, answered, 1."""
    labels = _texts("label", label, may_be_absent=False)
    answers = _texts("predicted", predicted, may_be_absent=True)
    right = [truth == answer for truth, answer in zip(labels, answers, strict=True)]
    return np.column_stack([right, [answer != "" for answer in answers], np.ones(len(labels))])


def _micro_precision(sums: Array) -> Array:
    return _zero_over_zero(sums[..., 0], sums[..., 1])


def _micro_recall(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 2])


def _micro_f1(sums: Array) -> Array:
    return np.asarray(2 * sums[..., 0] / (sums[..., 1] + sums[..., 2]))


accuracy = mean_metric(
    lambda label, predicted: _micro_statistics(label, predicted)[:, 0],
    name="accuracy",
    summary="share of texts given to their author",
    columns=("label", "predicted"),
    cite="Sebastiani, ACM Computing Surveys 2002",
    nan="refused: labels are texts",
    unanswered="wrong",
)
_declare: Callable[..., Metric] = partial(
    Metric,
    columns=("label", "predicted"),
    cite="Sebastiani, ACM Computing Surveys 2002",
    nan="refused: labels are texts",
)
micro_precision = _declare(
    name="micro_precision",
    summary="right answers over answered texts",
    statistics=_micro_statistics,
    aggregate=_micro_precision,
    unanswered="left out; 0 where nothing is answered",
)
micro_recall = _declare(
    name="micro_recall",
    summary="right answers over all texts",
    statistics=_micro_statistics,
    aggregate=_micro_recall,
    unanswered="wrong",
)
micro_f1 = _declare(
    name="micro_f1",
    summary="harmonic mean of micro precision and micro recall",
    statistics=_micro_statistics,
    aggregate=_micro_f1,
    unanswered="costs recall, not precision",
)
_ARGAMON = "Argamon, Šarić & Stein, KDD 2003"


def _of_authors(
    name: str, summary: str, value: Callable[[_Counts], Floats], over: Callable[..., Array], **more: Any
) -> Metric:
    weighted = partial(_over_authors, value=value, summary=over)
    unanswered = "counts against its author's recall, against nobody's precision"
    settings = {"single_class": "the one author's value", "unanswered": unanswered, **more}
    return _declare(name=name, summary=summary, weighted=weighted, **settings)


macro_precision = _of_authors("macro_precision", "mean over authors of precision", _Counts.precision, _mean)
macro_recall = _of_authors("macro_recall", "mean over authors of recall", _Counts.recall, _mean)
macro_f1 = _of_authors("macro_f1", "mean over authors of F1", _Counts.f1, _mean)
min_f1 = _of_authors("min_f1", "F1 of the author with the least", _Counts.f1, _least, cite=_ARGAMON)
max_f1 = _of_authors("max_f1", "F1 of the author with the greatest", _Counts.f1, _greatest, cite=_ARGAMON)
_over_spread: dict[str, Any] = {
    "cite": _ARGAMON,
    "direction": "min",
    "parameters": {"ddof": Parameter(type=int, default=0, choices=(0, 1), doc="1 for the sample's deviation")},
    "single_class": "0; undefined with ddof=1, as one author has no spread",
    "undefined": "with ddof=1 there must be two authors",
}
std_f1 = _of_authors("std_f1", "standard deviation over authors of F1", _Counts.f1, _spread, **_over_spread)
std_precision = _of_authors(
    "std_precision", "standard deviation over authors of precision", _Counts.precision, _spread, **_over_spread
)


def _with_unknown(coded: _Coded, weights: Array) -> _Counts:
    """Counts after PAN 2018's rule: an answer that is no label of the problem's truth says `<UNK>`."""
    counts = _count(coded, weights)
    named = np.array([label != UNKNOWN for label in coded.labels])
    problems = int(coded.problem.max()) + 1
    of_unknown = ~named[coded.truth]
    # Labels that a resample lacks are no labels of its truth, so the sums are over those it has.
    missed = grouped_sums(weights, coded.said, len(named), of_unknown) * (counts.true > 0)
    elsewhere = np.where(named & (counts.true > 0), counts.said, 0.0)
    by_problem = partial(grouped_sums, groups=coded.class_problem, size=problems)
    said = grouped_sums(weights, coded.problem, problems) - by_problem(elsewhere)
    hits = by_problem(np.where(named, 0.0, counts.true)) - by_problem(np.where(named, missed, 0.0))
    return _Counts(
        hits=np.where(named, counts.hits, hits[:, coded.class_problem]),
        true=counts.true,
        said=np.where(named, counts.said, said[:, coded.class_problem]),
    )


def _problem_means(coded: _Coded, values: Floats, present: Array) -> Floats:
    """For each row of weights and each problem, the mean over its present classes; NaN where there are none."""
    problems = int(coded.problem.max()) + 1
    by_problem = partial(grouped_sums, groups=coded.class_problem, size=problems)
    size = by_problem(present.astype(np.float64))
    sums = by_problem(np.where(present, values, 0.0))
    return np.divide(sums, size, out=np.full_like(sums, np.nan), where=size > 0)


def _over_problems(coded: _Coded, values: Floats, weights: Array) -> Array:
    """Mean over the problems that were drawn; undefined where one of them is."""
    drawn = grouped_sums(weights, coded.problem, values.shape[1]) > 0
    return np.asarray(np.where(drawn, values, 0.0).sum(axis=1) / drawn.sum(axis=1))


def _macro_2018(
    label: Array, predicted: Array, problem: Array, *, weights: Array, value: Callable[[_Counts], Floats]
) -> Array:
    coded = _code(label, predicted, problem)
    counts = _with_unknown(coded, weights)
    return _over_problems(coded, _problem_means(coded, value(counts), counts.true > 0), weights)


def _accuracy_2018(label: Array, predicted: Array, problem: Array, *, weights: Array) -> Array:
    coded = _code(label, predicted, problem)
    problems = int(coded.problem.max()) + 1
    hits = grouped_sums(_with_unknown(coded, weights).hits, coded.class_problem, problems)
    return _over_problems(coded, _zero_over_zero(hits, grouped_sums(weights, coded.problem, problems)), weights)


def _macro_2019(
    label: Array, predicted: Array, problem: Array, *, weights: Array, value: Callable[[_Counts], Floats], rounded: bool
) -> Array:
    coded = _code(label, predicted, problem)
    counts = _count(coded, weights)
    candidates = np.array([name != UNKNOWN for name in coded.labels])
    means = _problem_means(coded, value(counts), (counts.true > 0) & candidates)
    return _over_problems(coded, np.round(means, 3) if rounded else means, weights)


def _macro_f1_2015(label: Array, predicted: Array, problem: Array, *, weights: Array) -> Array:
    coded = _code(label, predicted, problem)
    counts = _with_unknown(coded, weights)
    precision, recall = (_problem_means(coded, part, counts.true > 0) for part in (counts.precision(), counts.recall()))
    harmonic = np.where(np.isnan(precision), np.nan, _zero_over_zero(2 * precision * recall, precision + recall))
    return _over_problems(coded, harmonic, weights)


_pan: Callable[..., Metric] = partial(
    Metric,
    columns=("label", "predicted", "problem"),
    nan="refused: labels are texts",
    single_class="the one label's value",
    unanswered="the answer <UNK>: right where the truth is <UNK>, wrong elsewhere",
)


def _pan_2018(name: str, what: str, value: Callable[[_Counts], Floats]) -> Metric:
    summary = f"mean over problems of macro {what}, <UNK> being a label where the truth has it"
    return _pan(name=name, summary=summary, cite=_PAN18, weighted=partial(_macro_2018, value=value))


def _pan_2019(name: str, what: str, value: Callable[[_Counts], Floats]) -> Metric:
    return _pan(
        name=name,
        summary=f"mean over problems of macro {what} over the candidates, <UNK> not being one",
        cite=_PAN19,
        weighted=partial(_macro_2019, value=value),
        parameters={"rounded": Parameter(type=bool, default=True, doc="round each problem to 3 digits, as PAN does")},
        unanswered="no candidate: costs its author's recall, nothing where the truth is <UNK>",
        undefined="a problem has no text by a candidate",
    )


macro_f1_2015 = _pan(
    name="macro_f1_2015",
    summary="mean over problems of the harmonic mean of macro precision and macro recall",
    cite=_PAN15,
    weighted=_macro_f1_2015,
)
macro_f1_2018 = _pan_2018("macro_f1_2018", "F1", _Counts.f1)
macro_precision_2018 = _pan_2018("macro_precision_2018", "precision", _Counts.precision)
macro_recall_2018 = _pan_2018("macro_recall_2018", "recall", _Counts.recall)
accuracy_2018 = _pan(
    name="accuracy_2018",
    summary="mean over problems of accuracy, an answer outside the truth's labels saying <UNK>",
    cite=_PAN18,
    weighted=_accuracy_2018,
)
macro_f1_2019 = _pan_2019("macro_f1_2019", "F1", _Counts.f1)
macro_precision_2019 = _pan_2019("macro_precision_2019", "precision", _Counts.precision)
macro_recall_2019 = _pan_2019("macro_recall_2019", "recall", _Counts.recall)
