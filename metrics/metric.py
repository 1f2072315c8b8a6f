"""What a metric is: a pure function of aligned columns, with all that must be known about it beside it.

Columns hold one row per problem. A metric comes in one of two forms, so that resampling re-aggregates
instead of re-scoring:

- **sums**: `statistics(*columns)` gives a row of numbers per problem and `aggregate(sums)` turns the
  column sums into the value (accuracy, F1, BLEU, detection cost, every mean);
- **weighted**: `weighted(*columns, weights=w)` computes the value for each row of problem weights, for
  what no sums can express (AUC, a minimum over thresholds).

Either way `resampled(columns, weights)` returns one value per row of weights; the plain value is the row of ones.
NaN inside an array of resampled values means "undefined for this resample"; a plain value is never NaN:
calling a metric where it has no value raises `UndefinedMetricError` with the reason.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from metrics.call import Call

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class MetricError(ValueError):
    """A metric cannot be computed as asked."""


class UndefinedMetricError(MetricError):
    """The metric has no value for these columns, as its declaration says."""


class MetricParameterError(MetricError):
    """A parameter that the metric does not have, or a value it does not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a metric: its type, default and, where the choice is closed, the values it takes."""

    type: type
    default: Any
    doc: str
    choices: tuple[Any, ...] = ()

    def check(self, metric: str, name: str, value: Any) -> Any:
        """Return the value in the declared type, or raise."""
        if self.type is float and type(value) is int:
            value = float(value)
        if not (type(value) is self.type or (value is None and self.default is None)):
            raise MetricParameterError(f"{metric}: {name} must be {self.type.__name__}, not {value!r}")
        if self.choices and value not in self.choices:
            known = ", ".join(map(str, self.choices))
            raise MetricParameterError(f"{metric}: {name} must be one of {known}, not {value!r}")
        return value


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A measure, declared once; see the module's text for the two forms."""

    name: str
    summary: str
    columns: tuple[str, ...]
    cite: str
    direction: Literal["max", "min"] = "max"
    bounds: tuple[float, float] = (0.0, 1.0)
    statistics: Callable[..., Array] | None = None
    aggregate: Callable[..., Array] | None = None
    weighted: Callable[..., Array] | None = None
    mean_of_problems: bool = False
    """The value is the mean of per-problem values: the first statistic, over a second that is 1."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    empty: str = "undefined: there is nothing to score"
    single_class: str = "no effect"
    nan: str = "refused: a NaN is not an answer"
    unanswered: str = "no effect"
    undefined: str = "no problem to score"

    def __post_init__(self) -> None:
        if (self.weighted is None) == (self.statistics is None or self.aggregate is None):
            raise MetricError(f"{self.name}: declare either statistics and aggregate, or weighted")
        unknown = sorted(set(self.settings) - set(self.parameters))
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise MetricParameterError(f"{self.name} has no parameter {unknown[0]!r}; it has: {known}")
        full = {name: parameter.default for name, parameter in self.parameters.items()} | dict(self.settings)
        checked = {name: self.parameters[name].check(self.name, name, value) for name, value in full.items()}
        object.__setattr__(self, "settings", checked)

    def __str__(self) -> str:
        """The canonical text: parameters that differ from their defaults, in call syntax."""
        changed = {k: v for k, v in self.settings.items() if v != self.parameters[k].default}
        return str(Call(self.name, changed))

    @property
    def signature(self) -> str:
        """Name and every parameter, defaults included, so that a printed number says how it was made."""
        return "|".join([self.name, *(f"{key}:{value}" for key, value in sorted(self.settings.items()))])

    def with_(self, **settings: Any) -> Metric:
        """The same metric with other parameters."""
        return replace(self, settings={**self.settings, **settings})

    def __call__(self, *columns: npt.ArrayLike) -> float:
        """The value for these columns, in the order of `columns`."""
        arrays = self.prepare(columns)
        value = float(self.resampled(arrays, None)[0])
        if np.isnan(value):
            raise UndefinedMetricError(f"{self} is undefined: {self.undefined}")
        return value

    def prepare(self, columns: Sequence[npt.ArrayLike]) -> tuple[Array, ...]:
        """Columns as arrays of one length without NaN, or an error that names the column."""
        if len(columns) != len(self.columns):
            raise MetricError(f"{self.name} takes {', '.join(self.columns)}; {len(columns)} columns were given")
        arrays = tuple(as_column(column) for column in columns)
        lengths = {len(array) for array in arrays}
        if len(lengths) > 1:
            raise MetricError(f"{self.name}: columns differ in length: {', '.join(map(str, sorted(lengths)))}")
        if lengths == {0}:
            raise UndefinedMetricError(f"{self} is undefined: {self.empty.removeprefix('undefined: ')}")
        for name, array in zip(self.columns, arrays, strict=True):
            if array.dtype.kind == "f" and np.isnan(array).any():
                row = int(np.flatnonzero(np.isnan(array))[0])
                raise MetricError(f"{self.name}: {name} has a NaN in row {row}; a NaN is not an answer")
        return arrays

    def resampled(self, columns: Sequence[Array], weights: Array | None) -> Floats:
        """One value per row of problem weights; `None` is one row of ones. NaN where undefined."""
        if self.weighted is not None:
            rows = np.ones((1, len(columns[0]))) if weights is None else weights
            return np.asarray(self.weighted(*columns, weights=rows, **self.settings), dtype=np.float64)
        statistics = self.row_statistics(columns)
        sums = statistics.sum(axis=0, keepdims=True) if weights is None else weights @ statistics
        return self.from_sums(sums)

    def row_statistics(self, columns: Sequence[Array]) -> Floats:
        """The statistics behind a metric of sums: a row per problem."""
        if self.statistics is None:
            raise MetricError(f"{self.name} is not a function of sums")
        return np.asarray(self.statistics(*columns, **self.settings), dtype=np.float64)

    def from_sums(self, sums: Floats) -> Floats:
        """Values from summed statistics, along the last axis."""
        if self.aggregate is None:
            raise MetricError(f"{self.name} is not a function of sums")
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.aggregate(sums, **self.settings), dtype=np.float64)

    def per_problem(self, columns: Sequence[Array]) -> Floats | None:
        """The value of each problem alone, where the metric is their mean; otherwise `None`."""
        if not self.mean_of_problems:
            return None
        statistics = self.row_statistics(columns)
        return np.asarray(statistics[:, 0], dtype=np.float64)


def as_column(values: npt.ArrayLike) -> Array:
    """An array with a row per problem; ragged rows and texts become objects."""
    if isinstance(values, np.ndarray):
        return values
    rows = list(values)  # type: ignore[arg-type]
    if rows and not isinstance(rows[0], bool | int | float | np.generic):
        column = np.empty(len(rows), dtype=object)
        for position, row in enumerate(rows):  # not column[:] = rows: that would unpack rows of equal length
            column[position] = row
        return column
    return np.asarray(rows)


def mean_statistics(values: Array) -> Array:
    """Statistics of a plain mean: each value beside a count of one."""
    return np.column_stack([values, np.ones(len(values))])


def ratio(sums: Array, **_: Any) -> Array:
    """First statistic over the second: the aggregate of a mean."""
    result: Array = sums[..., 0] / sums[..., 1]
    return result


def mean_metric(per_problem: Callable[..., Array], **declaration: Any) -> Metric:
    """A metric that is the mean of `per_problem(*columns)`."""

    def statistics(*columns: Array, **settings: Any) -> Array:
        return mean_statistics(per_problem(*columns, **settings))

    declaration.setdefault("columns", tuple(inspect.signature(per_problem).parameters))
    return Metric(statistics=statistics, aggregate=ratio, mean_of_problems=True, **declaration)


def grouped_sums(weights: Array, groups: Array, size: int, rows: Array | None = None) -> Floats:
    """Sums of each row of weights by group; group -1 and, where `rows` is given, other rows are left out."""
    kept = np.flatnonzero(groups != -1 if rows is None else (groups != -1) & rows)
    kept = kept[np.argsort(groups[kept], kind="stable")]
    sums = np.zeros((len(weights), size))
    if len(kept):
        present, starts = np.unique(groups[kept], return_index=True)
        sums[:, present] = np.add.reduceat(weights[:, kept], starts, axis=1)
    return sums
