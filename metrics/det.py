"""DET curves: miss against false-alarm probability over every threshold, on normal-deviate axes.

A system accepts a pair when its score is above the threshold. A threshold is one of the scores, or minus infinity,
which accepts every pair; the greatest score rejects every pair. Both ends belong to the curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics.metric import Array, Floats, MetricError, UndefinedMetricError, as_column, grouped_sums

_EPSILON = 2.2204e-16
_CENTRE = 0.42
# Ten decimals of each coefficient, as NIST's programs have them.
_A = (2.5066282388, -18.6150006252, 41.3911977353, -25.4410604963)
_B = (1.0, -8.4735109309, 23.0833674374, -21.0622410182, 3.1308290983)
_C = (-2.7871893113, -2.2979647913, 4.8501412713, 2.3212127685)
_D = (1.0, 3.5438892476, 1.6370678189)


def normal_deviate(probability: npt.ArrayLike) -> Floats:
    """The normal deviate of a probability as NIST draws it: Beasley & Springer's algorithm AS 111.

    Probabilities are held 2.2204e-16 from 0 and 1, so the ends are finite.
    """
    p = np.asarray(probability, dtype=np.float64)
    p = np.where(p >= 1.0, 1.0 - _EPSILON, np.where(p <= 0.0, _EPSILON, p))
    q = p - 0.5
    square = q * q
    centre = q * _polynomial(_A, square) / _polynomial(_B, square)
    root = np.sqrt(-np.log(np.where(q > 0, 1.0 - p, p)))
    tail = _polynomial(_C, root) / _polynomial(_D, root)
    return np.where(np.abs(q) <= _CENTRE, centre, np.where(q < 0, -tail, tail))


def _polynomial(coefficients: tuple[float, ...], x: Floats) -> Floats:
    value = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPoint:
    """A point of a curve with its detection cost; pairs with a score above `threshold` are accepted."""

    threshold: float
    p_miss: float
    p_fa: float
    cost: float
    norm_cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DetCurve:
    """Error rates at every distinct threshold, from accepting all pairs to rejecting all."""

    thresholds: Floats
    p_miss: Floats
    p_fa: Floats

    def deviates(self) -> tuple[Floats, Floats]:
        """Normal deviates of P_fa and P_miss: the coordinates of the plot."""
        return normal_deviate(self.p_fa), normal_deviate(self.p_miss)

    def minimum(self, *, c_miss: float = 1.0, c_fa: float = 0.1, p_target: float = 0.02) -> CostPoint:
        """The point of least cost; of equal ones that with the lowest threshold."""
        costs = detection_cost(self.p_miss, self.p_fa, c_miss=c_miss, c_fa=c_fa, p_target=p_target)
        best = int(np.argmin(costs))
        return CostPoint(
            threshold=float(self.thresholds[best]),
            p_miss=float(self.p_miss[best]),
            p_fa=float(self.p_fa[best]),
            cost=float(costs[best]),
            norm_cost=float(costs[best] / cost_norm(c_miss=c_miss, c_fa=c_fa, p_target=p_target)),
        )

    def corners(self) -> DetCurve:
        """The curve without points on straight runs: it draws the same with far fewer points."""
        kept = np.ones(len(self.thresholds), dtype=bool)
        straight = [(rate[1:-1] == rate[:-2]) & (rate[1:-1] == rate[2:]) for rate in (self.p_miss, self.p_fa)]
        kept[1:-1] = ~(straight[0] | straight[1])
        return DetCurve(thresholds=self.thresholds[kept], p_miss=self.p_miss[kept], p_fa=self.p_fa[kept])


def detection_cost(p_miss: Array, p_fa: Array, *, c_miss: float, c_fa: float, p_target: float) -> Floats:
    """Expected cost of a decision at these error rates."""
    return np.asarray(c_miss * p_miss * p_target + c_fa * p_fa * (1 - p_target))


def cost_norm(*, c_miss: float, c_fa: float, p_target: float) -> float:
    """The cost of the better of the two systems that look at nothing; 0 is refused."""
    norm = min(c_miss * p_target, c_fa * (1 - p_target))
    if not norm > 0 or not 0 < p_target < 1:
        raise MetricError(
            f"costs must be above 0 and p_target between 0 and 1, without the ends; "
            f"not c_miss={c_miss}, c_fa={c_fa}, p_target={p_target}"
        )
    return norm


def det_curve(target: npt.ArrayLike, score: npt.ArrayLike, block: npt.ArrayLike | None = None) -> DetCurve:
    """The DET curve of scored pairs; with `block` both rates are means over the blocks that have them."""
    targets, scores = booleans("target", as_column(target)), numbers("score", as_column(score))
    blocks = None if block is None else as_column(block)
    if len({len(column) for column in (targets, scores, blocks) if column is not None}) > 1:
        raise MetricError("det_curve: the columns differ in length")
    if not targets.any() or targets.all():
        raise UndefinedMetricError("a DET curve needs targets and non-targets")
    thresholds, p_miss, p_fa = error_rates(targets, scores, blocks=blocks)
    return DetCurve(thresholds=thresholds, p_miss=p_miss[0], p_fa=p_fa[0])


def booleans(name: str, column: Array) -> Array:
    """A column of yes and no, or an error that names the row."""
    if column.dtype == bool:
        return column
    wrong = (
        [value not in (0, 1) for value in column.tolist()] if column.dtype == object else (column * column != column)
    )
    rows = np.flatnonzero(wrong)
    if len(rows):
        raise MetricError(f"{name} must be True or False, not {column[rows[0]]!r}, in row {rows[0]}")
    return column.astype(bool)


def numbers(name: str, column: Array) -> Array:
    """A column of numbers without NaN, or an error that names the row."""
    if column.dtype.kind not in "biuf":
        rows = [row for row, value in enumerate(column.tolist()) if not isinstance(value, int | float)]
        if rows:
            raise MetricError(f"{name} must be a number, not {column[rows[0]]!r}, in row {rows[0]}")
        column = column.astype(np.float64)
    if column.dtype.kind == "f" and np.isnan(column).any():
        raise MetricError(f"{name} has a NaN in row {int(np.argmax(np.isnan(column)))}; a NaN is not an answer")
    return column


def error_rates(
    target: Array, score: Array, *, weights: Array | None = None, blocks: Array | None = None
) -> tuple[Floats, Floats, Floats]:
    """Thresholds, and P_miss and P_fa at them with a row for each row of weights; NaN where a class is absent."""
    if weights is None and blocks is None:
        return _counted_rates(target, score)
    order, ends = rejection_order(score)
    thresholds = _after_first(-np.inf, score, order[ends])
    rows = np.ones((1, len(target))) if weights is None else weights
    if blocks is None:
        missed = rejected(np.where(target, rows, 0.0), order, ends)
        passed = rejected(np.where(target, 0.0, rows), order, ends)
        return thresholds, *_rates(missed, passed)
    p_miss = rejected(class_mass(target, rows, blocks), order, ends)
    p_miss[:, -1] += 1.0 - p_miss[:, -1]  # exactly 1, which a sum of parts may miss; NaN stays
    # From the top down, so that P_fa is exactly 0 where no non-target is left.
    p_fa = rejected(class_mass(~target, rows, blocks), order[::-1], _group_ends(score[order[::-1]]))[:, ::-1]
    p_fa[:, 0] += 1.0 - p_fa[:, 0]
    return thresholds, p_miss, p_fa


def _counted_rates(target: Array, score: Array) -> tuple[Floats, Floats, Floats]:
    """The rates of single pairs. Sorting each class and merging the two runs is faster than ordering all pairs."""
    runs = np.concatenate([np.sort(score[target]), np.sort(score[~target])])
    order = np.argsort(runs, kind="stable")  # two runs in order: this only merges them
    ordered = runs[order]
    del runs  # large arrays go as soon as they are used: ten million pairs are to fit in 1 GB
    ends = _group_ends(ordered)
    thresholds = _after_first(-np.inf, ordered, ends)
    del ordered
    is_target = order < np.count_nonzero(target)
    del order
    missed = _after_first(0.0, np.cumsum(is_target), ends)
    passed = _after_first(0.0, np.cumsum(~is_target), ends)
    del ends
    return thresholds, *_rates(missed[None, :], passed[None, :])


def _after_first(first: float, values: Array, places: Array) -> Floats:
    """The values at some places, with one more before them."""
    taken = np.empty(len(places) + 1)
    taken[0] = first
    taken[1:] = values[places]
    return taken


def _rates(missed: Array, passed: Array) -> tuple[Floats, Floats]:
    with np.errstate(invalid="ignore"):
        return missed / missed[:, -1:], (passed[:, -1:] - passed) / passed[:, -1:]


def rejection_order(score: Array) -> tuple[Array, Array]:
    """Rows from the lowest score up, and the last place of each group of equal scores."""
    order = np.argsort(score)
    return order, _group_ends(score[order])


def _group_ends(ordered: Array) -> Array:
    return np.flatnonzero(np.append(ordered[1:] != ordered[:-1], np.ones(min(len(ordered), 1), dtype=bool)))


def rejected(mass: Floats, order: Array, ends: Array) -> Floats:
    """Summed mass of the rejected pairs: before the first group, then after each."""
    sums = np.zeros((len(mass), len(ends) + 1))
    sums[:, 1:] = np.cumsum(mass[:, order], axis=1)[:, ends]
    return sums


def class_mass(members: Array, weights: Array, blocks: Array, *, counted: Array | None = None) -> Floats:
    """What each pair of a class adds to the topic-weighted rate: 1 / (pairs in its block * blocks).

    Blocks without a pair of the class are left out, as are those where `counted` (rows by blocks) is false; NaN
    where no block is left.
    """
    codes = np.unique(blocks, return_inverse=True)[1]
    sizes = grouped_sums(weights, np.where(members, codes, -1), int(codes.max()) + 1)
    present = (sizes > 0) if counted is None else (sizes > 0) & counted
    shares = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=present)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = shares / present.sum(axis=1, keepdims=True)
    return np.asarray(np.where(members, weights, 0.0) * shares[:, codes])
