"""Character n-grams against scikit-learn's vectoriser and plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from systems.text.ngrams import (
    count_ngrams,
    fold,
    frequent_ngrams,
    inverse_document_frequency,
    ngram_codes,
    unit_rows,
)

texts = st.lists(st.text(alphabet="abC é\n", max_size=40), max_size=6)


def plain(text: str, n: int) -> Counter[str]:
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


@given(texts=texts, n=st.integers(1, 5))
@settings(deadline=None)
def test_counts_are_those_of_plain_counting(texts: list[str], n: int) -> None:
    totals = sum((plain(text, n) for text in texts), Counter[str]())
    vocabulary = frequent_ngrams(texts, n=n, limit=10_000)
    counts = count_ngrams(texts, vocabulary, n=n).toarray()
    assert counts.shape == (len(texts), len(totals))
    columns = {gram: int(np.searchsorted(vocabulary, ngram_codes(gram, n)[0])) for gram in totals}
    assert len(set(columns.values())) == len(totals)
    for row, text in enumerate(texts):
        expected = plain(text, n)
        assert {gram: counts[row, column] for gram, column in columns.items()} == {g: expected[g] for g in totals}


@given(texts=texts, limit=st.integers(1, 8))
@settings(deadline=None)
def test_the_limit_keeps_the_most_frequent(texts: list[str], limit: int) -> None:
    totals = sum((plain(text, 2) for text in texts), Counter[str]())
    kept = count_ngrams(texts, frequent_ngrams(texts, n=2, limit=limit), n=2).sum(axis=0)
    assert sorted(kept, reverse=True) == [count for _, count in totals.most_common(limit)]


def test_batches_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["abcabc", "bcabca", "xyz", "abc"] * 3
    whole = frequent_ngrams(texts, n=3, limit=2)
    monkeypatch.setattr("systems.text.ngrams._BATCH", 4)
    assert np.array_equal(frequent_ngrams(texts, n=3, limit=2), whole)


def test_unseen_ngrams_are_left_out() -> None:
    vocabulary = frequent_ngrams(["aaaa"], n=2, limit=5)
    assert count_ngrams(["bbbb", "", "aab"], vocabulary, n=2).toarray().tolist() == [[0], [0], [1]]


def test_tf_idf_is_that_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["The cat  sat\non the mat.", "A cat, a MAT; a hat!", "Nothing alike here", "ab"]
    ours = count_ngrams(map(fold, texts), frequent_ngrams(map(fold, texts), n=4, limit=10_000), n=4)
    rows = unit_rows(sparse.csr_array(ours * inverse_document_frequency(ours)))
    theirs = TfidfVectorizer(analyzer="char", ngram_range=(4, 4)).fit_transform(texts)
    assert rows.shape == theirs.shape
    assert np.allclose((rows @ rows.T).toarray(), (theirs @ theirs.T).toarray(), atol=1e-12)
