"""Small problems by synthetic authors, each with words of their own liking."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from harness.records import Document
from harness.tasks.verification import Problem, Truth

Split = tuple[list[Problem], list[Truth]]


def problem(identifier: str, known: list[str], questioned: str) -> Problem:
    documents = tuple(Document(id=f"{identifier}/k{i}", text=text) for i, text in enumerate(known))
    return Problem(id=identifier, known=documents, questioned=Document(id=f"{identifier}/q", text=questioned))


class Author:
    """Draws words by habit, and puts a comma or a full stop after some."""

    def __init__(self, habits: random.Random) -> None:
        syllables = ["ta", "re", "mi", "lo", "su", "ne", "ka", "du", "vo", "shi", "ple", "gra"]
        shared = random.Random(0)
        self.words = ["".join(shared.choices(syllables, k=shared.randint(1, 3))) for _ in range(80)]
        self.weights = [habits.random() ** 4 for _ in self.words]
        self.comma, self.stop = habits.uniform(0.02, 0.2), habits.uniform(0.03, 0.15)

    def write(self, rng: random.Random, words: int) -> str:
        marks = [",", ".", ""]
        odds = [self.comma, self.stop, 1 - self.comma - self.stop]
        drawn = rng.choices(self.words, self.weights, k=words)
        return " ".join(word + rng.choices(marks, odds)[0] for word in drawn)


def synthetic(count: int, seed: int, *, authors: int = 2, words: int = 200) -> Split:
    """`count` problems, half of them by one author; one to three known texts."""
    people = [Author(random.Random(100 + number)) for number in range(authors)]
    rng = random.Random(seed)
    problems, truths = [], []
    for number in range(count):
        same = number % 2 == 0
        first, second = rng.sample(people, 2)
        known = [first.write(rng, words) for _ in range(rng.randint(1, 3))]
        questioned = (first if same else second).write(rng, words)
        problems.append(problem(f"P{seed}-{number:03}", known, questioned))
        truths.append(Truth(same=same))
    return problems, truths


@pytest.fixture(scope="session")
def make_problem() -> Callable[[str, list[str], str], Problem]:
    return problem


@pytest.fixture(scope="session")
def train() -> Split:
    return synthetic(40, seed=1)


@pytest.fixture(scope="session")
def test() -> Split:
    return synthetic(40, seed=2)
