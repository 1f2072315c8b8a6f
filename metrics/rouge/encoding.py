"""Texts as integers: one reading of the texts serves every variant of ROUGE.

`encode` takes pairs of a peer and its references. A text is a string with one sentence per line, or a list of
sentences. Tokens become integers, equal stems equal integers; all texts lie end to end in one array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from metrics.metric import MetricError
from metrics.rouge.limits import cut
from metrics.rouge.settings import TextSettings
from metrics.rouge.tokens import BREAK, number_tokens

Text = str | bytes | Sequence[str] | Sequence[bytes]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Encoded texts end to end: sentence `s` is `tokens[sentences[s]:sentences[s + 1]]`."""

    tokens: npt.NDArray[np.int32]
    sentences: Integers
    texts: Integers
    """Text `t` has the sentences from `texts[t]` to `texts[t + 1]`."""

    @property
    def text_starts(self) -> Integers:
        """Text `t` is `tokens[text_starts[t]:text_starts[t + 1]]`."""
        starts: Integers = self.sentences[self.texts]
        return starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """Pairs of a peer and its references, ready for every measure."""

    whole: Stream
    """As the reader for N and S sees the texts; it also gives the counts that clip the hits of L and W."""
    lines: Stream
    """As the reader for L and W sees them: another cut than `whole` under a limit in bytes, else the same."""
    peers: Integers
    """The text that is the peer of each pair."""
    references: Integers
    """The texts that are references, pair after pair."""
    starts: Integers
    """The references of pair `p` are those from `starts[p]` to `starts[p + 1]`."""
    vocabulary: int

    def __len__(self) -> int:
        return len(self.peers)


def encode(
    peers: Sequence[Text], references: Sequence[Sequence[Text]], settings: TextSettings | None = None
) -> Encoded:
    """Encode peer `p` with its references `references[p]`, for all `p`."""
    if len(peers) != len(references):
        raise MetricError(f"rouge: there are {len(peers)} peers but references for {len(references)}")
    counts = np.fromiter(map(len, references), dtype=np.int64, count=len(references))
    starts = np.concatenate([[0], np.cumsum(counts)])
    pairs = len(peers)
    order = np.arange(pairs, pairs + starts[-1], dtype=np.int64)
    texts = chain(peers, chain.from_iterable(references))
    return encode_texts(texts, np.arange(pairs, dtype=np.int64), order, starts, settings or TextSettings())


def encode_texts(
    texts: Iterable[Text], peers: Integers, references: Integers, starts: Integers, settings: TextSettings
) -> Encoded:
    """Encode texts that several pairs may share; `peers` and `references` are positions in `texts`."""
    sources = [as_bytes(text) for text in texts]
    if settings.words is None and settings.bytes is None:
        whole, vocabulary = _stream(sources, settings)
        lines = whole
    else:
        both = [cut(source, settings) for source in sources]
        stream, vocabulary = _stream([first for first, _ in both] + [second for _, second in both], settings)
        whole, lines = (
            replace(stream, texts=part) for part in (stream.texts[: len(both) + 1], stream.texts[len(both) :])
        )
    return Encoded(whole=whole, lines=lines, peers=peers, references=references, starts=starts, vocabulary=vocabulary)


def as_bytes(text: Text) -> bytes:
    """A text as bytes with one sentence per line. A line break inside a listed sentence is a blank."""
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    return b"\n".join([as_bytes(sentence).replace(b"\n", b" ") for sentence in text])


def _stream(sources: list[bytes], settings: TextSettings) -> tuple[Stream, int]:
    """All sources in one pass, and one more than the largest token; line breaks are taken out at the end."""
    if not sources:
        nothing = np.zeros(1, dtype=np.int64)
        return Stream(tokens=np.zeros(0, dtype=np.int32), sentences=nothing, texts=nothing), 1
    numbers, vocabulary = number_tokens(b"\n".join(sources), settings)
    kept = numbers > BREAK
    breaks = np.flatnonzero(numbers == BREAK)
    ends = np.append(np.cumsum(kept)[breaks], np.count_nonzero(kept))
    sizes = np.array([source.count(b"\n") + 1 for source in sources], dtype=np.int64)
    stream = Stream(
        tokens=numbers[kept],
        sentences=np.concatenate([[0], ends]).astype(np.int64),
        texts=np.concatenate([[0], np.cumsum(sizes)]),
    )
    return stream, vocabulary
