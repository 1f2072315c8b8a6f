"""What holds of every author verification system, found by the registry and not by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import NeedsTrainingError
from harness.records import SystemCall
from harness.registry import list_systems, make_system
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth

pytestmark = pytest.mark.filterwarnings("error")
NAMES = [info.name for info in list_systems("verification")]
Split = tuple[list[Problem], list[Truth]]
MakeProblem = Callable[[str, list[str], str], Problem]


def make(name: str) -> System[Any, Any, Any]:
    return make_system(SystemCall(task="verification", name=name, parameters={}))


def fitted(name: str, split: Split, seed: int = 7) -> System[Any, Any, Any]:
    system = make(name)
    system.fit(*split, seed=seed)
    return system


def check(answers: Any, problems: list[Problem]) -> None:
    assert set(answers) == {problem.id for problem in problems}
    for answer in answers.values():
        assert isinstance(answer, Answer)
        assert type(answer.value) is float
        assert 0 <= answer.value <= 1  # NaN fails this too


@pytest.fixture(scope="module")
def odd_problems(make_problem: MakeProblem) -> list[Problem]:
    text = "Yes, this , is: a text! It (really) has\n\nseveral sentences; it ends… here?"
    pairs = {
        "both_empty": ([""], ""),
        "empty_known": (["", ""], text),
        "empty_questioned": ([text], ""),
        "one_word": (["word"], "word"),
        "one_letter": (["a"], "b"),
        "white": (["   \n"], "\t"),
        "identical": ([text, text], text),
        "long_and_short": ([text * 50], "So."),
        "other_scripts": (["Ο λόγος· τί;", "这是一个句子。"], "\U0001f600 \ud800 мир, мир"),
        "commas": ([",,,,"], " , , "),
    }
    return [make_problem(name, known, questioned) for name, (known, questioned) in pairs.items()]


def test_the_registry_finds_the_systems() -> None:
    assert len(NAMES) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_listed_with_a_summary(name: str) -> None:
    (info,) = [info for info in list_systems("verification") if info.name == name]
    assert info.summary.endswith((".", "?"))
    assert len(info.summary) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_answers_every_problem(name: str, train: Split, test: Split) -> None:
    check(fitted(name, train).answer(test[0]), test[0])


@pytest.mark.parametrize("name", NAMES)
def test_no_problems_no_answers(name: str, train: Split) -> None:
    assert dict(fitted(name, train).answer([])) == {}


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_answers(name: str, train: Split, test: Split) -> None:
    assert fitted(name, train).answer(test[0]) == fitted(name, train).answer(test[0])


@pytest.mark.parametrize("name", NAMES)
def test_fitting_again_forgets(name: str, train: Split, test: Split) -> None:
    system = fitted(name, (test[0], test[1]), seed=1)
    system.fit(*train, seed=7)
    assert system.answer(test[0]) == fitted(name, train).answer(test[0])


@pytest.mark.parametrize("name", NAMES)
def test_order_does_not_matter(name: str, train: Split, test: Split) -> None:
    shuffled = random.Random(3).sample(test[0], len(test[0]))
    system = fitted(name, train)
    assert system.answer(shuffled) == system.answer(test[0])


@pytest.mark.parametrize("name", NAMES)
def test_other_problems_do_not_matter(name: str, train: Split, test: Split) -> None:
    system = fitted(name, train)
    together = system.answer(test[0])
    for problem in test[0][:5]:
        assert system.answer([problem])[problem.id].value == pytest.approx(together[problem.id].value, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_in_test(name: str, train: Split, odd_problems: list[Problem]) -> None:
    check(fitted(name, train).answer(odd_problems), odd_problems)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_in_training(name: str, odd_problems: list[Problem]) -> None:
    truths = [Truth(same=number % 2 == 0) for number in range(len(odd_problems))]
    check(fitted(name, (odd_problems, truths)).answer(odd_problems), odd_problems)


@pytest.mark.parametrize("text", ["", "word"])
@pytest.mark.parametrize("name", NAMES)
def test_one_text_everywhere(name: str, text: str, make_problem: MakeProblem) -> None:
    problems = [make_problem(f"P{number}", [text], text) for number in range(4)]
    truths = [Truth(same=number % 2 == 0) for number in range(4)]
    check(fitted(name, (problems, truths)).answer(problems), problems)


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_one_class_in_training(name: str, same: bool, train: Split, test: Split) -> None:
    answers = fitted(name, (train[0], [Truth(same=same)] * len(train[0]))).answer(test[0])
    check(answers, test[0])
    if name != "random":
        right = sum((answer.value > 0.5) == same for answer in answers.values())
        assert right >= 0.9 * len(answers)


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_a_single_training_problem(name: str, same: bool, train: Split, test: Split) -> None:
    check(fitted(name, (train[0][:1], [Truth(same=same)])).answer(test[0]), test[0])


@pytest.mark.parametrize("name", NAMES)
def test_without_training_it_answers_or_says_so(name: str, test: Split) -> None:
    system = make(name)
    try:
        system.fit([], [], seed=7)
    except NeedsTrainingError:
        with pytest.raises(NeedsTrainingError):
            make(name).answer(test[0])
    else:
        check(system.answer(test[0]), test[0])
