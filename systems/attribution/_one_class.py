"""Semi-supervised anomaly detection (SSAD): the region of one author, by an exact convex program.

Görnitz, Kloft, Rieck & Brefeld 2013, as used by Nasir, Görnitz & Brefeld 2014. Unlabelled documents count as y = +1:

    primal  min  |w|²/2 - rho - kappa gamma + sum_i eta_i xi_i     s.t.  y_i <w, x_i> >= y_i rho + I_i gamma - xi_i
    dual    max  -1/2 sum_ij a_i a_j y_i y_j K_ij   s.t.  0 <= a_i <= eta_i, sum_i y_i a_i = 1, sum_i I_i a_i >= kappa

with I_i = 1 for labelled documents, gamma, xi >= 0. The printed Eq. 4 lacks the equality; stationarity in rho
requires it, and without it rho would be undefined. Here rho is minus the multiplier of the equality and gamma
that of the kappa row. Without labels (kappa = 0) this is the one-class SVM.

The program is solved on a working set that grows by whatever violates the optimality conditions, until nothing
does: few documents matter, so a thousand cost hardly more than a hundred, and a start near the solution saves most
of the rest. Each step is an interior-point solve by PIQP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.errors import InputError
from systems.text.arrays import Bools, Floats, Ints

_ACCURACY = 1e-10  # of PIQP, absolute and relative
_TOLERANCE = 1e-8  # how far an optimality condition may be missed, relative to the largest kernel value
_FIRST_SET = 200
_MOST_ADDED = 100  # the worst violators of a round: most of the others will not violate any more in the next
_NEAR = 1e-9  # what the interior-point method leaves between a variable and its bound
_SHRINKING_ROUNDS = 30  # after which the working set only grows, so that the end is certain
_MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The constraints of the dual, and its linear term: the minimum of a'Pa/2 + cost'a, P_ij = y_i y_j K_ij."""

    signs: Floats
    labelled: Floats
    bounds: Floats
    kappa: float = 0.0
    cost: Floats | None = None

    def __post_init__(self) -> None:
        if self.kappa > largest_kappa(self) + 1e-9:
            raise ValueError(
                f"kappa is {self.kappa:g}, but eta allows {largest_kappa(self):g} at most; lower kappa or raise eta"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A solved program: `weights` are y_i a_i, so that w = sum of weights times documents."""

    weights: Floats
    alphas: Floats
    rho: float
    gamma: float
    objective: float
    """The dual's value, which is the primal's."""


def largest_kappa(program: Program) -> float:
    """The greatest kappa for which the dual has a solution; minus infinity if it has none for any.

    Labelled others can take at most `most` of the mass, as what is on the author's side must exceed theirs by 1;
    the author's own labelled documents then take as much as they can of the rest.
    """
    own, unlabelled, others = _masses(program)
    most = min(others, own + unlabelled - 1)
    if most < -1e-12:
        return -np.inf
    return float(min(own, 1 + most) + most)


def _masses(program: Program) -> tuple[float, float, float]:
    """The sums of the bounds: the author's labelled documents, the unlabelled ones, others' labelled ones."""
    others = program.signs < 0
    labelled = program.labelled > 0
    return (
        float(program.bounds[labelled & ~others].sum()),
        float(program.bounds[~labelled].sum()),
        float(program.bounds[others].sum()),
    )


def solve(kernel: Floats, program: Program, *, start: Region | None = None) -> Region:
    """The optimum. `start` is a solution of the same constraints under another kernel."""
    alphas = start.alphas.copy() if start is not None else _feasible(program)
    cost = np.zeros(len(alphas)) if program.cost is None else program.cost
    tolerance = _TOLERANCE * max(float(np.abs(kernel.diagonal()).max(initial=0.0)), 1e-3)
    working = _first_set(program, alphas)
    for number in range(_MOST_ROUNDS):
        part = _solve_part(kernel, program, cost, alphas, np.flatnonzero(working))
        if part is None:  # what is held, rounded to its bound, leaves the others no solution: hold nothing
            if working.all():
                raise InputError("the one-class program could not be solved; choose a smaller kappa or other etas")
            working[:] = True
            continue
        alphas[working], equality, row = part
        weights = program.signs * alphas
        gradient = program.signs * _product(kernel, weights) + cost
        reduced = gradient + equality * program.signs - row * program.labelled
        excess = np.where(working, 0.0, _excess(reduced, program, alphas))
        violated = np.flatnonzero(excess > tolerance)
        if not len(violated):
            value = float(alphas @ (gradient + cost)) / 2
            return Region(weights=weights, alphas=alphas, rho=-equality, gamma=row, objective=-value)
        if number < _SHRINKING_ROUNDS:
            working &= ~_settle(alphas, reduced, program, tolerance)
        working[violated[np.argsort(-excess[violated], kind="stable")[:_MOST_ADDED]]] = True
    raise InputError("the one-class program did not converge; choose a smaller kappa or other etas")


def _product(kernel: Floats, weights: Floats) -> Floats:
    used = np.flatnonzero(weights)
    return np.asarray(kernel[:, used] @ weights[used] if 2 * len(used) < len(weights) else kernel @ weights)


def _excess(reduced: Floats, program: Program, alphas: Floats) -> Floats:
    """By how much each variable at a bound would help by moving away from it."""
    return np.where(alphas <= 0, -reduced, np.where(alphas >= program.bounds, reduced, 0.0))


def _settle(alphas: Floats, reduced: Floats, program: Program, tolerance: float) -> Bools:
    """Move what the interior-point method left just off a bound, and wants there, onto it; tell which are there."""
    low = (alphas <= _NEAR) & (reduced > tolerance)
    high = (alphas >= program.bounds - _NEAR) & (reduced < -tolerance)
    alphas[low] = 0.0
    alphas[high] = program.bounds[high]
    return np.asarray(low | high)


def _first_set(program: Program, alphas: Floats) -> Bools:
    """Everything if that is little; else what is not at a bound and the author's own documents."""
    if len(alphas) <= _FIRST_SET:
        return np.ones(len(alphas), dtype=bool)
    near_low, near_high = alphas <= _NEAR, alphas >= program.bounds - _NEAR
    alphas[near_low] = 0.0
    alphas[near_high] = program.bounds[near_high]
    own = (program.signs > 0) & (program.labelled > 0)
    return np.asarray(~(near_low | near_high) | own)


def _feasible(program: Program) -> Floats:
    """A point that keeps all constraints: unlabelled documents at their bounds, where most end, if possible."""
    own_most, unlabelled_most, others_most = _masses(program)
    unlabelled = min(unlabelled_most, 1.0)
    others = max(0.0, (program.kappa - 1 + unlabelled) / 2)
    own = 1 - unlabelled + others
    if own > own_most or others > others_most:
        others = max(0.0, (program.kappa - 1) / 2)
        if 1 + others > own_most:
            others = max(0.0, program.kappa - own_most)
        own = min(own_most, 1 + others)
        unlabelled = 1 + others - own
    negative, labelled = program.signs < 0, program.labelled > 0
    alphas = np.zeros(len(program.bounds))
    for group, mass in ((labelled & ~negative, own), (~labelled, unlabelled), (negative, others)):
        numbers = np.flatnonzero(group)
        before = np.concatenate([[0.0], np.cumsum(program.bounds[numbers])[:-1]])
        alphas[numbers] = np.clip(mass - before, 0.0, program.bounds[numbers])
    return alphas


def _solve_part(
    kernel: Floats, program: Program, cost: Floats, alphas: Floats, chosen: Ints
) -> tuple[Floats, float, float] | None:
    """Best values of the chosen variables, all others held; and the multipliers of equality and kappa row.

    Nothing if there is no solution.
    """
    import piqp

    held = np.ones(len(alphas), dtype=bool)
    held[chosen] = False
    fixed = np.flatnonzero(held & (alphas != 0))
    signs, labelled = program.signs, program.labelled
    quadratic = np.outer(signs[chosen], signs[chosen]) * kernel[np.ix_(chosen, chosen)]
    weights = signs[fixed] * alphas[fixed]
    linear = cost[chosen] + signs[chosen] * (kernel[np.ix_(chosen, fixed)] @ weights)
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = _ACCURACY
    solver.settings.eps_duality_gap_abs = solver.settings.eps_duality_gap_rel = _ACCURACY
    needs_row = program.kappa > 0
    solver.setup(
        np.asfortranarray(quadratic),
        linear,
        np.asfortranarray(signs[None, chosen]),
        np.array([1 - weights.sum()]),
        np.asfortranarray(labelled[None, chosen]) if needs_row else None,
        np.array([program.kappa - labelled[fixed] @ alphas[fixed]]) if needs_row else None,
        None,
        np.zeros(len(chosen)),
        program.bounds[chosen],
    )
    if solver.solve() != piqp.PIQP_SOLVED:
        return None
    result = solver.result
    values = np.clip(result.x, 0.0, program.bounds[chosen])
    return values, float(result.y[0]), float(result.z_l[0]) if needs_row else 0.0
