"""The official numbers of PAN, DUC and TDT. Usable alone: `from metrics import c_at_1`.

Each measure is a `Metric`: call it with its columns, or look at what it declares.

>>> from metrics import c_at_1
>>> c_at_1([True, False, True], [0.9, 0.2, 0.5])
0.8888888888888888
"""

from __future__ import annotations

import difflib

from metrics.call import Call, CallSyntaxError, parse_call
from metrics.metric import Metric, MetricError, MetricParameterError, Parameter, UndefinedMetricError
from metrics.significance import (
    approximate_randomisation,
    holm,
    micro_sign_test,
    paired_t_test,
    sign_test,
    wilcoxon_test,
)
from metrics.uncertainty import bootstrap, bootstrap_interval, rank_intervals
from metrics.verification import (
    auc,
    auc_2013,
    auc_c_at_1,
    brier,
    c_at_1,
    f1,
    f1_2013,
    f_05_u,
    overall,
    precision_2013,
    recall_2013,
)

__all__ = [
    "Call",
    "CallSyntaxError",
    "Metric",
    "MetricError",
    "MetricParameterError",
    "Parameter",
    "UndefinedMetricError",
    "UnknownMetricError",
    "approximate_randomisation",
    "auc",
    "auc_2013",
    "auc_c_at_1",
    "bootstrap",
    "bootstrap_interval",
    "brier",
    "c_at_1",
    "catalogue",
    "f1",
    "f1_2013",
    "f_05_u",
    "get",
    "holm",
    "micro_sign_test",
    "overall",
    "paired_t_test",
    "parse_call",
    "precision_2013",
    "rank_intervals",
    "recall_2013",
    "sign_test",
    "wilcoxon_test",
]


class UnknownMetricError(MetricError):
    """No metric has this name."""


def catalogue() -> dict[str, Metric]:
    """Every metric of this package by name."""
    return {name: value for name, value in sorted(globals().items()) if isinstance(value, Metric)}


def get(text: str) -> Metric:
    """The metric that a canonical text such as `overall(year=2020)` names."""
    call = parse_call(text)
    known = catalogue()
    if call.name not in known:
        near = difflib.get_close_matches(call.name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        raise UnknownMetricError(f"no metric named {call.name!r}; {hint}")
    return known[call.name].with_(**call.parameters)
