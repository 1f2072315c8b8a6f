"""How texts are read before ROUGE counts anything: tokens, stems, stop words, length limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.metric import MetricParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """The defaults are those of ROUGE-1.5.5 without options."""

    stem: bool = False
    stop: bool = False
    """Remove the words of the SMART list, which is English, before stemming."""
    words: int | None = None
    """Cut every text, peer and model alike, after so many white-space separated words."""
    bytes: int | None = None
    """Cut every text, peer and model alike, after so many bytes of UTF-8."""
    tokens: Literal["ascii", "unicode"] = "ascii"
    """`ascii` is ROUGE-1.5.5's reading; `unicode` keeps the letters, marks and digits of every script."""
    lang: str = "english"
    """The language of the stemmer. ROUGE-1.5.5's own is English; others are Snowball's, with `unicode` tokens."""

    def __post_init__(self) -> None:
        if self.words is not None and self.bytes is not None:
            raise MetricParameterError("rouge: limit the length in words or in bytes, not both")
        for name, limit in (("words", self.words), ("bytes", self.bytes)):
            if limit is not None and limit < 1:
                raise MetricParameterError(f"rouge: {name} must be at least 1, not {limit}")
        if self.tokens not in ("ascii", "unicode"):
            raise MetricParameterError(f"rouge: tokens must be ascii or unicode, not {self.tokens!r}")
        if self.lang != "english" and (self.tokens == "ascii" or self.stop):
            what = "the stop list" if self.stop else "the stemmer of ascii tokens"
            raise MetricParameterError(
                f"rouge: {what} is English, lang is {self.lang!r}; use tokens=unicode, stop=False"
            )
