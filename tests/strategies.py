"""Random columns for any metric, by the names of the columns it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from metrics import Metric

SIZES = st.integers(min_value=2, max_value=30)
_scores = st.sampled_from([0.0, 0.1, 0.25, 0.4999, 0.5, 0.5001, 0.75, 0.9, 1.0]) | st.floats(0, 1)

Column = Callable[[int], st.SearchStrategy[Any]]
COLUMNS: dict[str, Column] = {
    "same": lambda n: st.lists(st.booleans(), min_size=n, max_size=n).map(np.array),
    "answer": lambda n: st.lists(_scores, min_size=n, max_size=n).map(lambda rows: np.array(rows, dtype=float)),
    "given": lambda n: st.lists(st.booleans(), min_size=n, max_size=n).map(np.array),
    "verdict": lambda n: st.lists(st.sampled_from([-1, 0, 1]), min_size=n, max_size=n).map(
        lambda rows: np.array(rows, dtype=np.int8)
    ),
}


@st.composite
def columns_for(draw: st.DrawFn, metric: Metric) -> tuple[Any, ...]:
    """Aligned columns for a metric; a metric with a new column needs a strategy here."""
    size = draw(SIZES)
    return tuple(draw(COLUMNS[name](size)) for name in metric.columns)
