"""Multiclass exponentiated gradient (balanced Winnow): the updates of Argamon, Šarić & Stein 2003, compiled by numba.

A model is two vectors of weights, P = w+ and N = |w-|, which start equal; its confidence in x is (P - N) . x.
Promote multiplies P by a factor above 1 wherever x is not 0, and divides N by it; Demote does the reverse. All
variants walk the examples one at a time, in a new random order each pass, and normalise after each pass.

Where the printed algorithm cannot be meant, the sound reading is implemented:

- The relation signs are lost. In the conservative updates ties update (>=): all confidences start at 0, and with a
  strict sign nothing would ever be learnt.
- Figure 1 divides w- by its own sum, which is negative, so that w- would turn positive; it is divided by the
  absolute value of the sum.
- The loops of Figure 3 change the models that they compare, so each comparison sees the updates before it. Scoring
  once and applying all updates together is another algorithm, and an unstable one.
- The threshold below which a weight becomes 0 is relative to the sum of its own vector, and is applied where the
  vector is normalised.
- RowVsRow starts all models of a row equal and always treats them alike, so they stay equal for ever: a row is n - 1
  copies of one model, and the update is OneVsAll's. One copy a row is kept (the tests compare it with all of them).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from systems.text.arrays import Floats, Ints

DROP = 1e-6
_MOST = 1e150
"""No weight grows beyond this within a pass: an infinite one could no longer be compared or demoted."""
Columns = NDArray[np.int32]
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _compiled(function: _Function) -> _Function:
    """Compile at first call and keep the result on disk, where some directory can be written."""
    try:
        return cast(_Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba's way to say that there is nowhere to keep it; then each process compiles anew
        return cast(_Function, numba.njit(nogil=True)(function))


@dataclass(frozen=True, slots=True)
class Models:
    """Weights after training, models x features, and how many updates each pass made."""

    weights: Floats
    updates: tuple[int, ...]

    def confidences(self, examples: sparse.csr_array) -> Floats:
        """Examples x models."""
        return np.asarray(examples @ self.weights.T)


def train_one_vs_all(
    examples: sparse.csr_array,
    labels: Ints,
    classes: int,
    *,
    conservative: bool,
    factors: Floats,
    passes: int,
    random: np.random.Generator,
) -> Models:
    """One model a class; `factors` is what a promotion multiplies by, for each stored entry of the examples."""
    run = _pass_one_vs_all if conservative else _pass_naive_one_vs_all
    return _train(run, classes, examples, labels, factors, passes, random)


def train_all_vs_all(
    examples: sparse.csr_array,
    labels: Ints,
    classes: int,
    *,
    conservative: bool,
    factors: Floats,
    passes: int,
    random: np.random.Generator,
) -> Models:
    """A model for each ordered pair of classes; "i over j" is number i * classes + j, those of i over i stay 0."""
    run = _pass_all_pairs if conservative else _pass_naive_all_vs_all
    return _train(run, classes**2, examples, labels, factors, passes, random)


def promotion_factors(values: Floats, *, beta: float, linear: bool) -> Floats:
    """1 + beta x, which the paper found somewhat better, or (1 + beta) ** x."""
    return np.asarray(1 + beta * values if linear else (1 + beta) ** values)


def _train(
    run: Callable[..., int],
    models: int,
    examples: sparse.csr_array,
    labels: Ints,
    factors: Floats,
    passes: int,
    random: np.random.Generator,
) -> Models:
    pairs = np.ones((models, examples.shape[1], 2))  # P and N side by side: they are always read together
    starts, columns = examples.indptr.astype(np.int64), examples.indices.astype(np.int32)
    rows = (starts, columns, examples.data, factors, 1 / factors)
    updates: list[int] = []
    for _ in range(passes):
        updates.append(int(run(pairs, *rows, labels, random.permutation(len(labels)))))
        normalise(pairs)
        if not updates[-1]:
            break  # normalising again changes nothing, so neither would any further pass
    return Models(weights=pairs[..., 0] - pairs[..., 1], updates=tuple(updates))


@_compiled
def normalise(pairs: Floats) -> None:
    """Weights below their vector's share `DROP` become 0, then each vector sums to 1."""
    for model in pairs:
        plus, minus = 0.0, 0.0
        for column in range(len(model)):
            plus += model[column, 0]
            minus += model[column, 1]
        kept_plus, kept_minus = 0.0, 0.0
        for column in range(len(model)):
            if model[column, 0] < DROP * plus:
                model[column, 0] = 0.0
            if model[column, 1] < DROP * minus:
                model[column, 1] = 0.0
            kept_plus += model[column, 0]
            kept_minus += model[column, 1]
        for column in range(len(model)):
            model[column, 0] /= kept_plus
            model[column, 1] /= kept_minus


@_compiled
def _confidence(model: Floats, columns: Columns, values: Floats) -> float:
    """Summed in the order of the features, without reassociation: ties must stay ties."""
    total = 0.0
    for place in range(len(columns)):
        column = columns[place]
        total += (model[column, 0] - model[column, 1]) * values[place]
    return total


@_compiled
def _promote(model: Floats, columns: Columns, up: Floats, down: Floats) -> None:
    """With `up` and `down` exchanged, Demote."""
    for place in range(len(columns)):
        column = columns[place]
        model[column, 0] = min(model[column, 0] * up[place], _MOST)
        model[column, 1] = min(model[column, 1] * down[place], _MOST)


@_compiled
def _pass_naive_one_vs_all(
    pairs: Floats, starts: Ints, columns: Columns, values: Floats, ups: Floats, downs: Floats, labels: Ints, order: Ints
) -> int:
    updates = 0
    for example in order:
        here = slice(starts[example], starts[example + 1])
        x, weights, up, down = columns[here], values[here], ups[here], downs[here]
        for i in range(len(pairs)):
            positive = _confidence(pairs[i], x, weights) > 0
            if i == labels[example] and not positive:
                _promote(pairs[i], x, up, down)
                updates += 1
            elif i != labels[example] and positive:
                _promote(pairs[i], x, down, up)
                updates += 1
    return updates


@_compiled
def _pass_one_vs_all(
    pairs: Floats, starts: Ints, columns: Columns, values: Floats, ups: Floats, downs: Floats, labels: Ints, order: Ints
) -> int:
    updates = 0
    for example in order:
        here = slice(starts[example], starts[example + 1])
        x, weights, up, down = columns[here], values[here], ups[here], downs[here]
        right = pairs[labels[example]]
        confidence = _confidence(right, x, weights)
        for i in range(len(pairs)):
            if i != labels[example] and _confidence(pairs[i], x, weights) >= confidence:
                _promote(pairs[i], x, down, up)
                _promote(right, x, up, down)
                confidence = _confidence(right, x, weights)
                updates += 2
    return updates


def _pass_naive_all_vs_all(pairs: Floats, *rows: Any) -> int:
    return int(_naive_pairs(pairs, _side_by_side(pairs), *rows))


def _pass_all_pairs(pairs: Floats, *rows: Any) -> int:
    return int(_all_pairs(pairs, _side_by_side(pairs), *rows))


def _side_by_side(pairs: Floats) -> Floats:
    """P - N as an example of class c reads it: features x c x ("c over j" for each j, then "i over c" for each i)."""
    classes = int(np.sqrt(len(pairs)))
    differences = (pairs[..., 0] - pairs[..., 1]).T.reshape(-1, classes, classes)
    return np.concatenate([differences, differences.transpose(0, 2, 1)], axis=2)


@_compiled
def _score_all(table: Floats, c: int, columns: Columns, values: Floats, scores: Floats) -> None:
    """Confidences of all models that an example of class c touches, each summed in the order of the features."""
    scores[:] = 0.0
    for place in range(len(columns)):
        line, value = table[columns[place], c], values[place]
        for number in range(len(scores)):
            scores[number] += line[number] * value


@_compiled
def _promote_copied(
    pairs: Floats, table: Floats, i: int, j: int, columns: Columns, values: Floats, up: Floats, down: Floats
) -> float:
    """Promote "i over j" and its two copies; returns its new confidence."""
    classes, total = table.shape[1], 0.0
    model = pairs[i * classes + j]
    for place in range(len(columns)):
        column = columns[place]
        plus, minus = min(model[column, 0] * up[place], _MOST), min(model[column, 1] * down[place], _MOST)
        model[column, 0], model[column, 1] = plus, minus
        table[column, i, j] = table[column, j, classes + i] = plus - minus
        total += (plus - minus) * values[place]
    return total


@_compiled
def _naive_pairs(
    pairs: Floats,
    table: Floats,
    starts: Ints,
    columns: Columns,
    values: Floats,
    ups: Floats,
    downs: Floats,
    labels: Ints,
    order: Ints,
) -> int:
    updates, classes = 0, table.shape[1]
    scores = np.zeros(2 * classes)
    for example in order:
        here = slice(starts[example], starts[example + 1])
        x, weights, up, down = columns[here], values[here], ups[here], downs[here]
        c = labels[example]
        _score_all(table, c, x, weights, scores)
        for i in range(classes):
            if i != c and scores[classes + i] > 0:
                _promote_copied(pairs, table, i, c, x, weights, down, up)
                updates += 1
            if i != c and scores[i] <= 0:
                _promote_copied(pairs, table, c, i, x, weights, up, down)
                updates += 1
    return updates


@_compiled
def _all_pairs(
    pairs: Floats,
    table: Floats,
    starts: Ints,
    columns: Columns,
    values: Floats,
    ups: Floats,
    downs: Floats,
    labels: Ints,
    order: Ints,
) -> int:
    updates, classes = 0, table.shape[1]
    scores = np.zeros(2 * classes)  # of "c over j", kept up to date, then of "i over c"
    for example in order:
        here = slice(starts[example], starts[example + 1])
        x, weights, up, down = columns[here], values[here], ups[here], downs[here]
        c = labels[example]
        _score_all(table, c, x, weights, scores)
        for i in range(classes):
            if i == c:
                continue
            wrong = scores[classes + i]  # no update of this example so far has touched "i over c"
            for j in range(classes):
                if j != c and wrong >= scores[j]:
                    wrong = _promote_copied(pairs, table, i, c, x, weights, down, up)
                    scores[j] = _promote_copied(pairs, table, c, j, x, weights, up, down)
                    updates += 2
    return updates
