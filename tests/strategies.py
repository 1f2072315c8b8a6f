"""Random columns for any metric, by the names of the columns it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metrics import Metric
from metrics.metric import as_column

SIZES = st.integers(min_value=2, max_value=30)
_probabilities = st.sampled_from([0.0, 0.1, 0.25, 0.4999, 0.5, 0.5001, 0.75, 0.9, 1.0]) | st.floats(0, 1)
_words = st.sampled_from(["the", "cat", "cats", "sat", "running", "mat", "well-known", "café", "7"])
_sentence = st.lists(_words, min_size=1, max_size=8).map(" ".join)
_text = st.lists(_sentence, min_size=1, max_size=3).map("\n".join)
_labels = st.sampled_from(["ann", "bob", "cid"])

Column = Callable[[int], st.SearchStrategy[Any]]


def _column(values: st.SearchStrategy[Any], dtype: Any = None) -> Column:
    """A column of so many values; without a dtype, of whatever they are."""

    def of_size(n: int) -> st.SearchStrategy[Any]:
        rows = st.lists(values, min_size=n, max_size=n)
        return rows.map(as_column if dtype is None else lambda drawn: np.array(drawn, dtype=dtype))

    return of_size


COLUMNS: dict[str, Column] = {
    "same": _column(st.booleans(), bool),
    "answer": _column(_probabilities, float),
    "given": _column(st.booleans(), bool),
    "verdict": _column(st.sampled_from([-1, 0, 1]), np.int8),
    "label": _column(_labels),
    "predicted": _column(_labels | st.just("")),
    "problem": _column(st.sampled_from(["p1", "p2"])),
    "hypothesis": _column(_sentence),
    "peer": _column(_text),
    "references": _column(st.lists(_text, min_size=1, max_size=3)),
    "target": _column(st.booleans(), bool),
    "decision": _column(st.sampled_from([-1, 0, 1]), np.int8),
    "score": _column(st.integers(-3, 3).map(float), float),
    "block": _column(st.sampled_from(["b1", "b2", "b3"])),
}


@st.composite
def columns_for(draw: st.DrawFn, metric: Metric) -> tuple[Any, ...]:
    """Aligned columns for a metric; a metric with a new column needs a strategy here."""
    size = draw(SIZES)
    return tuple(draw(COLUMNS[name](size)) for name in metric.columns)
