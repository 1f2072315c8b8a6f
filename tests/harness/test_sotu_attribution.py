"""The default data of attribution: every author and every era on both sides, no year on both."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

import pytest

from harness.corpora.attribution import notes_on
from harness.corpora.corpus import Item
from harness.corpora.messages import WORDS, Message, read_messages
from harness.corpora.sotu_attribution import MIN_YEARS, _dealt, read_corpus
from harness.errors import InputError
from harness.store import open_dataset
from harness.verify import verify

SPLITS = ("train", "test")


@pytest.fixture(scope="module")
def items() -> dict[str, list[Item]]:
    corpus = read_corpus("sotu-attribution")
    return {split: list(corpus.splits[split]) for split in SPLITS}  # type: ignore[index]


@pytest.fixture(scope="module")
def messages() -> dict[str, Message]:
    return {message.id: message for message in read_messages()}


def test_truths_are_the_authors(items: dict[str, list[Item]], messages: dict[str, Message]) -> None:
    for split in SPLITS:
        for item in items[split]:
            assert item.truth == {"author": messages[item.id].author}
            assert item.documents[0].text == messages[item.id].text


def test_every_author_is_in_both_splits_with_enough(items: dict[str, list[Item]]) -> None:
    counts = {split: Counter((item.truth or {})["author"] for item in items[split]) for split in SPLITS}
    assert set(counts["train"]) == set(counts["test"])
    assert len(counts["train"]) == 18
    assert min(counts["train"].values()) >= MIN_YEARS // 2
    assert min(counts["test"].values()) >= MIN_YEARS // 2
    assert (counts["train"].total(), counts["test"].total()) == (73, 68)


def test_what_was_sent_in_one_year_is_in_one_split(items: dict[str, list[Item]], messages: dict[str, Message]) -> None:
    years = {split: {(messages[i.id].author, messages[i.id].year) for i in items[split]} for split in SPLITS}
    assert not years["train"] & years["test"]


def test_eras_are_mixed(items: dict[str, list[Item]], messages: dict[str, Message]) -> None:
    """Neither split has the early years of its authors alone."""
    by_author: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for split in SPLITS:
        for item in items[split]:
            by_author[messages[item.id].author][split].append(messages[item.id].year)
    for years in by_author.values():
        assert abs(fmean(years["train"]) - fmean(years["test"])) <= 2
        assert min(years["test"]) < max(years["train"])
        assert min(years["train"]) < max(years["test"])


def test_inputs_name_no_author_and_no_year(items: dict[str, list[Item]]) -> None:
    for split in SPLITS:
        assert [item.id for item in items[split]] == sorted(item.id for item in items[split])
        for item in items[split]:
            assert re.fullmatch(r"message-\d{3}", item.id)
            assert item.inputs == {"document": item.id}
            assert (item.truth or {})["author"].lower() not in item.documents[0].text.lower()
            assert len(item.documents[0].text.split()) <= WORDS


def test_no_text_occurs_twice(items: dict[str, list[Item]]) -> None:
    assert notes_on({"train": items["train"], "test": items["test"]}) == []


def test_dealing() -> None:
    """Six years make an author; two messages of a year go together; the odd year is for learning."""
    rows = [("A", year) for year in (1, 1, 2, 3, 4, 5, 6, 7)] + [("B", year) for year in range(1, 6)]
    made = [Message(id=f"m{n}", author=author, year=year, text="") for n, (author, year) in enumerate(rows)]
    for seed in range(20):
        dealt = _dealt(made, seed)
        years = {split: {m.year for side, m in dealt if side == split} for split in SPLITS}
        assert (len(years["train"]), len(years["test"])) == (4, 3)
        assert {m.id for _, m in dealt} == {f"m{n}" for n in range(8)}
        assert not years["train"] & years["test"]


def test_it_is_built_as_published(home: Path) -> None:
    dataset = open_dataset("sotu-attribution")
    assert dataset.folder == home / "datasets" / "sotu-attribution"
    assert list(verify(dataset)) == []
    assert {split: len(dataset.problems(split)) for split in SPLITS} == {"train": 73, "test": 68}
    assert "Topic and era help" in dataset.manifest["about"]
    (part,) = dataset.parts()
    assert (len(part.train), len(part.train_truths), len(part.test)) == (73, 73, 68)


def test_another_release_of_the_texts_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.corpora import sotu_attribution

    monkeypatch.setattr(sotu_attribution, "WORDS", WORDS - 1)
    with pytest.raises(InputError, match="sotu-attribution as built here is not the published one; install"):
        open_dataset("sotu-attribution")
    assert not any(home.rglob("*.jsonl"))
