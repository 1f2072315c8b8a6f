"""The mixture of kernels: Eq. 3, an objective that never rises, and the optimum of an independent solver."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from systems.attribution._mixture import first_mixture, learn_mixture, mix, next_mixture
from systems.attribution._one_class import Program, largest_kappa, solve

Floats = NDArray[np.float64]
NORMS = (1.0, 1.05, 1.7783, 2.0, 3.1623, 10.0)


def random_problem(seed: int, size: int, count: int) -> tuple[list[Floats], Program]:
    rng = np.random.default_rng(seed)
    own = np.arange(size) < size // 3
    labelled = (rng.random(size) < 0.8).astype(np.float64)
    labelled[0] = 1.0
    signs = np.where(own | (labelled == 0), 1.0, -1.0)
    kernels = []
    for _ in range(count):
        points = rng.normal(size=(size, 4)) + rng.uniform(0, 2) * own[:, None]
        kernels.append(points @ points.T * rng.uniform(0.3, 2))
    bounds = np.where(labelled > 0, 1.2, 0.1)
    free = Program(signs=signs, labelled=labelled, bounds=bounds)
    return kernels, Program(signs=signs, labelled=labelled, bounds=bounds, kappa=0.5 * largest_kappa(free))


def norm(values: Floats, p: float) -> float:
    return float((values**p).sum() ** (1 / p))


def best_value(kernels: list[Floats], program: Program, p: float) -> float:
    """The saddle value by a general solver: eliminating theta leaves -1/2 of the dual norm of (b'K_t b)_t."""
    dual = math.inf if p == 1 else p / (p - 1)
    size, count = len(program.signs), len(kernels)
    signed = [np.outer(program.signs, program.signs) * kernel for kernel in kernels]

    flat = math.isinf(dual)  # at p = 1 the norm is a maximum: one height above all kernels keeps the goal smooth
    heights_wanted = 1 if flat else count

    def goal(x: Floats) -> float:
        return float(x[size] if flat else norm(np.maximum(x[size:], 0), dual)) / 2

    def room(x: Floats) -> Floats:
        heights = np.broadcast_to(x[size:], count)
        return np.array([height - x[:size] @ matrix @ x[:size] for height, matrix in zip(heights, signed, strict=True)])

    start = solve(mix(kernels, np.ones(len(kernels))), program).alphas
    heights = np.array([start @ matrix @ start for matrix in signed]) + 0.1
    first = np.concatenate([start, [heights.max()] if flat else heights])
    found = minimize(
        goal,
        first,
        bounds=[*zip(np.zeros(size), program.bounds, strict=True), *[(1e-9, None)] * heights_wanted],
        constraints=[
            {"type": "eq", "fun": lambda x: program.signs @ x[:size] - 1},
            {"type": "ineq", "fun": lambda x: program.labelled @ x[:size] - program.kappa},
            {"type": "ineq", "fun": room},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    assert found.status in (0, 8), found.message  # 8: no further descent in floating point
    return -goal(found.x)


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_is_that_of_an_independent_solver(p: float, seed: int) -> None:
    kernels, program = random_problem(seed, 15, 3 + seed % 2)
    mixed = learn_mixture(kernels, program, p=p, gain=1e-10, most_rounds=5000)
    assert mixed.region.objective == pytest.approx(best_value(kernels, program, p), abs=1e-6)


@given(seed=st.integers(0, 10**6), size=st.integers(6, 40), p=st.sampled_from(NORMS))
def test_the_objective_never_rises_and_the_norm_is_kept(seed: int, size: int, p: float) -> None:
    kernels, program = random_problem(seed, size, 4)
    mixed = learn_mixture(kernels, program, p=p)
    assert all(later <= sooner for sooner, later in zip(mixed.objectives, mixed.objectives[1:], strict=False))
    assert (mixed.theta >= 0).all()
    assert norm(mixed.theta, p) == pytest.approx(1)
    assert solve(mix(kernels, mixed.theta), program).objective == pytest.approx(mixed.region.objective, abs=1e-8)


@given(seed=st.integers(0, 10**6), p=st.sampled_from(NORMS))
def test_a_step_of_eq_3_is_the_best_theta_for_the_present_w(seed: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    theta, quadratic = first_mixture(4, p), rng.uniform(0.01, 2, size=4)
    squared = theta**2 * quadratic  # |w_t|²
    step = next_mixture(theta, quadratic, p)
    literal = squared ** (1 / (p + 1)) / (squared ** (p / (p + 1))).sum() ** (1 / p)
    assert step == pytest.approx(literal)
    for _ in range(50):
        other = rng.uniform(0.01, 1, size=4)
        assert (squared / step).sum() <= (squared / (other / norm(other, p))).sum() + 1e-9


def test_infinite_p_is_the_plain_sum() -> None:
    kernels, program = random_problem(5, 20, 4)
    mixed = learn_mixture(kernels, program, p=math.inf)
    assert mixed.theta.tolist() == [1.0] * 4
    assert mixed.region.objective == solve(sum(kernels[1:], kernels[0]), program).objective


def test_a_kernel_that_says_nothing_gets_nothing() -> None:
    kernels, program = random_problem(6, 20, 2)
    mixed = learn_mixture([*kernels, np.zeros((20, 20))], program, p=2.0)
    assert mixed.theta[2] == 0
    assert mixed.region.objective == pytest.approx(learn_mixture(kernels, program, p=2.0).region.objective, abs=1e-4)


def test_kernels_without_any_content_leave_the_mixture_as_it_was() -> None:
    _, program = random_problem(7, 10, 1)
    mixed = learn_mixture([np.zeros((10, 10))] * 3, program, p=2.0)
    assert mixed.theta == pytest.approx(first_mixture(3, 2.0))


def test_p_below_one_is_refused() -> None:
    kernels, program = random_problem(8, 10, 2)
    with pytest.raises(ValueError, match="p must be at least 1"):
        learn_mixture(kernels, program, p=0.9)
