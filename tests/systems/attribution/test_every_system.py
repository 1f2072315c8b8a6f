"""What holds of every attribution system, found by the registry and not by name."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from harness.errors import NeedsTrainingError
from harness.records import Document, SystemCall
from harness.registry import list_systems, make_system
from harness.task import System
from harness.tasks.attribution import UNKNOWN, Answer, Problem, Truth

NAMES = [info.name for info in list_systems("attribution")]
Split = tuple[list[Problem], list[Truth]]
AUTHORS = ("ann", "bob", "cid")
VOCABULARY = """the of and to in a is that it was for on with as i but not he be by
    stone river paper window table garden letter winter market doctor"""


def make(name: str) -> System[Any, Any, Any]:
    return make_system(SystemCall(task="attribution", name=name, parameters={}))


def problem(identifier: str, text: str) -> Problem:
    return Problem(id=identifier, document=Document(id=f"d-{identifier}", text=text))


def split_of(texts: list[tuple[str, str]], prefix: str = "t") -> Split:
    """Problems and truths of (author, text)."""
    problems = [problem(f"{prefix}{number:03}", text) for number, (_, text) in enumerate(texts)]
    return problems, [Truth(author=author) for author, _ in texts]


def write(author: str, rng: random.Random, words: int = 120) -> str:
    """Words by habit: function words and others, sentences and lines of a length of one's own."""
    habits = random.Random(author)
    vocabulary = VOCABULARY.split()
    weights = [habits.random() ** 3 + 0.02 for _ in vocabulary]
    sentence, line = habits.randint(5, 14), habits.randint(6, 12)
    commas = habits.randint(3, 20)
    parts = []
    for place, word in enumerate(rng.choices(vocabulary, weights, k=words), start=1):
        mark = "." if place % sentence == 0 else "," if place % commas == 0 else ""
        written = word.capitalize() if place % sentence == 1 else word
        parts.append(written + mark + ("\n" if place % line == 0 else " "))
    return "".join(parts)


@cache
def synthetic(seed: int, each: int = 6) -> Split:
    rng = random.Random(seed)
    return split_of([(author, write(author, rng)) for author in AUTHORS for _ in range(each)], prefix=f"s{seed}-")


@cache
def fitted_once(name: str) -> System[Any, Any, Any]:
    return fitted(name, synthetic(1))


def fitted(name: str, split: Split, seed: int = 7) -> System[Any, Any, Any]:
    system = make(name)
    system.fit(*split, seed=seed)
    return system


def check(answers: Any, problems: list[Problem], authors: tuple[str, ...] = AUTHORS) -> None:
    assert set(answers) == {problem.id for problem in problems}
    for answer in answers.values():
        assert isinstance(answer, Answer)
        assert answer.author in {*authors, UNKNOWN}
        for author, score in (answer.scores or {}).items():
            assert author in authors
            assert type(score) is float
            assert math.isfinite(score)


@pytest.fixture(autouse=True, scope="module")
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What systems keep (tags of texts, say) goes where nobody else looks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BAKEOFF_HOME", str(tmp_path_factory.mktemp("home")))
        yield


ODD_TEXTS = {
    "empty": "",
    "white": " \n\t\n",
    "letter": "a",
    "word": "word",
    "commas": ",,,, , ,",
    "numbers": "1 2 3 4 5",
    "other_scripts": "Ο λόγος· τί; 这是一个句子。 \U0001f600 \ud800 мир, мир",
    "long": "The end of it, and that is all. " * 300,
}


def test_the_registry_finds_the_systems() -> None:
    assert len(NAMES) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_listed_with_a_summary(name: str) -> None:
    (info,) = [info for info in list_systems("attribution") if info.name == name]
    assert info.summary
    assert len(info.summary) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_answers_every_problem_and_knows_the_authors(name: str) -> None:
    problems, truths = synthetic(2)
    answers = fitted_once(name).answer(problems)
    check(answers, problems)
    right = sum(answers[p.id].author == t.author for p, t in zip(problems, truths, strict=True))
    chance = len(problems) / len(AUTHORS)
    assert right == chance if name == "majority" else right >= 2 * chance


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_answers(name: str) -> None:
    problems = synthetic(2)[0]
    assert fitted(name, synthetic(1)).answer(problems) == fitted_once(name).answer(problems)


@pytest.mark.parametrize("name", NAMES)
def test_fitting_again_forgets(name: str) -> None:
    problems = synthetic(2)[0]
    system = fitted(name, split_of([("dan", "Another text by another hand."), ("eve", "And one more, by her.")]))
    system.fit(*synthetic(1), seed=7)
    assert system.answer(problems) == fitted_once(name).answer(problems)


@pytest.mark.parametrize("name", NAMES)
def test_no_problems_no_answers(name: str) -> None:
    assert dict(fitted_once(name).answer([])) == {}


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_in_test(name: str) -> None:
    problems = [problem(kind, text) for kind, text in ODD_TEXTS.items()]
    check(fitted_once(name).answer(problems), problems)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_in_training(name: str) -> None:
    texts = [(AUTHORS[number % 3], text) for number, text in enumerate(ODD_TEXTS.values())]
    split = split_of(texts)
    check(fitted(name, split).answer(split[0]), split[0])


@pytest.mark.parametrize("name", NAMES)
def test_one_document_an_author(name: str) -> None:
    problems = synthetic(2)[0]
    check(fitted(name, synthetic(1, each=1)).answer(problems), problems)


@pytest.mark.parametrize("text", ["", "word", "The same text, of several words, by all of them."])
@pytest.mark.parametrize("name", NAMES)
def test_identical_documents(name: str, text: str) -> None:
    split = split_of([(author, text) for author in AUTHORS for _ in range(3)])
    check(fitted(name, split).answer(split[0]), split[0])


@pytest.mark.parametrize("name", NAMES)
def test_a_single_candidate(name: str) -> None:
    """Closed or open: the candidate, or nobody."""
    problems, truths = synthetic(1)
    problems, truths = problems[:6], truths[:6]
    answers = fitted(name, (problems, truths)).answer(synthetic(2)[0])
    check(answers, synthetic(2)[0], authors=("ann",))
    own = [answers[p.id].author for p in synthetic(2)[0][:6]]
    assert own.count("ann") >= 3


@pytest.mark.parametrize("name", NAMES)
def test_without_training_it_says_so_or_answers(name: str) -> None:
    problems = synthetic(2)[0]
    try:
        system = fitted(name, ([], []))
    except NeedsTrainingError:
        with pytest.raises(NeedsTrainingError):
            make(name).answer(problems)
    else:
        check(system.answer(problems), problems, authors=())


@pytest.mark.parametrize("name", NAMES)
def test_texts_by_nobody_are_no_candidate(name: str) -> None:
    """`<UNK>` in the training truths is not an author whose texts could be learnt."""
    problems, truths = synthetic(1)
    rng = random.Random(9)
    strangers = split_of([(UNKNOWN, write("dan", rng)) for _ in range(2)], prefix="u")
    answers = fitted(name, (problems + strangers[0], truths + strangers[1])).answer(synthetic(2)[0])
    check(answers, synthetic(2)[0])
    assert all(UNKNOWN not in (answer.scores or {}) for answer in answers.values())
