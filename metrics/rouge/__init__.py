"""ROUGE exactly as ROUGE-1.5.5 computes it, to the last printed digit, and fast.

>>> from metrics.rouge import Measure, TextSettings, encode, score
>>> texts = encode(["the cat sat"], [["the cat was here", "a cat"]], TextSettings(stem=True))
>>> bigrams = Measure(kind="N", n=2)
>>> score(texts, [bigrams, Measure(kind="L")])[bigrams].recall
array([0.25])

One encoding serves every measure. `metrics.rouge.program` is the Perl program's stand-in, `metrics.rouge.google` the
variant of the package rouge-score, `metrics.rouge.explain` the account of how the two differ.
"""

from __future__ import annotations

from metrics.rouge.declarations import rouge_l, rouge_n, rouge_s, rouge_su, rouge_w
from metrics.rouge.encoding import Encoded, Text, encode
from metrics.rouge.google import rouge_google
from metrics.rouge.presets import PRESETS, preset
from metrics.rouge.scoring import Counts, Measure, Scores, count, score
from metrics.rouge.settings import TextSettings

__all__ = [
    "PRESETS",
    "Counts",
    "Encoded",
    "Measure",
    "Scores",
    "Text",
    "TextSettings",
    "count",
    "encode",
    "preset",
    "rouge_google",
    "rouge_l",
    "rouge_n",
    "rouge_s",
    "rouge_su",
    "rouge_w",
    "score",
]
