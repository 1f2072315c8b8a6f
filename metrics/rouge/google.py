"""The other ROUGE: the one of Google's `rouge-score` package, under its own name.

It takes the reference with the best F where ROUGE-1.5.5 sums over references, stems with NLTK's Porter stemmer
without exceptions, and does not round. `metrics.rouge.explain` splits the difference into these parts.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from metrics.metric import Array, MetricError, Parameter, mean_metric
from metrics.rouge.encoding import Text, as_bytes

GoogleType = Literal["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"]
TYPES: tuple[GoogleType, ...] = ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum")


def google_scores(peer: Array, references: Array, *, type: GoogleType, stem: bool, score: str) -> Array:
    """Recall, precision or F of each problem, as `rouge-score` computes it."""
    scorer = _scorer(type, stem)
    part = {"recall": "recall", "precision": "precision", "f": "fmeasure"}[score]
    values = []
    for text, others in zip(peer, references, strict=True):
        best = scorer.score_multi([as_text(other) for other in others], as_text(text))[type]
        values.append(float(getattr(best, part)))
    return np.array(values)


def as_text(text: Text) -> str:
    """A text as a string with one sentence per line."""
    return as_bytes(text).decode("utf-8", "replace")


def _scorer(kind: GoogleType, stem: bool) -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise MetricError("rouge_google needs the package rouge-score: pip install rouge-score") from error
    return RougeScorer([kind], use_stemmer=stem)


rouge_google = mean_metric(
    google_scores,
    name="rouge_google",
    summary="ROUGE of the package rouge-score: the best reference, NLTK's stemmer, no rounding",
    columns=("peer", "references"),
    cite="google-research, rouge-score",
    parameters={
        "type": Parameter(type=str, default="rouge1", choices=TYPES, doc="the measure, by the package's name"),
        "stem": Parameter(type=bool, default=False, doc="compare stems"),
        "score": Parameter(type=str, default="f", choices=("recall", "precision", "f"), doc="which of the three"),
    },
    unanswered="an empty peer scores 0",
)
