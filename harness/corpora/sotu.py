"""`sotu-verification`: annual messages of US presidents, two a problem, by one author or two.

Made so that topic, century, length and occasion do not give the author away: both messages of a pair are at most
eight years apart, for every distance in years there are as many pairs by one author as by two, each text is
the middle of its message cut to the same number of words, and no author is in both splits.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from harness.corpora.corpus import Corpus, Item, Split
from harness.corpora.messages import WORDS, Message, read_messages
from harness.records import Document

MAX_YEARS = 8
BLOCK = 4
"""Presidents in a row that go to one split: neighbours in time are what pairs by two authors are made of."""
PAIRS_PER_SPLIT = 300


def read_corpus(identifier: str, seed: int = 2014) -> Corpus:
    """The pairs of both splits; the same for the same release of the `sotu` package."""
    del identifier
    messages = list(read_messages(words=WORDS))
    sides = _sides(messages)
    chooser = random.Random(seed)
    return Corpus(
        task="verification",
        card={},
        splits={split: list(_items(split, sides[split], chooser)) for split in ("train", "test")},
    )


def _sides(messages: Iterable[Message]) -> dict[Split, list[Message]]:
    """Authors in order of their first message, dealt to the two splits in blocks."""
    by_author: dict[str, list[Message]] = defaultdict(list)
    for message in messages:
        by_author[message.author].append(message)
    in_time = sorted(by_author, key=lambda author: (min(m.year for m in by_author[author]), author))
    sides: dict[Split, list[Message]] = {"train": [], "test": []}
    for position, author in enumerate(in_time):
        sides["train" if (position // BLOCK) % 2 == 0 else "test"].extend(by_author[author])
    return sides


def _items(split: Split, messages: Sequence[Message], chooser: random.Random) -> Iterator[Item]:
    pairs = _balanced(sorted(messages, key=lambda message: message.id), chooser)
    for number, (known, questioned) in enumerate(pairs, start=1):
        documents = tuple(Document(id=message.id, text=message.text) for message in (known, questioned))
        same = known.author == questioned.author
        yield Item(
            id=f"{split}-{number:03d}",
            inputs={"known": [known.id], "questioned": questioned.id},
            documents=documents,
            truth={"same": same, "authors": [known.author, questioned.author]},
            stratum="Y" if same else "N",
        )


def _balanced(messages: Sequence[Message], chooser: random.Random) -> list[tuple[Message, Message]]:
    """As many pairs by one author as by two at every distance in years, then shuffled."""
    by_distance: dict[int, dict[bool, list[tuple[Message, Message]]]] = {}
    for position, first in enumerate(messages):
        for second in messages[position + 1 :]:
            years = abs(first.year - second.year)
            if 1 <= years <= MAX_YEARS:
                kinds = by_distance.setdefault(years, {True: [], False: []})
                kinds[first.author == second.author].append((first, second))
    quotas = _quotas({years: min(map(len, kinds.values())) for years, kinds in by_distance.items()})
    chosen = [
        pair
        for years in sorted(by_distance)
        for same in (True, False)
        for pair in chooser.sample(by_distance[years][same], quotas[years])
    ]
    chooser.shuffle(chosen)
    return [pair if chooser.random() < 0.5 else (pair[1], pair[0]) for pair in chosen]


def _quotas(available: dict[int, int]) -> dict[int, int]:
    """How many pairs of each class to take at each distance: all, or their share of the wanted number."""
    wanted, total = PAIRS_PER_SPLIT // 2, sum(available.values())
    if total <= wanted:
        return available
    return {years: count * wanted // total for years, count in available.items()}
