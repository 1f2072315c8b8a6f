"""The vectorised PPM against one written with dictionaries, letter by letter."""

from __future__ import annotations

from collections import Counter
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.text.ppm import build_model, cross_entropy

texts = st.text(alphabet="ab ", max_size=60) | st.text(max_size=40)


def slow_cross_entropy(model_text: str, text: str, order: int) -> float:
    grams: Counter[str] = Counter()
    contexts: Counter[str] = Counter()
    for end in range(len(model_text)):
        for length in range(min(order, end) + 1):
            grams[model_text[end - length : end + 1]] += 1
            contexts[model_text[end - length : end]] += 1
    bits = 0.0
    for end in range(len(text)):
        probability = 1 / 256
        for length in range(min(order, end), -1, -1):
            gram = text[end - length : end + 1]
            if grams[gram]:
                probability = grams[gram] / contexts[gram[:-1]]
                break
        bits -= log2(probability)
    return bits / len(text) if text else 0.0


@given(model_text=texts, text=texts, order=st.integers(0, 7))
@settings(deadline=None)
def test_equals_the_slow_version(model_text: str, text: str, order: int) -> None:
    expected = slow_cross_entropy(model_text, text, order)
    assert cross_entropy(build_model(model_text, order=order), text) == pytest.approx(expected, abs=1e-9)


def test_by_hand() -> None:
    # Model "aab", order 1. "a" alone: 2 of 3. "b" after "a": 1 of 2. "c": never seen, 1/256.
    model = build_model("aab", order=1)
    assert cross_entropy(model, "abc") == pytest.approx(-(log2(2 / 3) + log2(1 / 2) + log2(1 / 256)) / 3)


def test_a_text_is_cheapest_under_its_own_model() -> None:
    text, other = "the cat sat on the mat, the end. " * 3, "colourless green ideas sleep furiously. " * 3
    own, strange = (cross_entropy(build_model(source, order=5), text) for source in (text, other))
    assert own < 0.5 < strange
