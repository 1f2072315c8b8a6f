"""Why two ROUGEs differ: from ROUGE-1.5.5's number to rouge-score's, one difference at a time.

The path is fixed, so that the parts add up to the whole gap:

1. **stemming**: NLTK's Porter stemmer instead of ROUGE-1.5.5's with its exceptions;
2. **sentences**: for `rougeL`, each text as one sentence instead of the union over sentences;
3. **references**: the reference with the best F instead of sums over all;
4. **rounding**: none instead of five decimals at each step;
5. **other**: what is left, such as ties between equally long subsequences in `rougeLsum`.

Taken in another order the parts would be somewhat different; their sum would not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from metrics.metric import MetricParameterError, as_column
from metrics.rouge.configuration import read_configuration, read_list, text_reader
from metrics.rouge.encoding import Encoded, Text, encode
from metrics.rouge.google import TYPES, GoogleType, as_text, google_scores
from metrics.rouge.scoring import Counts, Floats, Measure, Scores, combine, count, divide, rates
from metrics.rouge.settings import TextSettings

Part = Literal["recall", "precision", "f"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One difference: its name, and by how much the mean score changes with it."""

    name: str
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Both means, and the steps from the first to the second, which sum to the gap."""

    type: GoogleType
    score: Part
    rouge_155: float
    google: float
    steps: tuple[Step, ...]

    @property
    def gap(self) -> float:
        """Google's mean minus ROUGE-1.5.5's."""
        return self.google - self.rouge_155

    def __str__(self) -> str:
        rows = [("ROUGE-1.5.5", f"{self.rouge_155:.5f}")]
        rows += [(f"  {step.name}", f"{step.change:+.5f}") for step in self.steps]
        rows.append((f"rouge-score {self.type}", f"{self.google:.5f}"))
        return "\n".join(f"{name:<24}{value:>9}" for name, value in rows)


def explain(
    peers: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    type: GoogleType = "rouge1",
    stem: bool = True,
    score: Part = "f",
) -> Explanation:
    """Score the same texts both ways and account for the gap between the means over problems."""
    if type not in TYPES:
        raise MetricParameterError(f"explain: no type {type!r}; known: {', '.join(TYPES)}")
    if len(peers) == 0 or len(peers) != len(references) or not all(references):
        raise MetricParameterError("explain: every peer needs its references, and there must be one peer at least")
    measure = Measure(kind="L") if type.startswith("rougeL") else Measure(kind="N", n=int(type.removeprefix("rouge")))

    def mean(scores: Scores) -> float:
        return float(np.mean({"recall": scores.recall, "precision": scores.precision, "f": scores.f}[score]))

    def summed(encoded: Encoded) -> float:
        return mean(rates(measure, combine(encoded.starts, count(encoded, [measure])[measure], "A")))

    ours = summed(encode(peers, references, TextSettings(stem=stem)))
    values = [("stemming", summed(_google_tokens(peers, references, stem, one_sentence=False)))]
    last = _google_tokens(peers, references, stem, one_sentence=type == "rougeL")
    values.append(("sentences", summed(last)))
    counts = count(last, [measure])[measure]
    values.append(("references", mean(_best_by_f(last, rates(measure, counts)))))
    values.append(("rounding", mean(_best_by_f(last, _unrounded(counts)))))
    columns = (as_column(list(peers)), as_column(list(references)))
    theirs = float(np.mean(google_scores(*columns, type=type, stem=stem, score=score)))
    values.append(("other", theirs))
    before = [ours, *(value for _, value in values)]
    steps = tuple(Step(name=name, change=value - prior) for (name, value), prior in zip(values, before, strict=False))
    return Explanation(type=type, score=score, rouge_155=ours, google=theirs, steps=steps)


def _google_tokens(
    peers: Sequence[Text], references: Sequence[Sequence[Text]], stem: bool, *, one_sentence: bool
) -> Encoded:
    """The texts with rouge-score's tokens, to be counted as ROUGE-1.5.5 counts."""
    from nltk.stem.porter import PorterStemmer
    from rouge_score.tokenize import tokenize

    stemmer = PorterStemmer() if stem else None

    def tokenised(text: Text) -> str:
        lines = (" ".join(tokenize(line, stemmer)) for line in as_text(text).split("\n"))
        return (" " if one_sentence else "\n").join(lines)

    return encode([tokenised(peer) for peer in peers], [[tokenised(text) for text in texts] for texts in references])


def _unrounded(counts: Counts) -> Scores:
    recall, precision = divide(counts.hits, counts.model), divide(counts.hits, counts.peer)
    return Scores(recall, precision, divide(2 * recall * precision, recall + precision))


def _best_by_f(encoded: Encoded, scores: Scores) -> Scores:
    """Of each pair, the reference with the best F, the first on ties."""
    best: list[int] = []
    for start, end in zip(encoded.starts[:-1].tolist(), encoded.starts[1:].tolist(), strict=True):
        best.append(start + int(np.argmax(scores.f[start:end])))
    chosen: list[Floats] = [part[best] for part in scores]
    return Scores(*chosen)


def explain_files(
    configuration: Path,
    system: str | None = None,
    *,
    types: Sequence[GoogleType] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    list_format: str | None = None,
    stem: bool = True,
    score: Part = "f",
) -> dict[str, list[Explanation]]:
    """Explain every system of a ROUGE-1.5.5 configuration (or list), or the one named."""
    directory = Path()
    if list_format is None:
        evaluations = read_configuration(configuration, directory)
    else:
        evaluations = read_list(configuration, directory, list_format, system or "X")
    known = sorted({name for evaluation in evaluations for name in evaluation.peers})
    if system is not None and system not in known:
        raise MetricParameterError(f"{configuration}: no system {system!r}; known: {', '.join(known)}")
    read = text_reader()
    explained = {}
    for name in known if system is None else [system]:
        mine = [evaluation for evaluation in evaluations if name in evaluation.peers]
        peers = [read(e.peers[name], e.format).decode("utf-8", "replace") for e in mine]
        models = [[read(path, e.format).decode("utf-8", "replace") for path in e.models.values()] for e in mine]
        explained[name] = [explain(peers, models, type=kind, stem=stem, score=score) for kind in types]
    return explained
