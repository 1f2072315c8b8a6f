"""What is particular to the attribution baselines: hand-made cases, and scikit-learn as a second opinion."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from harness.errors import UsageError
from harness.records import Document, SystemCall
from harness.registry import make_system
from harness.task import System
from harness.tasks.attribution import UNKNOWN, Problem, Truth
from systems.attribution import _ngram_vectors
from systems.attribution.ngram_ensemble import best_threshold
from systems.text.ppm import build_model, cross_entropy

Split = tuple[list[Problem], list[Truth]]


def make(name: str, **parameters: Any) -> System[Any, Any, Any]:
    return make_system(SystemCall(task="attribution", name=name, parameters=parameters))


def split_of(*texts: tuple[str, str]) -> Split:
    problems = [Problem(id=f"p{i}", document=Document(id=f"d{i}", text=text)) for i, (_, text) in enumerate(texts)]
    return problems, [Truth(author=author) for author, _ in texts]


def fitted(name: str, *texts: tuple[str, str], **parameters: Any) -> System[Any, Any, Any]:
    system = make(name, **parameters)
    system.fit(*split_of(*texts), seed=3)
    return system


def scores(system: System[Any, Any, Any], *texts: str) -> list[dict[str, float]]:
    return [dict(answer.scores) for answer in system.answer(split_of(*(("", text) for text in texts))[0]).values()]


def authors(system: System[Any, Any, Any], *texts: str) -> list[str]:
    return [answer.author for answer in system.answer(split_of(*(("", text) for text in texts))[0]).values()]


def written(author: str, rng: random.Random, words: int = 60) -> str:
    habits = random.Random(author)
    vocabulary = ["".join(habits.choices("aeiostrnl", k=habits.randint(2, 6))) for _ in range(15)]
    shared = ["the", "of", "and", "to", "in", "a", "is", "that"]
    return " ".join(rng.choice(vocabulary) if rng.random() < 0.3 else rng.choice(shared) for _ in range(words))


def test_majority_counts_texts_and_breaks_ties_by_name() -> None:
    system = fitted("majority", ("zoe", "x"), ("zoe", "y"), ("amy", "z"))
    assert authors(system, "anything") == ["zoe"]
    assert scores(system, "anything") == [{"amy": pytest.approx(1 / 3), "zoe": pytest.approx(2 / 3)}]
    assert authors(fitted("majority", ("zoe", "x"), ("amy", "z")), "x") == ["amy"]


def test_delta_by_hand() -> None:
    """Two words, one text an author: frequencies .75/.25 and .25/.75, means .5, deviations .25."""
    system = fitted("delta", ("amy", "Up up, UP down"), ("bob", "up down down down"))
    (found,) = scores(system, "up up up up down")  # .8/.2 stands at +1.2/-1.2; amy at +1/-1, bob at -1/+1
    assert found == {"amy": pytest.approx(-0.2), "bob": pytest.approx(-2.2)}


def test_delta_takes_the_most_frequent_words_and_leaves_out_constant_ones() -> None:
    system = fitted("delta", ("amy", "a a b c"), ("bob", "a a b d"), words=2)
    assert scores(system, "a b") == [{"amy": 0.0, "bob": 0.0}]  # a and b are as frequent in all texts
    assert authors(system, "a b") == ["amy"]


def test_compression_is_the_least_cross_entropy_of_joined_texts() -> None:
    system = fitted("compression", ("amy", "one text"), ("bob", "another"), ("amy", "two texts"), order=3)
    model = {"amy": build_model("one text\ntwo texts", order=3), "bob": build_model("another", order=3)}
    for text in ("text", "other one", ""):
        expected = {author: -cross_entropy(own, text) for author, own in model.items()}
        assert scores(system, text) == [pytest.approx(expected)]
    assert authors(system, "texts", "other") == ["amy", "bob"]


@pytest.mark.parametrize("people", ["ab", "abc"])
def test_char_ngram_svm_is_the_published_baseline(people: str) -> None:
    """Rebuilt from scikit-learn's parts: counts by length, MaxAbsScaler, LinearSVC one against the rest."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.preprocessing import MaxAbsScaler
    from sklearn.svm import LinearSVC

    rng = random.Random(4)
    train = [(author, written(author, rng).replace(" a ", "  A\n")) for author in people for _ in range(8)]
    test = [written(author, rng) + "\n\n  x" for author in people for _ in range(5)]
    texts = [text for _, text in train]
    occurrences: dict[str, int] = {}
    for text in texts:
        for place in range(len(text) - 2):
            occurrences[text[place : place + 3]] = occurrences.get(text[place : place + 3], 0) + 1
    vocabulary = [ngram for ngram, times in occurrences.items() if times >= 5]
    counter = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False, vocabulary=vocabulary)

    def frequencies(some: list[str]) -> np.ndarray:
        return counter.transform(some).toarray() / np.array([len(text) for text in some])[:, None]

    scaler = MaxAbsScaler().fit(frequencies(texts))
    machine = OneVsRestClassifier(LinearSVC(C=1, random_state=3, max_iter=10_000, tol=1e-6))
    machine.fit(scaler.transform(frequencies(texts)), [author for author, _ in train])
    decided = machine.decision_function(scaler.transform(frequencies(test)))
    expected = np.column_stack([-decided, decided]) if decided.ndim == 1 else decided
    system = fitted("char_ngram_svm", *train)
    found = np.array([[row[author] for author in people] for row in scores(system, *test)])
    assert found == pytest.approx(expected, abs=2e-3)
    assert authors(system, *test) == machine.predict(scaler.transform(frequencies(test))).tolist()


def test_ngram_vectors_are_those_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    rng = random.Random(1)
    train, test = ([written(author, rng, 20) for author in "abcab"] for _ in range(2))
    counts = {"analyzer": "char", "ngram_range": (2, 5), "lowercase": False}
    pairs = {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"\w+|[^\w\s]"}
    ours = _ngram_vectors.learn_vectoriser(train, least=2).vectors(test)
    theirs = [
        TfidfVectorizer(**own, sublinear_tf=True, min_df=2).fit(train).transform(test).toarray()
        for own in (counts, pairs)
    ]
    assert ours.shape[1] == sum(part.shape[1] for part in theirs)
    assert (ours @ ours.T).toarray() == pytest.approx(sum(part @ part.T for part in theirs), abs=1e-9)


def test_a_threshold_weighs_strangers_by_their_share() -> None:
    leads = np.array([0.1, 0.2, 0.6, 0.8, 0.3, 0.4])
    right = np.array([True, True, True, True, False, False])
    stranger = np.array([False, False, False, False, True, True])
    assert best_threshold(leads, right, stranger, 0.01) == -np.inf  # two right answers would be lost
    assert best_threshold(leads, right, stranger, 0.7) == pytest.approx(0.5)  # between .4 and .6
    assert best_threshold(leads, right, np.zeros(6, dtype=bool), 0.5) == -np.inf
    assert best_threshold(leads, right, np.ones(6, dtype=bool), 0.5) == -np.inf


def test_strangers_are_unknown_only_where_they_are_expected() -> None:
    rng = random.Random(2)
    train = [(author, written(author, rng)) for author in "abcde" for _ in range(8)]
    own = [written(author, rng) for author in "abcde" for _ in range(4)]
    strangers = [written(author, rng) for author in "uvwxyz" for _ in range(4)]
    closed, opened = fitted("ngram_ensemble", *train), fitted("ngram_ensemble", *train, unknown=0.5)
    assert UNKNOWN not in authors(closed, *own, *strangers)
    assert authors(opened, *strangers).count(UNKNOWN) >= 0.75 * len(strangers)
    assert authors(opened, *own).count(UNKNOWN) <= 0.25 * len(own)
    two = fitted("ngram_ensemble", *train[:16], unknown=0.5)
    assert UNKNOWN not in authors(two, *strangers)


@pytest.mark.parametrize("each", [1, 2])
def test_a_threshold_from_few_texts_does_not_fail(each: int) -> None:
    rng = random.Random(2)
    train = [(author, written(author, rng)) for author in "abc" for _ in range(each)]
    assert set(authors(fitted("ngram_ensemble", *train, unknown=0.3), "some text", "")) <= {*"abc", UNKNOWN}


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("delta", "words", 0),
        ("compression", "order", -1),
        ("char_ngram_svm", "n", 0),
        ("char_ngram_svm", "least", 0),
        ("char_ngram_svm", "c", 0.0),
        ("ngram_ensemble", "least", 0),
        ("ngram_ensemble", "c", -1.0),
        ("ngram_ensemble", "unknown", 1.0),
    ],
)
def test_senseless_parameters_are_refused(name: str, parameter: str, value: float) -> None:
    with pytest.raises(UsageError, match=parameter):
        make(name, **{parameter: value})


@pytest.mark.parametrize("name", ["majority", "delta", "compression", "char_ngram_svm", "ngram_ensemble"])
def test_every_training_problem_needs_a_truth(name: str) -> None:
    problems, truths = split_of(("a", "x"), ("b", "y"))
    with pytest.raises(ValueError, match="2 training problems, but 1 truths"):
        make(name).fit(problems, truths[:1], seed=0)
