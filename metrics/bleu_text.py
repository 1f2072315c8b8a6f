"""Texts to n-gram matches for BLEU: tokenise each distinct word once, then count in arrays.

A tokeniser here works on one word (a run without white space) with its neighbourhood, since none of the rules of
mteval looks across white space. So a corpus is split into words, every distinct word is tokenised once, and
everything after that is arithmetic on whole columns of numbers.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
_EDGE = "\n"
"""Marks a word that the text begins or ends with; a word itself holds no white space."""

_SYMBOL = re.compile("([" + re.escape("".join(set(string.punctuation) - set("',-."))) + "])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_AFTER_DIGIT = re.compile(r"([0-9])-")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _as_it_is(word: str) -> list[str]:
    return [word]


def _mteval_13a(word: str) -> list[str]:
    """The western rules of mteval-v13a: symbols, full stops and commas not inside a number, dashes after a digit."""
    for entity, character in _ENTITIES:
        word = word.replace(entity, character)
    spaced = _SYMBOL.sub(r" \1 ", f" {word} ")
    spaced = _AFTER_NO_DIGIT.sub(r"\1 \2 ", spaced)
    spaced = _BEFORE_NO_DIGIT.sub(r" \1 \2", spaced)
    return _AFTER_DIGIT.sub(r"\1 - ", spaced).split()


def _international(word: str) -> list[str]:
    """The rules of mteval-v14: Unicode punctuation not inside a number, and symbols. The text's ends count."""
    spaced = ("" if word.startswith(_EDGE) else " ") + word.strip(_EDGE) + ("" if word.endswith(_EDGE) else " ")
    spaced = _space_pairs(spaced, _is_no_number, _is_punctuation, "{} {} ")
    spaced = _space_pairs(spaced, _is_punctuation, _is_no_number, " {} {}")
    return "".join(f" {c} " if unicodedata.category(c)[0] == "S" else c for c in spaced).split()


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P"


def _is_no_number(character: str) -> bool:
    return unicodedata.category(character)[0] != "N"


def _space_pairs(text: str, first: Callable[[str], bool], second: Callable[[str], bool], form: str) -> str:
    """Rewrite pairs of neighbours from the left; a character is part of one pair at most, as in mteval."""
    parts, position = [], 0
    while position < len(text):
        pair = text[position : position + 2]
        if len(pair) == 2 and first(pair[0]) and second(pair[1]):
            parts.append(form.format(*pair))
            position += 2
        else:
            parts.append(pair[0])
            position += 1
    return "".join(parts)


TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "13a": _mteval_13a,
    "intl": _international,
    "char": list,
    "none": _as_it_is,
}


def _words(text: str, tokeniser: str) -> list[str]:
    if tokeniser == "13a":
        text = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    words = text.split()
    if tokeniser == "intl" and words:
        words[-1] += _EDGE
        if not text[0].isspace():
            words[0] = _EDGE + words[0]
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """Token numbers of several texts, one after the other."""

    tokens: Integers
    lengths: Integers
    vocabulary: int


def encode(texts: Sequence[str], tokeniser: str) -> Encoded:
    """Number the tokens of all texts."""
    word_number: defaultdict[str, int] = defaultdict()
    word_number.default_factory = word_number.__len__
    split = [_words(text, tokeniser) for text in texts]
    words = np.fromiter(map(word_number.__getitem__, chain.from_iterable(split)), dtype=np.int64)
    words_of_text = np.fromiter(map(len, split), dtype=np.int64, count=len(split))
    if tokeniser == "none":
        return Encoded(tokens=words, lengths=words_of_text, vocabulary=len(word_number))
    token_number: defaultdict[str, int] = defaultdict()
    token_number.default_factory = token_number.__len__
    cut = TOKENISERS[tokeniser]
    parts = [cut(word) if tokeniser == "char" or not word.isalnum() else [word] for word in word_number]
    flat = np.fromiter(map(token_number.__getitem__, chain.from_iterable(parts)), dtype=np.int64)
    sizes = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    starts = np.cumsum(sizes) - sizes
    repeats = sizes[words]
    ends = np.cumsum(repeats)
    inside = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - repeats, repeats)
    before = np.concatenate([[0], ends])[np.concatenate([[0], np.cumsum(words_of_text)])]
    tokens = flat[np.repeat(starts[words], repeats) + inside]
    return Encoded(tokens=tokens, lengths=np.diff(before), vocabulary=len(token_number))


def match_statistics(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, order: int, tokeniser: str
) -> Integers:
    """Per segment: hypothesis length, closest reference length, then matches and totals of orders 1 to `order`.

    A match is clipped by the greatest count in one reference; of two equally close lengths the shorter one counts.
    """
    segments = len(hypotheses)
    sizes = np.fromiter(map(len, references), dtype=np.int64, count=segments)
    coded = encode([*hypotheses, *chain.from_iterable(references)], tokeniser)
    lengths, of_references = coded.lengths[:segments], coded.lengths[segments:]
    owner = np.repeat(np.arange(segments), sizes)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    closest = _closest(lengths, of_references, owner)
    split = int(lengths.sum())
    ours = _Positions.of(coded.tokens[:split], lengths, np.arange(segments), np.zeros(segments, dtype=np.int64))
    theirs = _Positions.of(coded.tokens[split:], of_references, owner, number)
    matches = _matches(ours, theirs, order, coded.vocabulary, segments, int(sizes.max()))
    totals = np.maximum(lengths[:, None] - np.arange(order), 0)
    return np.column_stack([lengths, closest, *matches, totals])


def _closest(lengths: Integers, of_references: Integers, owner: Integers) -> Integers:
    distance = np.abs(of_references - lengths[owner])
    order = np.lexsort((of_references, distance, owner))
    first = np.flatnonzero(np.diff(owner[order], prepend=-1))
    return np.asarray(of_references[order][first])


@dataclass(slots=True, kw_only=True)
class _Positions:
    """Places where an n-gram may start: the n-gram's number so far, and how many tokens are left from there."""

    tokens: Integers
    start: Integers
    left: Integers
    segment: Integers
    reference: Integers
    gram: Integers

    @classmethod
    def of(cls, tokens: Integers, lengths: Integers, segment: Integers, reference: Integers) -> _Positions:
        start = np.arange(len(tokens))
        left = np.repeat(np.cumsum(lengths), lengths) - start
        segment, reference = np.repeat(segment, lengths), np.repeat(reference, lengths)
        return cls(tokens=tokens, start=start, left=left, segment=segment, reference=reference, gram=segment)

    def keys(self, n: int, vocabulary: int) -> Integers:
        """The number of the (n-1)-gram and the next token in one: exact, both being far below 2**31."""
        self.keep(self.left >= n)
        return np.asarray(self.gram * vocabulary + self.tokens[self.start + (n - 1)])

    def keep(self, mask: npt.NDArray[np.bool_]) -> None:
        self.start, self.left, self.gram = self.start[mask], self.left[mask], self.gram[mask]
        self.segment, self.reference = self.segment[mask], self.reference[mask]


def _matches(
    ours: _Positions, theirs: _Positions, order: int, vocabulary: int, segments: int, references: int
) -> list[Integers]:
    """Clipped matches per segment, for each order; reference places whose n-gram the hypothesis lacks drop out."""
    matches = []
    for n in range(1, order + 1):
        keys = ours.keys(n, vocabulary)
        known, first, ours.gram, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        theirs_keys = theirs.keys(n, vocabulary)
        if len(known) == 0:
            matches.append(np.zeros(segments, dtype=np.int64))
            continue
        places = np.minimum(np.searchsorted(known, theirs_keys), len(known) - 1)
        theirs.gram = places
        theirs.keep(known[places] == theirs_keys)
        cells = np.bincount(theirs.gram * references + theirs.reference, minlength=len(known) * references)
        clipped = np.minimum(counts, cells.reshape(-1, references).max(axis=1))
        matches.append(np.bincount(ours.segment[first], weights=clipped, minlength=segments).astype(np.int64))
    return matches
