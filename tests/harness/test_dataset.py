"""Canonical datasets: lazy, split into what may be learnt from and what is judged, known by their hash."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from builders import pan14, words

from harness.corpora import Source
from harness.dataset import Dataset, Documents, read_manifest
from harness.errors import BakeoffError, FileFaultError, InputError, UnknownNameError
from harness.jsonl import dump_row
from harness.store import add_dataset, dataset_ids, open_dataset

pytestmark = pytest.mark.usefixtures("home")
STORIES = 200_000


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    add_dataset("mine", [Source(path=pan14(tmp_path / "c", count=30, shared={3: 0}))], like="pan14")
    return open_dataset("mine")


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of 130 MB, as a dataset of verification problems that point into it."""
    folder = tmp_path_factory.mktemp("stories") / "stories"
    (folder / "train").mkdir(parents=True)
    text = "x" * 600
    with (folder / "documents.jsonl").open("w") as out:
        out.writelines(f'{{"id": "story-{n:06d}", "text": "{n} {text}"}}\n' for n in range(STORIES))
    with (folder / "train" / "inputs.jsonl").open("w") as out:
        for n in range(STORIES // 2):
            row = {"id": f"p{n}", "known": [f"story-{n:06d}"], "questioned": f"story-{STORIES - 1 - n:06d}"}
            out.write(dump_row(row) + "\n")
    return folder


def test_200_000_stories_are_opened_without_their_texts(stories: Path) -> None:
    size = (stories / "documents.jsonl").stat().st_size
    manifest = {"id": "stories", "task": "verification", "files": {}}
    tracemalloc.start()
    try:
        problems = Dataset(folder=stories, manifest=manifest).problems("train")
        assert len(problems) == STORIES // 2
        for position in (0, 5, -1):
            assert problems[position].questioned.text.endswith("x" * 600)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 120 << 20
    assert peak < 60 << 20  # ids and offsets of 300,000 rows


def test_a_walk_over_the_stories_keeps_no_more_than_it_may(stories: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.dataset._KEPT_CHARACTERS", 100_000)
    documents = Documents(stories / "documents.jsonl")
    assert (len(documents), "story-123456" in documents, "nobody" in documents) == (STORIES, True, False)
    assert documents["story-123456"].text.startswith("123456 x")
    tracemalloc.start()
    try:
        assert sum(len(documents[f"story-{n:06d}"].text) for n in range(0, STORIES, 100)) > 1_200_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


def test_slices_are_lazy_sequences(dataset: Dataset) -> None:
    problems = dataset.problems("train")
    assert [p.id for p in problems[3:6]] == ["DE004", "DE005", "DE006"]
    assert problems[-1].id == "DE030"
    assert [p.id for p in problems] == problems.ids
    assert [p.id for p in problems.take([5, 0])] == ["DE006", "DE001"]
    with pytest.raises(IndexError):
        problems[30]


def test_folds_test_every_problem_once_and_keep_shared_texts_apart(dataset: Dataset) -> None:
    tested: list[str] = []
    for part in dataset.parts():
        tested += part.test.ids
        assert len(part.train) == len(part.train_truths)
        seen = {d.text for p in part.train for d in (*p.known, p.questioned)}
        asked = {d.text for p in part.test for d in (*p.known, p.questioned)}
        assert not seen & asked
        assert set(part.train.ids) | set(part.test.ids) == set(dataset.problems("train").ids)
    assert sorted(tested) == dataset.problems("train").ids


def test_near_problems_do_not_train(tmp_path: Path) -> None:
    chain = dict.fromkeys(range(1, 20), 0)
    add_dataset("tied", [Source(path=pan14(tmp_path / "c", count=20, shared=chain))], like="pan14")
    for part in open_dataset("tied").parts():
        assert len(part.test) == 2
        assert len(part.train) == 0


def test_the_fingerprint_is_of_all_but_the_judging_truths(tmp_path: Path) -> None:
    train = Source(path=pan14(tmp_path / "a"), split="train")
    test = pan14(tmp_path / "b", seed="t")

    def fingerprint(name: str) -> str:
        add_dataset(name, [train, Source(path=test, split="test")], like="pan14")
        return open_dataset(name).fingerprint()

    first = fingerprint("one")
    (test / "truth.json").unlink()
    (test / "truth.txt").write_text("".join(f"DE{n:03d} Y\n" for n in range(1, 13)))
    assert fingerprint("two") == first
    assert open_dataset("one").truth_fingerprint() != open_dataset("two").truth_fingerprint()
    (test / "DE001" / "unknown.txt").write_text("another text")
    assert fingerprint("three") != first


def test_an_unknown_id_is_answered_with_the_nearest(dataset: Dataset) -> None:
    with pytest.raises(UnknownNameError, match="no dataset named 'mime'; did you mean 'mine'"):
        open_dataset("mime")
    for hostile in ("../mine", ".", "", "mine/"):
        with pytest.raises(UnknownNameError):
            open_dataset(hostile)
    assert dataset.id in dataset_ids()


def test_what_is_being_written_is_no_dataset(home: Path, dataset: Dataset) -> None:
    dataset.folder.rename(home / "datasets" / ".partial-mine-x")
    assert "mine" not in dataset_ids()
    assert not any("partial" in identifier for identifier in dataset_ids())


@pytest.mark.parametrize("name", ["documents.jsonl", "train/inputs.jsonl", "train/truths.jsonl", "folds.jsonl"])
def test_a_missing_file_is_named(dataset: Dataset, name: str) -> None:
    (dataset.folder / name).unlink()
    with pytest.raises(InputError, match=rf"{name} is missing; remove .*mine and add mine again"):
        open_dataset("mine")


@pytest.mark.parametrize("content", ["id = ", 'id = "x"\ntask = "verification"', "\xff"])
def test_a_broken_manifest_is_named(dataset: Dataset, content: str) -> None:
    (dataset.folder / "dataset.toml").write_bytes(content.encode("latin-1"))
    with pytest.raises(FileFaultError, match=r"dataset.toml: (not TOML|no 'files')"):
        read_manifest(dataset.folder)


@pytest.mark.parametrize(
    "file, row, said",
    [
        ("train/inputs.jsonl", {"known": [], "questioned": "x"}, '"known" must list'),
        ("train/inputs.jsonl", {"known": ["nobody"], "questioned": "x"}, "no document 'nobody' in the collection"),
        ("train/inputs.jsonl", {"known": [7], "questioned": "x"}, "document"),
        ("documents.jsonl", {"texts": "x"}, "text"),
        ("documents.jsonl", {"text": 5}, "text"),
    ],
)
def test_a_bad_row_is_explained(dataset: Dataset, file: str, row: dict[str, object], said: str) -> None:
    path = dataset.folder / file
    lines = path.read_text().split("\n")
    lines[0] = json.dumps({"id": json.loads(lines[0])["id"], **row})
    path.write_text("\n".join(lines))
    with pytest.raises(BakeoffError, match=said):
        open_dataset("mine").problems("train")[0]


def test_texts_come_back_as_they_were(dataset: Dataset) -> None:
    assert dataset.problems("train")[0].questioned.text == words("DE001u")
