"""The default data: neither century, nor topic, nor length, nor occasion gives the author away."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from harness.corpora.corpus import Corpus, Item
from harness.corpora.messages import WORDS, clean, middle, read_messages
from harness.corpora.sotu import MAX_YEARS, _quotas, read_corpus
from harness.store import open_dataset
from harness.verify import verify

SPLITS = ("train", "test")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus("sotu-verification")


@pytest.fixture(scope="module")
def items(corpus: Corpus) -> dict[str, list[Item]]:
    return {split: list(corpus.splits[split]) for split in SPLITS}  # type: ignore[index]


@pytest.fixture(scope="module")
def years() -> dict[str, int]:
    return {message.id: message.year for message in read_messages()}


@pytest.fixture(scope="module")
def authors() -> dict[str, str]:
    return {message.id: message.author for message in read_messages()}


def test_truths_are_the_authors(items: dict[str, list[Item]], authors: dict[str, str]) -> None:
    for split in SPLITS:
        for item in items[split]:
            pair = [authors[item.inputs["known"][0]], authors[item.inputs["questioned"]]]
            assert item.truth == {"same": pair[0] == pair[1], "authors": pair}


@pytest.mark.parametrize("split", SPLITS)
def test_classes_are_balanced_at_every_distance(
    items: dict[str, list[Item]], years: dict[str, int], split: str
) -> None:
    distances: Counter[tuple[int, bool]] = Counter()
    for item in items[split]:
        distance = abs(years[item.inputs["known"][0]] - years[item.inputs["questioned"]])
        assert 1 <= distance <= MAX_YEARS
        distances[distance, bool((item.truth or {})["same"])] += 1
    assert len(items[split]) >= 250
    assert all(distances[years, True] == distances[years, False] for years in range(1, MAX_YEARS + 1))


def test_no_author_and_no_message_is_in_both_splits(items: dict[str, list[Item]], authors: dict[str, str]) -> None:
    messages = {split: {d.id for item in items[split] for d in item.documents} for split in SPLITS}
    assert not messages["train"] & messages["test"]
    names = {split: {authors[m] for m in messages[split]} for split in SPLITS}
    assert not names["train"] & names["test"]
    assert min(len(names[split]) for split in SPLITS) >= 15


def test_no_pair_twice_in_either_order(items: dict[str, list[Item]]) -> None:
    for split in SPLITS:
        pairs = [frozenset((i.inputs["known"][0], i.inputs["questioned"])) for i in items[split]]
        assert len(set(pairs)) == len(pairs)
        assert all(len(pair) == 2 for pair in pairs)


def test_the_side_says_nothing(items: dict[str, list[Item]], years: dict[str, int]) -> None:
    for split in SPLITS:
        earlier = [years[i.inputs["known"][0]] < years[i.inputs["questioned"]] for i in items[split]]
        assert 0.4 < sum(earlier) / len(earlier) < 0.6


def test_inputs_name_no_author_and_no_year(items: dict[str, list[Item]]) -> None:
    for split in SPLITS:
        for item in items[split]:
            assert re.fullmatch(rf"{split}-\d{{3}}", item.id)
            assert set(item.inputs) == {"known", "questioned"}
            assert all(re.fullmatch(r"message-\d{3}", document.id) for document in item.documents)


def test_ids_do_not_follow_time(years: dict[str, int]) -> None:
    in_order = [years[identifier] for identifier in sorted(years)]
    rising = sum(a < b for a, b in itertools.pairwise(in_order)) / (len(in_order) - 1)
    assert 0.4 < rising < 0.6


def test_texts_are_of_one_length_and_without_editors_notes(items: dict[str, list[Item]]) -> None:
    documents = {d.id: d.text for split in SPLITS for item in items[split] for d in item.documents}
    lengths = [len(text.split()) for text in documents.values()]
    assert max(lengths) == WORDS
    assert sum(length == WORDS for length in lengths) / len(lengths) > 0.9
    assert not any(
        re.search(r"\[(Laughter|Applause)|^The President\.", text, re.MULTILINE) for text in documents.values()
    )


def test_cleaning_and_cutting() -> None:
    assert (
        clean("The President. My fellow [applause] citizens\nThe President spoke.")
        == "My fellow  citizens\nThe President spoke."
    )
    text = " ".join(map(str, range(WORDS + 100)))
    assert middle(text, WORDS).split() == [str(n) for n in range(50, WORDS + 50)]
    assert middle("a few  words", WORDS) == "a few  words"
    assert _quotas({1: 10, 2: 5}) == {1: 10, 2: 5}
    assert sum(_quotas({1: 1000, 2: 500}).values()) == 150


def test_authors_are_told_apart_by_their_full_names(authors: dict[str, str]) -> None:
    """Two Adamses, two Johnsons, two Roosevelts, two Bushes: surnames alone would make one author of each two."""
    assert len(set(authors.values())) == 43
    assert len({name.split()[-1] for name in authors.values()}) < 43


def test_it_is_built_once_as_published(home: Path) -> None:
    dataset = open_dataset("sotu-verification")
    assert dataset.folder == home / "datasets" / "sotu-verification"
    assert list(verify(dataset)) == []
    counts = dataset.manifest["counts"]
    assert {split: len(dataset.problems(split)) for split in SPLITS} == {s: counts[s]["problems"] for s in SPLITS}
    written = {path: path.stat().st_mtime_ns for path in dataset.folder.rglob("*.jsonl")}
    open_dataset("sotu-verification")
    assert {path: path.stat().st_mtime_ns for path in dataset.folder.rglob("*.jsonl")} == written
    (dataset.folder / "test" / "inputs.jsonl").unlink()
    assert list(verify(open_dataset("sotu-verification"))) == []
    assert [entry.name for entry in (home / "datasets").iterdir()] == ["sotu-verification"]


def test_another_release_of_the_texts_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.corpora import sotu
    from harness.errors import InputError

    monkeypatch.setattr(sotu, "WORDS", WORDS - 1)
    with pytest.raises(InputError, match="sotu-verification as built here is not the published one; install"):
        open_dataset("sotu-verification")
    assert not any(home.rglob("*.jsonl"))
