"""The length limits of ROUGE-1.5.5, with the habits of its two readers.

A text is bytes with one sentence per line. One reader serves N, S and the clipping of hits, the other L and W.
Under a limit in words both cut alike. Under a limit in bytes the second never advances its counter: sentences
shorter than the limit stay whole, and reading ends with the first sentence that reaches the limit.
"""

from __future__ import annotations

import re

from metrics.rouge.settings import TextSettings

_WORD = re.compile(rb"\S+")


def cut(text: bytes, settings: TextSettings) -> tuple[bytes, bytes]:
    """The text as the reader for N and S sees it, and as the reader for L and W does."""
    if settings.words is not None:
        whole = _first_words(text, settings.words)
        return whole, whole
    if settings.bytes is not None:
        return _first_bytes(text, settings.bytes), _until_long_sentence(text, settings.bytes)
    return text, text


def _first_words(text: bytes, limit: int) -> bytes:
    lines = []
    for line in text.split(b"\n"):
        words = _WORD.findall(line)
        if words and line[:1].isspace():
            words.insert(0, b"")  # white space before a sentence counts as a word
        lines.append(b" ".join(words[:limit]))
        limit -= len(words)
        if limit <= 0:
            break
    return b"\n".join(lines)


def _first_bytes(text: bytes, limit: int) -> bytes:
    lines = []
    for line in text.split(b"\n"):
        lines.append(line[:limit])
        limit -= len(line)  # the blanks that join sentences are not counted
        if limit <= 0:
            break
    return b"\n".join(lines)


def _until_long_sentence(text: bytes, limit: int) -> bytes:
    lines = []
    for line in text.split(b"\n"):
        lines.append(line[:limit])
        if len(line) >= limit:
            break
    return b"\n".join(lines)
