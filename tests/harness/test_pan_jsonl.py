"""PAN 2020 and after: pairs and truths, whatever their files are called."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from builders import jsonl, pan20, words, zipped

from harness.corpora import Source
from harness.dataset import Dataset
from harness.errors import InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place whose name says nothing: pytest's own say `test`."""
    (tmp_path / "corpus").mkdir()
    return tmp_path / "corpus"


def add(*paths: Path | Source, identifier: str = "pan20", like: str | None = None) -> Dataset:
    sources = [path if isinstance(path, Source) else Source(path=path) for path in paths]
    add_dataset(identifier, sources, like=like)
    return open_dataset(identifier)


def test_pan20(folder: Path) -> None:
    dataset = add(pan20(folder))
    assert dataset.manifest["counts"] == {"train": {"problems": 8, "documents": 16, "truths": {"N": 4, "Y": 4}}}
    problem = dataset.problems("train")[3]
    assert (problem.id, problem.known[0].text, problem.questioned.text) == ("p-0003", words("p3a"), words("p3b"))
    assert dataset.truths("train")["p-0003"].authors == ("3", "4")
    assert dataset.primary == "overall(year=2020)"
    assert list(verify(dataset)) == []


def test_authors_and_same_never_reach_the_inputs(folder: Path) -> None:
    dataset = add(pan20(folder))
    for path in ("train/inputs.jsonl", "documents.jsonl"):
        text = (dataset.folder / path).read_text()
        assert "authors" not in text
        assert "same" not in text
    assert all(row["fandoms"] == ["A", "B"] for row in dataset.inputs("train").values())


def test_only_known_fields_are_taken_over(folder: Path) -> None:
    """An allow list: what a release adds, in pairs or truths, may give the author away."""
    pair, truth = {"id": "a", "pair": ["x", "y"]}, {"id": "a", "same": True, "authors": ["1", "1"]}
    jsonl(folder / "pairs.jsonl", [{**pair, "authors": ["1", "1"], "secret": "s"}])
    jsonl(folder / "truth.jsonl", [{**truth, "secret": "s"}])
    dataset = add(folder)
    assert [set(row) for row in dataset.inputs("train").values()] == [{"id", "known", "questioned"}]
    assert json.loads((dataset.folder / "train" / "truths.jsonl").read_text()) == truth
    assert not any("secret" in path.read_text() for path in dataset.folder.rglob("*.jsonl"))


@pytest.mark.parametrize("top", ["", "inner/"])
def test_files_are_told_by_content_in_folder_and_zip(folder: Path, top: str) -> None:
    pan20(folder / "x" / top)
    (folder / "x" / top / "pairs.jsonl").rename(folder / "x" / top / "pan20-small.jsonl")
    (folder / "x" / top / "truth.jsonl").rename(folder / "x" / top / "a-truth.jsonl")
    from_folder = add(folder / "x", identifier="one", like="pan20")
    if top:
        (folder / "x" / top).rename(folder / "y")
        from_zip = add(zipped(folder / "y"), identifier="two", like="pan20")
        assert from_zip.manifest["files"] == from_folder.manifest["files"]
    assert len(from_folder.problems("train")) == 8


def test_train_and_test_add_up_from_single_files(folder: Path) -> None:
    train, test = pan20(folder / "a"), pan20(folder / "b", count=5, seed="q")
    dataset = add(
        Source(path=test / "pairs.jsonl", split="test"),
        train / "truth.jsonl",
        train / "pairs.jsonl",
        test / "truth.jsonl",
    )
    assert {split: len(dataset.truths(split)) for split in dataset.splits} == {"train": 8, "test": 5}


def test_a_blind_test_split(folder: Path) -> None:
    dataset = add(pan20(folder / "train"), pan20(folder / "test", seed="q", truth=False))
    assert dataset.manifest["notes"] == ["test: no truths, so runs on it cannot be scored"]
    assert not (dataset.folder / "test" / "truths.jsonl").exists()


def test_line_separators_inside_texts(folder: Path) -> None:
    text = "a\u2028b\u2029c\x85d\r\ne\x0cf"
    rows = [{"id": str(n), "pair": [text, words(n)]} for n in range(4)]
    (folder / "pairs.jsonl").write_bytes(
        b"\xef\xbb\xbf" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    )
    jsonl(folder / "truth.jsonl", ({"id": str(n), "same": n < 2} for n in range(4)))
    dataset = add(folder)
    assert [problem.known[0].text for problem in dataset.problems("train")] == [text] * 4
    assert {row["fold"] for row in dataset.folds().values()} == {0, 1, 2, 3}  # one text ties all: cut across


PAIR = '{"id": "a", "pair": ["x", "y"]}'
TRUTH = '{"id": "a", "same": true}'


@pytest.mark.parametrize(
    "pairs, truths, said",
    [
        ('{"id": "a", "pair": ["x"]}', TRUTH, "pairs.jsonl, line 1: 'a': \"pair\" must hold two texts"),
        (
            f'{PAIR}\n{{"id": "b", "pair": ["x", null]}}',
            TRUTH + '\n{"id": "b", "same": true}',
            "pairs.jsonl, line 2: 'b': \"pair\" must",
        ),
        ('{"id": "a", "pair": ["x", "y"], "fandoms": NaN}', TRUTH, "pairs.jsonl, line 1: 'a': \"fandoms\" must"),
        (f"{PAIR}\n{PAIR}", TRUTH, "pairs.jsonl, line 2: id 'a' stands in line 1 already"),
        (f"{PAIR}\n\n", TRUTH, "pairs.jsonl, line 2: not JSON"),
        (PAIR, f"{TRUTH}\n{TRUTH}", "truth.jsonl, line 2: id 'a' occurs twice"),
        (PAIR, '{"id": "a", "same": "yes"}', "truth.jsonl, line 1: 'a': \"same\" must be true or false"),
        (PAIR, f'{TRUTH}\n{{"id": "b"}}', "truth.jsonl, line 2: 'b': \"same\" must be true or false"),
        (PAIR, '{"id": "a", "same": true, "authors": null}', "truth.jsonl, line 1: 'a': \"authors\" must be"),
        (PAIR, '{"id": "z", "same": true}', "truth.jsonl: the truth file of other pairs"),
        (f'{PAIR}\n{{"id": "b", "pair": ["x", "y"]}}', TRUTH, "pairs.jsonl, line 2: no truth for 'b'"),
        (PAIR, '{"id": "a", "value": 1}', "truth.jsonl, line 1: neither pairs nor truths"),
        (PAIR, "", "truth.jsonl is empty; expected pairs or truths"),
        (TRUTH, TRUTH, "no pairs.jsonl in "),
        ('{"id": "a", "pair": ["\\ud800", "y"]}', TRUTH, "pairs.jsonl, line 1: half of a surrogate pair"),
    ],
)
def test_faults_are_named_by_file_and_line(folder: Path, home: Path, pairs: str, truths: str, said: str) -> None:
    (folder / "pairs.jsonl").write_text(pairs)
    (folder / "truth.jsonl").write_text(truths)
    with pytest.raises(InputError) as caught:
        add(folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not any(home.rglob("*.jsonl"))


def test_training_pairs_need_truths(folder: Path) -> None:
    with pytest.raises(InputError, match=r"pairs.jsonl: training pairs need a truth.jsonl; add it with --from"):
        add(pan20(folder, truth=False))


def test_two_files_of_pairs_for_one_split(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"a/pairs.jsonl, .*b/pairs.jsonl: two for one split; say which is which"):
        add(pan20(folder / "a"), pan20(folder / "b", seed="q"))


def test_pairs_are_streamed(folder: Path) -> None:
    """30 MB of pairs must not be in memory at once."""
    text = "x" * 50_000
    jsonl(folder / "pairs.jsonl", ({"id": str(n), "pair": [text, f"{n}{text}"]} for n in range(300)))
    jsonl(folder / "truth.jsonl", ({"id": str(n), "same": n % 2 == 0} for n in range(300)))
    tracemalloc.start()
    try:
        add(zipped(folder))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 12 << 20
