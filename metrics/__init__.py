"""The official numbers of PAN, DUC and TDT. Usable alone: `from metrics import c_at_1`.

Each measure is a `Metric`: call it with its columns, or look at what it declares.

>>> from metrics import c_at_1
>>> c_at_1([True, False, True], [0.9, 0.2, 0.5])
0.8888888888888888
"""

from __future__ import annotations

import difflib

from metrics.bleu import bleu, bleu_nltk, segment_bleu, segment_bleu_nltk
from metrics.call import Call, CallSyntaxError, parse_call
from metrics.classification import (
    accuracy,
    accuracy_2018,
    macro_f1,
    macro_f1_2015,
    macro_f1_2018,
    macro_f1_2019,
    macro_precision,
    macro_precision_2018,
    macro_precision_2019,
    macro_recall,
    macro_recall_2018,
    macro_recall_2019,
    max_f1,
    micro_f1,
    micro_precision,
    micro_recall,
    min_f1,
    per_author_f1,
    std_f1,
    std_precision,
)
from metrics.det import CostPoint, DetCurve, det_curve, normal_deviate
from metrics.detection import (
    c_det,
    eer,
    min_c_det,
    min_c_det_nist,
    norm_c_det,
    p_fa,
    p_miss,
    topic_c_det,
    topic_min_c_det,
    topic_min_c_det_nist,
    topic_norm_c_det,
    topic_p_fa,
    topic_p_miss,
)
from metrics.metric import Metric, MetricError, MetricParameterError, Parameter, UndefinedMetricError
from metrics.rouge.declarations import rouge_l, rouge_n, rouge_s, rouge_su, rouge_w
from metrics.rouge.google import rouge_google
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
    "CostPoint",
    "DetCurve",
    "Metric",
    "MetricError",
    "MetricParameterError",
    "Parameter",
    "UndefinedMetricError",
    "UnknownMetricError",
    "accuracy",
    "accuracy_2018",
    "approximate_randomisation",
    "auc",
    "auc_2013",
    "auc_c_at_1",
    "bleu",
    "bleu_nltk",
    "bootstrap",
    "bootstrap_interval",
    "brier",
    "c_at_1",
    "c_det",
    "catalogue",
    "det_curve",
    "eer",
    "f1",
    "f1_2013",
    "f_05_u",
    "get",
    "holm",
    "macro_f1",
    "macro_f1_2015",
    "macro_f1_2018",
    "macro_f1_2019",
    "macro_precision",
    "macro_precision_2018",
    "macro_precision_2019",
    "macro_recall",
    "macro_recall_2018",
    "macro_recall_2019",
    "max_f1",
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "micro_sign_test",
    "min_c_det",
    "min_c_det_nist",
    "min_f1",
    "norm_c_det",
    "normal_deviate",
    "overall",
    "p_fa",
    "p_miss",
    "paired_t_test",
    "parse_call",
    "per_author_f1",
    "precision_2013",
    "rank_intervals",
    "recall_2013",
    "rouge_google",
    "rouge_l",
    "rouge_n",
    "rouge_s",
    "rouge_su",
    "rouge_w",
    "segment_bleu",
    "segment_bleu_nltk",
    "sign_test",
    "std_f1",
    "std_precision",
    "topic_c_det",
    "topic_min_c_det",
    "topic_min_c_det_nist",
    "topic_norm_c_det",
    "topic_p_fa",
    "topic_p_miss",
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
