"""The four kernels: what they count, that they are cosines and positive semidefinite, and what centring does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.attribution._kernels import CHOICES, NAMES, centre, check_kernel, cosines, features, kernel_matrices
from systems.text.function_words import FUNCTION_WORDS, words


class _Letters:
    """A tagger whose tags are the words' first letters: quick, and never from the cache of another."""

    name = "letters"

    def tag(self, text: str) -> list[str]:
        return [word[0] for word in text.split()]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path_factory.mktemp("home")))


def test_the_list_of_function_words_is_clean() -> None:
    assert 300 <= len(FUNCTION_WORDS) <= 500
    assert list(FUNCTION_WORDS) == sorted(set(FUNCTION_WORDS))
    assert all(words(word) == [word] for word in FUNCTION_WORDS)
    assert {"the", "of", "upon", "whilst", "don't"} <= set(FUNCTION_WORDS)


@pytest.mark.parametrize(
    "name, counts",
    [
        ("function_words", [2, 1, 1]),  # the, upon, don't
        ("suffixes", [1, 1, 1, 1]),  # -ing, -ses, -pon, -n't
        ("bow", [2, 1, 1, 1, 1]),
        ("pos", [1] * (6 + 5 + 4)),  # T r t h u d: six tags, five pairs, four triples, none twice
    ],
)
def test_features_are_roots_of_counts(name: str, counts: list[int]) -> None:
    row = features(name, ["The running the horses upon don’t"], _Letters())
    assert sorted((row.toarray()[0] ** 2).round(9).tolist(), reverse=True) == counts


TEXTS = st.lists(st.text(alphabet="aehnot .,'T\n", max_size=60), min_size=1, max_size=12)


@given(texts=TEXTS)
def test_matrices_are_cosines_and_positive_semidefinite(texts: list[str]) -> None:
    for matrix in kernel_matrices(texts, NAMES, _Letters()):
        assert matrix.shape == (len(texts), len(texts))
        assert (matrix == matrix.T).all()
        assert np.isfinite(matrix).all()
        assert ((np.abs(matrix.diagonal() - 1) < 1e-12) | (matrix.diagonal() == 0)).all()
        assert np.linalg.eigvalsh(matrix).min() > -1e-9
        assert np.linalg.eigvalsh(centre(matrix)).min() > -1e-9


@given(texts=TEXTS)
def test_centring_moves_the_origin_to_the_mean(texts: list[str]) -> None:
    rows = features("bow", texts)
    dense = rows.toarray()
    lengths = np.linalg.norm(dense, axis=1, keepdims=True)
    units = np.divide(dense, lengths, out=np.zeros_like(dense), where=lengths > 0)
    moved = units - units.mean(axis=0)
    assert centre(cosines(rows)) == pytest.approx(moved @ moved.T, abs=1e-12)


def test_an_empty_text_is_nothing_to_nobody() -> None:
    (matrix,) = kernel_matrices(["", "some words here", "other words here"], ["bow"])
    assert matrix[0].tolist() == [0.0, 0.0, 0.0]


def test_an_unknown_kernel_is_refused() -> None:
    for name in CHOICES:
        check_kernel(name)
    with pytest.raises(ValueError, match="no kernel named 'letters'; known: function_words"):
        check_kernel("letters")
