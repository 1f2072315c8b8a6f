"""The one-class program against an independent solver, its optimality conditions, and the systems built on it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, linprog, minimize

from harness.errors import InputError, NeedsTrainingError
from harness.records import Document
from harness.registry import make_system, parse_system
from harness.tasks.attribution import UNKNOWN, Problem, Truth
from systems.attribution._one_class import Program, Region, largest_kappa, solve
from systems.attribution._own_documents import own_program

Floats = NDArray[np.float64]
CALLS = ("mkl_ssad", "mkl_ssad(p=1)", "mkl_ssad(p=inf)", "ssad", "ssad(kernel=sum)", "svdd", "ocsvm")


def random_program(seed: int, size: int, share: float = 0.7) -> tuple[Floats, Program]:
    """Documents in a few dimensions, some labelled, with a feasible kappa."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(size, int(rng.integers(2, 6))))
    kernel = points @ points.T / size
    labelled = (rng.random(size) < share).astype(np.float64)
    signs = np.where((labelled > 0) & (rng.random(size) < 0.5), -1.0, 1.0)
    signs[0] = 1.0
    bounds = np.where(labelled > 0, rng.uniform(0.2, 2), rng.uniform(0.05, 1))
    bounds[0] = max(bounds[0], 1.1)
    free = Program(signs=signs, labelled=labelled, bounds=bounds)
    kappa = float(rng.uniform(0, 1)) * largest_kappa(free)
    return kernel, Program(signs=signs, labelled=labelled, bounds=bounds, kappa=kappa)


def by_slsqp(kernel: Floats, program: Program) -> float:
    """The dual's value from a general solver that knows nothing of working sets."""
    quadratic = np.outer(program.signs, program.signs) * kernel
    size = len(program.signs)
    constraints = [
        {"type": "eq", "fun": lambda a: program.signs @ a - 1, "jac": lambda a: program.signs},
        {"type": "ineq", "fun": lambda a: program.labelled @ a - program.kappa, "jac": lambda a: program.labelled},
    ]
    best = minimize(
        lambda a: a @ quadratic @ a / 2,
        np.full(size, 1 / size),
        jac=lambda a: quadratic @ a,
        bounds=list(zip(np.zeros(size), program.bounds, strict=True)),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    assert best.status in (0, 8), best.message  # 8: no further descent in floating point
    return -float(best.fun)


def residual(kernel: Floats, program: Program, region: Region) -> float:
    """How far stationarity, feasibility and complementary slackness are missed at worst."""
    alphas, signs, labelled = region.alphas, program.signs, program.labelled
    slope = signs * (kernel @ (signs * alphas)) - region.rho * signs - region.gamma * labelled
    moves = np.minimum(alphas, np.maximum(slope, 0)) + np.minimum(program.bounds - alphas, np.maximum(-slope, 0))
    margin = labelled @ alphas - program.kappa
    return max(
        float(moves.max()),
        abs(float(signs @ alphas) - 1),
        max(0.0, -float(margin)),
        max(0.0, -region.gamma),
        abs(region.gamma * float(margin)) if program.kappa > 0 else abs(region.gamma),
        float(np.maximum(-alphas, alphas - program.bounds).max()),
    )


def primal_value(kernel: Floats, program: Program, region: Region) -> float:
    values = kernel @ region.weights
    short = program.signs * region.rho + program.labelled * region.gamma - program.signs * values
    costs = program.bounds @ np.maximum(short, 0)
    return float(region.weights @ values / 2 - region.rho - program.kappa * region.gamma + costs)


@given(seed=st.integers(0, 10**6), size=st.integers(3, 24))
def test_the_optimum_is_that_of_an_independent_solver(seed: int, size: int) -> None:
    kernel, program = random_program(seed, size)
    region = solve(kernel, program)
    assert residual(kernel, program, region) < 1e-6
    assert region.objective == pytest.approx(by_slsqp(kernel, program), abs=1e-6)


@given(seed=st.integers(0, 10**6), size=st.integers(201, 500))
def test_a_growing_working_set_ends_at_the_optimum(seed: int, size: int) -> None:
    kernel, program = random_program(seed, size)
    region = solve(kernel, program)
    assert residual(kernel, program, region) < 1e-6
    assert primal_value(kernel, program, region) == pytest.approx(region.objective, abs=1e-6)


@given(seed=st.integers(0, 10**6), size=st.integers(201, 400))
def test_a_start_from_another_kernel_leads_to_the_same_optimum(seed: int, size: int) -> None:
    kernel, program = random_program(seed, size)
    other, _ = random_program(seed + 1, size)
    started = solve(kernel, program, start=solve(other, program))
    assert started.objective == pytest.approx(solve(kernel, program).objective, abs=1e-7)


@given(seed=st.integers(0, 10**6), size=st.integers(2, 12))
def test_the_largest_kappa_is_that_of_the_linear_program(seed: int, size: int) -> None:
    _, program = random_program(seed, size)
    best = linprog(
        -program.labelled,
        A_eq=program.signs[None, :],
        b_eq=[1.0],
        bounds=list(zip(np.zeros(size), program.bounds, strict=True)),
    )
    assert largest_kappa(program) == pytest.approx(-best.fun, abs=1e-9)


def test_a_kappa_that_no_solution_has_is_refused() -> None:
    with pytest.raises(ValueError, match="lower kappa or raise eta"):
        Program(signs=np.ones(2), labelled=np.ones(2), bounds=np.full(2, 0.4))


def test_without_labels_it_is_the_one_class_svm() -> None:
    from sklearn.svm import OneClassSVM

    points = np.random.default_rng(3).normal(size=(40, 3)) + 1
    kernel = points @ points.T
    region = solve(kernel, own_program(40, 0.3))
    other = OneClassSVM(kernel="precomputed", nu=0.3, tol=1e-10).fit(kernel)
    scale = 0.3 * 40  # libsvm's coefficients sum to nu n, ours to 1
    assert scale * (kernel @ region.weights - region.rho) == pytest.approx(other.decision_function(kernel), abs=1e-5)


def test_svdd_finds_the_smallest_ball() -> None:
    points = np.random.default_rng(4).normal(size=(15, 2))
    kernel = points @ points.T
    region = solve(kernel, own_program(15, 1e-3, cost=-kernel.diagonal() / 2))
    centre = region.weights @ points
    squared_radius = float(centre @ centre) - 2 * region.rho
    ball = minimize(
        lambda x: x[2],
        np.array([0.0, 0.0, 20.0]),
        constraints=[{"type": "ineq", "fun": lambda x: x[2] - ((points - x[:2]) ** 2).sum(axis=1)}],
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    assert ball.success
    assert squared_radius == pytest.approx(ball.x[2], abs=1e-6)
    assert centre == pytest.approx(ball.x[:2], abs=1e-4)


# --- the systems -----------------------------------------------------------------------------------------------------

SENTENCES = {
    "ann": "the cat and the dog ran under a quiet tree while upon whilst",
    "bob": "some markets fell today because banks said they would cut interest rates",
    "cyn": "we shall never again believe however that any of these poems matter",
}
WORDS = {author: sentence.split() for author, sentence in SENTENCES.items()}


def write(author: str, rng: random.Random, words: int = 120) -> str:
    others = [word for name, listed in WORDS.items() if name != author for word in listed]
    return " ".join(rng.choice(WORDS[author] if rng.random() < 0.6 else others) for _ in range(words)) + "."


def problems(texts: list[str], prefix: str) -> list[Problem]:
    return [Problem(id=f"{prefix}{i}", document=Document(id=f"{prefix}{i}", text=t)) for i, t in enumerate(texts)]


def train_and_test() -> tuple[list[Problem], list[Truth], list[Problem], list[str]]:
    rng = random.Random(1)
    authors = [author for author in WORDS for _ in range(6)]
    asked = [author for author in WORDS for _ in range(4)]
    train = problems([write(author, rng) for author in authors], "k")
    return train, [Truth(author=a) for a in authors], problems([write(a, rng) for a in asked], "q"), asked


def made(call: str) -> Any:
    return make_system(parse_system("attribution", call))


@pytest.fixture(autouse=True)
def own_cache(home: object) -> None:
    """Tags go to a folder of the test's own."""


@pytest.mark.parametrize("call", CALLS)
def test_every_system_tells_writers_apart_and_answers_alike_twice(call: str) -> None:
    train, truths, asked, authors = train_and_test()
    runs = []
    for _ in range(2):
        system = made(call)
        system.fit(train, truths, seed=0)
        runs.append(system.answer(asked))
    right = [runs[0][p.id].author == author for p, author in zip(asked, authors, strict=True)]
    assert np.mean(right) >= (0.9 if "ssad" in call else 0.75)
    assert runs[0] == runs[1]
    assert all(set(answer.scores) == set(WORDS) for answer in runs[0].values())


def test_raw_cosines_make_svdd_and_ocsvm_one_method() -> None:
    train, truths, asked, _ = train_and_test()
    answers = []
    for call in ("svdd(centred=false,nu=0.3)", "ocsvm(centred=false,nu=0.3)"):
        system = made(call)
        system.fit(train, truths, seed=0)
        answers.append(system.answer(asked))
    for problem in asked:
        one, other = (found[problem.id].scores for found in answers)
        assert one == pytest.approx(other, abs=1e-6)


def test_mixtures_are_kept_by_author() -> None:
    train, truths, asked, _ = train_and_test()
    system = made("mkl_ssad(p=2)")
    system.fit(train, truths, seed=0)
    system.answer(asked)
    assert set(system.mixtures) == set(WORDS)
    for weights in system.mixtures.values():
        assert list(weights) == ["function_words", "pos", "suffixes", "bow"]
        assert sum(value**2 for value in weights.values()) == pytest.approx(1)


@pytest.mark.parametrize("call", CALLS)
def test_without_training_there_is_a_clear_error(call: str) -> None:
    with pytest.raises(NeedsTrainingError, match="learns from training problems"):
        made(call).fit([], [], seed=0)
    with pytest.raises(NeedsTrainingError):
        made(call).answer(problems(["a text"], "q"))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "texts, authors",
    [
        (["one text of ann", "another text by bob", "a third by bob too"], ["ann", "bob", "bob"]),
        (["only ann", "ann writes again"], ["ann", "ann"]),
        (["a single text"], ["ann"]),
        (["", "words of bob", ""], ["ann", "bob", "bob"]),
        (["", ""], ["ann", "bob"]),
        (["same same"] * 6, ["ann", "bob"] * 3),
    ],
    ids=["one document", "one candidate", "one text", "empty texts", "nothing but empty texts", "identical texts"],
)
def test_strange_training_gets_an_answer(call: str, texts: list[str], authors: list[str]) -> None:
    system = made(call)
    system.fit(problems(texts, "k"), [Truth(author=author) for author in authors], seed=0)
    answers = system.answer(problems(["words of somebody", "", texts[0]], "q"))
    assert {answer.author for answer in answers.values()} <= set(authors)
    assert all(np.isfinite(list(answer.scores.values())).all() for answer in answers.values())
    assert system.answer([]) == {}


def test_an_open_set_leaves_strangers_out() -> None:
    train, truths, asked, _ = train_and_test()
    system = made("ssad(kernel=bow,open_set=true)")
    system.fit(train, truths, seed=0)
    stranger = problems(["zebra quartz fjord " * 40], "s")
    answers = system.answer([*asked, *stranger])
    assert answers["s0"].author == UNKNOWN
    assert any(answers[problem.id].author != UNKNOWN for problem in asked)


def test_sets_of_candidates_are_rounds_of_their_own() -> None:
    train, truths, asked, _ = train_and_test()
    moved = [Problem(id=f"x{p.id}", document=p.document, set="x") for p in train]
    system = made("ssad")
    system.fit([*train, *moved], [*truths, *(Truth(author=f"{t.author}2", set="x") for t in truths)], seed=0)
    answers = system.answer([*asked, Problem(id="other", document=asked[0].document, set="x")])
    assert answers["other"].author == f"{answers[asked[0].id].author}2"
    with pytest.raises(InputError, match="no training documents for the set"):
        system.answer([Problem(id="o", document=asked[0].document, set="y")])


@pytest.mark.parametrize(
    "call",
    ["ssad(kernel=letters)", "ssad(eta_l=0)", "ssad(kappa=-1)", "svdd(nu=0)", "ocsvm(nu=2)", "mkl_ssad(p=0.5)",
     "mkl_ssad(folds=1)", "mkl_ssad(tagger=nobody)", "ssad(eta_u=many)"],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(call: str) -> None:
    from harness.errors import UsageError

    with pytest.raises(UsageError):
        made(call)


def test_choice_of_settings_is_by_held_out_documents() -> None:
    from systems.attribution._regions import choose_settings, draw_folds

    labels = np.repeat([0, 1, 2], [7, 5, 1])
    folds = draw_folds(labels, 3, np.random.default_rng(0))
    assert (folds[:12] >= 0).all()
    assert folds[12] == -1
    assert all(np.ptp(np.bincount(folds[labels == author], minlength=3)) <= 1 for author in (0, 1))

    def score(kernels: Any, known: Any, good: bool) -> Floats:
        assert ((known == -1) <= (folds >= 0)).all()
        return np.eye(3)[labels if good else np.zeros_like(labels)]

    assert choose_settings(score, [], labels, [False, True], folds=3, seed=0)
    assert not choose_settings(score, [], np.arange(3), [False, True], folds=3, seed=0)


def test_linear_constraints_hold_to_the_last_digits() -> None:
    kernel, program = random_program(11, 300)
    region = solve(kernel, program)
    row = LinearConstraint(program.signs[None, :], 1.0, 1.0)
    assert np.abs(row.residual(region.alphas)).max() < 1e-8
