"""The style of a message as relative frequencies: what Argamon, Šarić & Stein 2003 describe in words.

Lexical items are function words and net abbreviations. Every token also has a capitalisation (six kinds), a placement
(four) and a length, every line a length. Counted are the items, each item with its capitalisation and with its
placement, and capitalisation, placement and word length on their own, all divided by the number of tokens; and line
lengths, divided by the number of lines. The paper took 303 function words and 190 abbreviations from pages that
are gone; the lists here are the project's own, and the ways of combining are a reading of one sentence.

The subject is a first line that begins "Subject:"; a text without one has no words so placed. The first token
of a paragraph is not counted as the first of its line too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from scipy import sparse

from systems.text.arrays import Ints
from systems.text.function_words import FUNCTION_WORDS
from systems.text.net_abbreviations import NET_ABBREVIATIONS

CAPITALISATIONS = ("capitalised", "lower", "upper", "mixed", "punctuation", "number")
PLACEMENTS = ("subject", "line start", "paragraph start", "other")
_SUBJECT, _LINE, _PARAGRAPH, _OTHER = range(4)
LEXICON: tuple[str, ...] = tuple(sorted({*FUNCTION_WORDS, *NET_ABBREVIATIONS}))
_LONGEST_WORD = 20
_LINE_STEP, _LONGEST_LINE = 5, 100
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]+|_+")
_SUBJECT_LINE = re.compile(r"Subject:(.*)(?:\n|\Z)", re.IGNORECASE)
_CASES = 4  # of the six capitalisations, those that a word can have

_ITEM_CASE = len(LEXICON)
_ITEM_PLACE = _ITEM_CASE + _CASES * len(LEXICON)
_CAPITALISATION = _ITEM_PLACE + len(PLACEMENTS) * len(LEXICON)
_PLACEMENT = _CAPITALISATION + len(CAPITALISATIONS)
_WORD_LENGTH = _PLACEMENT + len(PLACEMENTS)
_LINE_LENGTH = _WORD_LENGTH + _LONGEST_WORD
FEATURES = _LINE_LENGTH + _LONGEST_LINE // _LINE_STEP + 1


def feature_names() -> list[str]:
    """What each column counts, in order."""
    with_case = [f"{item}, {case}" for item in LEXICON for case in CAPITALISATIONS[:_CASES]]
    with_place = [f"{item}, {place}" for item in LEXICON for place in PLACEMENTS]
    cases, places = [f"case: {case}" for case in CAPITALISATIONS], [f"place: {place}" for place in PLACEMENTS]
    words = [f"word of {size}" for size in range(1, _LONGEST_WORD)] + [f"word of {_LONGEST_WORD} or more"]
    lines = [f"line of {size} to {size + _LINE_STEP - 1}" for size in range(0, _LONGEST_LINE, _LINE_STEP)]
    lines.append(f"line of {_LONGEST_LINE} or more")
    return [*LEXICON, *with_case, *with_place, *cases, *places, *words, *lines]


def capitalisation(token: str) -> str:
    """Which of the six kinds a token is; a single capital letter counts as a capitalised word."""
    if not any(character.isalnum() for character in token):
        return "punctuation"
    if not any(character.isalpha() for character in token):
        return "number"
    if token == token.lower():
        return "lower"
    if token[0].isupper() and token[1:] == token[1:].lower():
        return "capitalised"
    return "upper" if token == token.upper() else "mixed"


class _Tokens:
    """All tokens of all texts in a row, and all lines: gathered in Python, counted in numpy."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}  # of each distinct token
        self.kinds: list[int] = []  # which distinct token each is
        self.sizes: list[int] = []  # tokens of each text
        self.firsts: list[tuple[int, int]] = []  # place in the row and placement of each line's first token
        self.subjects: list[tuple[int, int]] = []  # where in the row subjects begin and end
        self.line_lengths: list[int] = []
        self.line_counts: list[int] = []  # lines of each text

    def read(self, text: str) -> None:
        """Add a text."""
        before, lines_before = len(self.kinds), len(self.line_lengths)
        subject = _SUBJECT_LINE.match(text)
        if subject is not None:
            self._add(_TOKEN.findall(subject.group(1)))
            self.subjects.append((before, len(self.kinds)))
            text = text[subject.end() :]
        placement = _PARAGRAPH
        for line in text.split("\n"):
            tokens = _TOKEN.findall(line)
            if tokens:
                self.firsts.append((len(self.kinds), placement))
                self._add(tokens)
                self.line_lengths.append(len(line.rstrip()))
            placement = _LINE if tokens else _PARAGRAPH  # a blank line ends a paragraph
        self.sizes.append(len(self.kinds) - before)
        self.line_counts.append(len(self.line_lengths) - lines_before)

    def _add(self, tokens: list[str]) -> None:
        self.kinds += [self.numbers.setdefault(token, len(self.numbers)) for token in tokens]

    def placements(self) -> Ints:
        """Where each token stands."""
        placements = np.full(len(self.kinds), _OTHER, dtype=np.int64)
        for begin, end in self.subjects:
            placements[begin:end] = _SUBJECT
        firsts = np.array(self.firsts, dtype=np.int64).reshape(-1, 2)
        placements[firsts[:, 0]] = firsts[:, 1]
        return placements


def extract_features(texts: Iterable[str]) -> sparse.csr_array:
    """One row a text, `FEATURES` columns; an empty text has an empty row."""
    tokens = _Tokens()
    for text in texts:
        tokens.read(text)
    features = sparse.csr_array(
        _shares(*_token_features(tokens), totals=tokens.sizes)
        + _shares(*_line_features(tokens), totals=tokens.line_counts)
    )
    features.sort_indices()
    return features


def _shares(rows: Ints, columns: Ints, *, totals: list[int]) -> sparse.csr_array:
    """Counts of (row, column), each divided by the row's total."""
    values = 1 / np.array(totals, dtype=np.float64)[rows]  # a row that counts anything has a total
    return sparse.coo_array((values, (rows, columns)), shape=(len(totals), FEATURES)).tocsr()


def _line_features(tokens: _Tokens) -> tuple[Ints, Ints]:
    lengths = np.minimum(np.array(tokens.line_lengths, dtype=np.int64), _LONGEST_LINE)
    return np.repeat(np.arange(len(tokens.line_counts)), tokens.line_counts), _LINE_LENGTH + lengths // _LINE_STEP


def _token_features(tokens: _Tokens) -> tuple[Ints, Ints]:
    """Text and column of every count: three of each token, and three more of each lexical item."""
    places = {item: place for place, item in enumerate(LEXICON)}
    item_of = [places.get(token.lower().replace("’", "'"), -1) for token in tokens.numbers]
    case_of = [CAPITALISATIONS.index(capitalisation(token)) for token in tokens.numbers]
    length_of = [min(len(token), _LONGEST_WORD) for token in tokens.numbers]
    kinds = np.array(tokens.kinds, dtype=np.int64)
    item, case, length = np.array([item_of, case_of, length_of], dtype=np.int64)[:, kinds]
    text, placement = np.repeat(np.arange(len(tokens.sizes)), tokens.sizes), tokens.placements()
    lexical = item >= 0
    columns = [
        _CAPITALISATION + case,
        _PLACEMENT + placement,
        _WORD_LENGTH + length - 1,
        item[lexical],
        _ITEM_CASE + _CASES * item[lexical] + case[lexical],
        _ITEM_PLACE + len(PLACEMENTS) * item[lexical] + placement[lexical],
    ]
    rows = [text] * 3 + [text[lexical]] * 3
    return np.concatenate(rows), np.concatenate(columns)
