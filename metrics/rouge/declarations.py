"""ROUGE as metrics: columns `peer` (a text) and `references` (the texts it is compared with).

A text has one sentence per line, or is a list of sentences. The value of a problem is what ROUGE-1.5.5 prints for
it with `-d`, rounded to five decimals; the value of the metric is their plain mean. (What ROUGE-1.5.5 prints as the
average is the mean of its bootstrap, which `metrics.rouge.program` gives.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any

from metrics.metric import Array, Metric, MetricError, MetricParameterError, Parameter, mean_metric
from metrics.rouge.encoding import Encoded, encode
from metrics.rouge.scoring import Kind, Measure, combine, count, jackknifed, rates
from metrics.rouge.settings import TextSettings

_LIN = "Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004; ROUGE-1.5.5"

_COMMON = {
    "score": Parameter(type=str, default="recall", choices=("recall", "precision", "f"), doc="which of the three"),
    "stem": Parameter(type=bool, default=False, doc="compare stems (-m)"),
    "stop": Parameter(type=bool, default=False, doc="remove the stop words of the SMART list (-s)"),
    "words": Parameter(type=int, default=None, doc="cut every text after so many words (-l)"),
    "bytes": Parameter(type=int, default=None, doc="cut every text after so many bytes (-b)"),
    "combine": Parameter(
        type=str, default="A", choices=("A", "B"), doc="sum over the references (A) or take the best (B) (-f)"
    ),
    "alpha": Parameter(type=float, default=0.5, doc="weight of precision in F (-p)"),
    "jackknife": Parameter(type=bool, default=False, doc="average over leaving out each reference in turn"),
    "tokens": Parameter(
        type=str, default="ascii", choices=("ascii", "unicode"), doc="ascii as ROUGE-1.5.5, or of every script"
    ),
    "lang": Parameter(type=str, default="english", doc="language of the stemmer; others need tokens=unicode"),
}
_TEXT = ("stem", "stop", "words", "bytes", "tokens", "lang")
_OWN = {
    "n": Parameter(type=int, default=1, doc="length of the n-grams (-n)"),
    "weight": Parameter(type=float, default=1.2, doc="exponent of a run of matches, at least 1 (-w)"),
    "gap": Parameter(type=int, default=4, doc="words allowed between the two; negative: any number (-2)"),
}


def _rouge(peer: Array, references: Array, *, kind: Kind, **settings: Any) -> Array:
    measure = Measure(kind=kind, **{name: settings[name] for name in _OWN if name in settings})
    if kind == "W" and measure.weight < 1:
        raise MetricParameterError(f"rouge_w: weight must be at least 1, not {measure.weight}: less goes beyond 1")
    if not 0 <= settings["alpha"] <= 1:
        raise MetricParameterError(f"rouge: alpha must be between 0 and 1, not {settings['alpha']}")
    encoded = _encoded(peer, references, TextSettings(**{name: settings[name] for name in _TEXT}))
    counts, how, alpha = count(encoded, [measure])[measure], settings["combine"], settings["alpha"]
    if settings["jackknife"]:
        scores = jackknifed(encoded, measure, counts, how, alpha)
    else:
        scores = rates(measure, combine(encoded.starts, counts, how), alpha)
    return {"recall": scores.recall, "precision": scores.precision, "f": scores.f}[settings["score"]]


_KEPT = 4
_recent: list[tuple[TextSettings, list[Any], list[Any], Encoded]] = []
"""The last encodings with the very rows they were made of, so that all ROUGE metrics of a run share one."""


def _encoded(peer: Array, references: Array, settings: TextSettings) -> Encoded:
    """The encoding of these rows; rows are known again by identity, so a text must not be changed in place."""
    peers, models = list(peer), list(references)
    for known in list(_recent):
        if known[0] == settings and _same_rows(known[1], peers) and _same_rows(known[2], models):
            return known[3]
    for row, (text, others) in enumerate(zip(peers, models, strict=True)):
        _check(row, text, others)
    encoded = encode(peers, models, settings)
    _recent.append((settings, peers, models, encoded))
    del _recent[:-_KEPT]
    return encoded


def _same_rows(first: list[Any], second: list[Any]) -> bool:
    return len(first) == len(second) and all(map(is_, first, second))


def _check(row: int, peer: Any, references: Any) -> None:
    if isinstance(references, str | bytes) or not isinstance(references, list | tuple) or not references:
        raise MetricError(f"rouge: references in row {row} must be a list of one or more texts, not {references!r:.60}")
    for text in (peer, *references):
        sentences = text if isinstance(text, list | tuple) else [text]
        if not all(isinstance(sentence, str | bytes) for sentence in sentences):
            raise MetricError(f"rouge: row {row} has {text!r:.60}, which is neither a text nor a list of sentences")


def _declare(name: str, kind: Kind, own: str | None, summary: str) -> Metric:
    per_problem: Callable[..., Array] = partial(_rouge, kind=kind)
    return mean_metric(
        per_problem,
        name=name,
        summary=summary,
        columns=("peer", "references"),
        cite=_LIN,
        parameters={**({own: _OWN[own]} if own else {}), **_COMMON},
        unanswered="an empty peer scores 0",
    )


rouge_n = _declare("rouge_n", "N", "n", "n-grams that peer and references share")
rouge_l = _declare("rouge_l", "L", None, "union longest common subsequence, sentence by sentence")
rouge_w = _declare("rouge_w", "W", "weight", "as rouge_l, runs of matches weighing more; 0 against an empty reference")
rouge_s = _declare("rouge_s", "S", "gap", "pairs of words in their order, with few words between")
rouge_su = _declare("rouge_su", "SU", "gap", "as rouge_s, with single words counted as well")
