"""What holds for any text."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.rouge import Measure, TextSettings, encode, score
from metrics.rouge.scoring import round_5
from metrics.rouge.stem import stem

MEASURES = [Measure(kind="N", n=1), Measure(kind="N", n=2), Measure(kind="L"), Measure(kind="W")]
MEASURES += [Measure(kind="S"), Measure(kind="SU", gap=-1)]
WORDS = st.sampled_from(["cat", "cats", "the", "running", "ran", "x-ray", "Governmental", "éclair", "1,200", "--", ""])
TEXT = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=4).map("\n".join)
LONGER = st.lists(st.sampled_from(["cat", "dog", "sat", "ran"]), min_size=2, max_size=20)
SETTINGS = st.builds(
    TextSettings,
    stem=st.booleans(),
    stop=st.booleans(),
    words=st.none() | st.integers(1, 12),
    tokens=st.sampled_from(["ascii", "unicode"]),
) | st.builds(TextSettings, stem=st.booleans(), bytes=st.integers(1, 60))


@given(peer=TEXT, models=st.lists(TEXT, min_size=1, max_size=4), settings=SETTINGS, how=st.sampled_from(["A", "B"]))
def test_scores_lie_between_0_and_1_and_f_between_both(peer, models, settings, how) -> None:
    for measure, scores in score(encode([peer], [models], settings), MEASURES, combine_references=how).items():
        recall, precision, f = (float(part[0]) for part in scores)
        assert 0 <= min(recall, precision, f) <= max(recall, precision, f) <= 1, measure
        assert min(recall, precision) - 1e-5 <= f <= max(recall, precision) + 1e-5 or f == 0


@given(words=LONGER)
def test_a_text_against_itself_scores_1_in_n_and_l(words: list[str]) -> None:
    text = " ".join(words)
    for measure, scores in score(encode([text], [[text]]), [Measure(kind="N"), Measure(kind="L")]).items():
        assert [float(part[0]) for part in scores] == [1, 1, 1], measure


@given(words=LONGER)
def test_a_one_sentence_text_against_itself_in_w(words: list[str]) -> None:
    # The denominator of recall is weighted twice, so that identical texts fall short of 1.
    (scores,) = score(encode([[" ".join(words)]], [[[" ".join(words)]]]), [Measure(kind="W", weight=1.2)]).values()
    assert scores.recall[0] == pytest.approx(len(words) ** -0.2, abs=1e-5)
    assert scores.precision[0] == 1


@given(peer=TEXT, models=st.lists(TEXT, min_size=1, max_size=4), data=st.data())
def test_the_order_of_references_means_nothing_when_they_are_summed(peer, models, data) -> None:
    moved = data.draw(st.permutations(models))
    exact = [measure for measure in MEASURES if measure.kind != "W"]
    first, second = (score(encode([peer], [texts]), exact) for texts in (models, moved))
    for measure in exact:
        np.testing.assert_array_equal(first[measure], second[measure])


@given(peer=TEXT, model=TEXT, copies=st.integers(2, 4))
def test_repeating_the_only_reference_changes_nothing(peer: str, model: str, copies: int) -> None:
    exact = [measure for measure in MEASURES if measure.kind != "W"]
    once, often = (score(encode([peer], [[model] * number]), exact) for number in (1, copies))
    for measure in exact:
        np.testing.assert_array_equal(once[measure], often[measure])


@given(peer=TEXT, models=st.lists(TEXT, min_size=1, max_size=4))
def test_the_best_reference_has_the_best_recall_of_all(peer: str, models: list[str]) -> None:
    n_and_l = [Measure(kind="N"), Measure(kind="L")]
    best = score(encode([peer], [models]), n_and_l, combine_references="B")
    single = score(encode([peer] * len(models), [[model] for model in models]), n_and_l)
    for measure in n_and_l:
        assert best[measure].recall[0] == single[measure].recall.max()


@given(peer=TEXT, model=TEXT)
def test_a_list_of_sentences_is_a_text_with_line_breaks(peer: str, model: str) -> None:
    as_text = score(encode([peer], [[model]]), MEASURES)
    as_lists = score(encode([peer.split("\n")], [[model.split("\n")]]), MEASURES)
    for measure in MEASURES:
        np.testing.assert_array_equal(as_text[measure], as_lists[measure])


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12))
def test_a_stem_is_not_empty_and_hardly_longer_than_its_word(word: str) -> None:
    result = stem(word)
    assert (len(word) > 3) or result == word
    assert len(result) <= len(word) + 1
    assert result


@given(st.text(alphabet="bcdfg", min_size=4, max_size=9))
def test_a_word_without_vowels_or_suffix_is_its_own_stem(word: str) -> None:
    assert stem(word) == word
    assert stem(stem(word)) == stem(word)


@given(st.floats(0, 1) | st.integers(0, 10**6).map(lambda k: k / 10**6) | st.integers(1, 99).map(lambda k: k / 128))
def test_rounding_is_that_of_printing(value: float) -> None:
    assert round_5(np.array([value]))[0] == float(f"{value:.5f}")
    assert math.isclose(round_5(np.array([value]))[0], value, abs_tol=5.001e-6)
