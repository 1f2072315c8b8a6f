"""Multiple kernel learning around the one-class program: K = sum_t theta_t K_t, theta >= 0, |theta|_p <= 1.

Nasir, Görnitz & Brefeld 2014, Algorithm 1: solve the one-class program under the present mixture, then move the
mixture by their Eq. 3,

    theta_t = |w_t|^(2/(p+1)) / (sum_s |w_s|^(2p/(p+1)))^(1/p),     |w_t|² = theta_t² b'K_t b,  b_i = y_i a_i,

the exact minimum of the primal over theta for fixed w_t, so that the objective falls in every round. (Step 2 of the
algorithm as printed, the minimum over theta of the dual function, is another update, undefined at p = 1, with the
same fixed point.) p = inf leaves every kernel its full weight, the plain sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.attribution._one_class import Program, Region, solve
from systems.text.arrays import Floats

_TINY = 1e-300  # so that a kernel without weight has a logarithm


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """A region, the mixture it lives in, and the objective after each round, which never rises."""

    region: Region
    theta: Floats
    objectives: tuple[float, ...]


def learn_mixture(
    kernels: Sequence[Floats], program: Program, *, p: float, gain: float = 1e-5, most_rounds: int = 500
) -> Mixed:
    """Alternate until a round lowers the objective by less than `gain`, relatively.

    With p near 1 the steps of Eq. 3 are many and small, so their direction is followed further, twice as far after each
    success; a step too far, one that does not lower the objective by `gain`, is taken back and Eq. 3 itself
    used in its place. Only such a plain step ends the search.
    """
    check_norm(p)
    theta = first_mixture(len(kernels), p)
    region = solve(mix(kernels, theta), program)
    objectives, stride = [region.objective], 1.0
    while len(kernels) > 1 and not math.isinf(p) and len(objectives) < most_rounds:
        ahead = _stretch(theta, next_mixture(theta, _quadratic(kernels, region), p), stride, p)
        found = solve(mix(kernels, ahead), program, start=region)
        gained = region.objective - found.objective > gain * abs(found.objective)
        if not gained and stride > 1:
            stride = 1.0
            continue
        if found.objective > region.objective:  # by rounding, at the optimum
            break
        theta, region = ahead, found
        objectives.append(region.objective)
        if not gained:
            break
        stride *= 2
    return Mixed(region=region, theta=theta, objectives=tuple(objectives))


def _stretch(theta: Floats, target: Floats, stride: float, p: float) -> Floats:
    """From one mixture towards another and beyond, by factors, so that no weight turns negative."""
    if stride <= 1:
        return target
    logarithms = np.log(np.maximum(theta, _TINY)) + stride * np.log(
        np.maximum(target, _TINY) / np.maximum(theta, _TINY)
    )
    stretched = np.where(target > 0, np.exp(logarithms - logarithms.max()), 0.0)
    return np.asarray(stretched / (stretched**p).sum() ** (1 / p))


def check_norm(p: float) -> None:
    """Refuse a p below 1, for which the program is not convex."""
    if not p >= 1:
        raise ValueError(f"p must be at least 1 (inf is the plain sum), not {p}")


def first_mixture(count: int, p: float) -> Floats:
    """All kernels alike, on the unit sphere of the p-norm."""
    return np.full(count, 1.0 if math.isinf(p) else float(count) ** (-1 / p))


def mix(kernels: Sequence[Floats], theta: Floats) -> Floats:
    """The weighted sum; a kernel without weight costs nothing."""
    total: Floats = np.zeros_like(kernels[0])
    for weight, kernel in zip(theta, kernels, strict=True):
        if weight > 0:
            total += weight * kernel
    return total


def next_mixture(theta: Floats, quadratic: Floats, p: float) -> Floats:
    """Eq. 3 from b'K_t b; where all w_t are 0 every mixture is as good, and the present one stays."""
    norms = theta * np.sqrt(np.maximum(quadratic, 0.0))
    largest = norms.max()
    if largest <= 0:
        return theta
    powers = (norms / largest) ** (2 / (p + 1))  # scaled first: the scale cancels, and cannot overflow
    return np.asarray(powers / (powers**p).sum() ** (1 / p))


def _quadratic(kernels: Sequence[Floats], region: Region) -> Floats:
    return np.array([region.weights @ (kernel @ region.weights) for kernel in kernels])
