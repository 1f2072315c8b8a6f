"""C50: both halves, without anything that names the author."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from builders import Command, c50, words, zipped

from harness.corpora import Source
from harness.corpora.c50 import TEN, without_bylines
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")
FULL_NAME = re.compile(r"(?<=[a-z])(?=[A-Z])")


def add(path: Path, identifier: str = "c50") -> Dataset:
    add_dataset(identifier, [Source(path=path)])
    return open_dataset(identifier)


@pytest.mark.parametrize("top", [None, "C50", "."])
def test_both_halves_become_splits(tmp_path: Path, top: str | None) -> None:
    folder = c50(tmp_path / "c50", ending="-- {} 1 234")
    dataset = add(folder if top is None else zipped(folder, top=top))
    assert dataset.splits == ["train", "test"]
    authors = {"AnnaBell": 3, "LynneO'Donnell": 3}
    assert {s: dataset.manifest["counts"][s]["truths"] for s in ("train", "test")} == {
        "train": authors,
        "test": authors,
    }
    first = dataset.problems("train")[0]
    assert (first.id, first.document.id, first.set) == ("train/1007newsML", "train/1007newsML", "")
    assert first.document.text == words(1007) + "."
    assert "notes" not in dataset.manifest
    assert list(verify(dataset)) == []


def test_ids_and_inputs_name_no_author(tmp_path: Path) -> None:
    dataset = add(c50(tmp_path / "c50", ending="By {} in London"))
    inputs = "".join((dataset.folder / name).read_text() for name in ("train/inputs.jsonl", "test/inputs.jsonl"))
    texts = (dataset.folder / "documents.jsonl").read_text()
    for author in ("AnnaBell", "LynneO'Donnell", "Anna Bell", "Lynne O'Donnell"):
        assert author not in inputs + texts
    assert set(json.loads(inputs.split("\n")[0])) == {"id", "document"}


@pytest.mark.parametrize(
    "ending",
    [
        "-- Anna Bell, London Newsroom +44 171 542 0000",
        "--London newsroom\n--Anna Bell 202-555-0100\n\n",
        "((Anna Bell, Reuters Ottawa Bureau 613 555-6745))",
        "((--Anna Bell, 202-555-8312))",
        "((202-555-8312))",
        "\t (--Bogota newsroom, 571 555 7944)",
        "((anna.bell@reuters.com, Reuters Toronto Bureau (416) 555-8109))",
        "(anna.bell@reuters.com)",
        "- Air Cargo Newsroom Tel+44 171 555 7706 Fax+44 171 555 5017",
        "Reuters Chicago Newsdesk - 312-555-8787",
        "London Newsroom +44 171 555 7717 ($1=.6430 Pound)",
        "Tokyo Equities (+81-3-3555-9998)",
        "-anna.bell@reuters.com, Palo Alto Bureau, +1 415 555 5400",
    ],
)
def test_bylines_go(ending: str) -> None:
    text = 'It was down 16 percent -- adjusted for its split -- in 1995-1996, he said.\n"That is all."'
    for cut in (f"{text}\n{ending}", f"{text} {ending}"):
        if cut.startswith(f"{text} --London newsroom\n"):
            continue  # a byline over two lines always has lines of its own
        assert without_bylines(cut, "AnnaBell").rstrip() == text


@pytest.mark.parametrize(
    "text",
    [
        "The bureau would intensify control, he said.",
        "Shares rose to 1,479.4 +156.6 +11.8 1,589.18 891.93",
        "AT&T's information line is 1-800-555-8500.",
        "-- first\n-- second\nand a last line",
        "He spoke -- as always -- to the bureau chief.",
        "Sales were higher (in 1995 and 1996).",
        "An annabell is no name.",
    ],
)
def test_what_only_looks_like_a_byline_stays(text: str) -> None:
    assert without_bylines(text + "\n", "AnnaBell") == text


def test_a_byline_before_a_rate_of_exchange_goes() -> None:
    text = "He said so. -- Prague Newsroom, 42-2-2555-0003\n($1=26.87 Czech Crown)"
    assert without_bylines(text, "JanDoe") == "He said so.\n($1=26.87 Czech Crown)"


def test_lone_empty_and_equal_texts_and_strangers_are_noted(tmp_path: Path) -> None:
    folder = c50(tmp_path / "c50", ("AnnaBell", "BobCole"), texts=2)
    train, test = folder / "C50train", folder / "C50test"
    (train / "BobCole" / "1021newsML.txt").unlink()
    (train / "AnnaBell" / "1007newsML.txt").write_bytes(b"\r\n")
    (test / "AnnaBell" / "1035newsML.txt").write_bytes((test / "AnnaBell" / "1042newsML.txt").read_bytes())
    (test / "BobCole" / "1049newsML.txt").write_bytes((train / "BobCole" / "1028newsML.txt").read_bytes())
    (test / "CyDunn").mkdir()
    (test / "CyDunn" / "5newsML.txt").write_text("alone")
    assert add(folder).manifest["notes"] == [
        "train: no text at all in train/1007newsML",
        "test: test/1035newsML and test/1042newsML are the same text",
        "train: one text alone by BobCole",
        "test: no known text by CyDunn, so nobody can be expected to name them",
        "test/1049newsML of test is the same text as train/1028newsML of train",
    ]


def test_what_is_not_c50_is_refused(tmp_path: Path) -> None:
    folder = c50(tmp_path / "c50")
    with pytest.raises(UsageError, match="C50 is one archive with both halves"):
        add_dataset("c50", [Source(path=folder, split="train")])
    with pytest.raises(InputError, match=r"c50: no text by AaronPressman in C50train; use the whole archive"):
        add(folder, "c50-10")
    (folder / "C50test").rename(folder / "other")
    with pytest.raises(InputError, match=r"c50: no C50test/<Author>/<number>newsML.txt; use the whole archive"):
        add(folder)


def test_a_number_twice_and_a_foreign_encoding_are_refused_by_file(tmp_path: Path) -> None:
    folder = c50(tmp_path / "c50")
    twice = folder / "C50train" / "AnnaBell" / "1028newsML.txt"
    twice.write_text("text")
    with pytest.raises(FileFaultError, match=r"1028newsML.txt: a number that another author has too"):
        add(folder)
    twice.write_bytes(b"caf\xe9")
    with pytest.raises(FileFaultError, match=r"1028newsML.txt, line 1: byte 3 is not UTF-8"):
        add(folder)


def test_the_command(bakeoff: Command, tmp_path: Path) -> None:
    result = bakeoff("datasets", "add", "c50", "--from", c50(tmp_path / "c50"))
    assert result.code == 0
    assert "c50 test: 6 problems, 6 documents, 3 AnnaBell, 3 LynneO'Donnell" in result.out


@pytest.mark.corpora
@pytest.mark.parametrize("identifier, authors", [("c50", 50), ("c50-10", 10)])
def test_the_real_archive(corpora: Path, identifier: str, authors: int) -> None:
    dataset = add(corpora / "C50.zip", identifier)
    for split in ("train", "test"):
        problems, truths = dataset.problems(split), dataset.truths(split)
        counts = Counter(truth.author for truth in truths.values())
        assert (len(counts), set(counts.values())) == (authors, {50})
        assert identifier == "c50" or set(counts) == set(TEN)
        for problem in problems:
            author = FULL_NAME.sub(" ", truths[problem.id].author)
            assert problem.document.text.strip()
            assert author.lower() not in problem.document.text.lower()
            assert not problem.document.text.rstrip().split("\n")[-1].startswith("--")
            assert not re.search(r"newsroom[ ,+\d-]*$|newsdesk[ ,\d-]*$|@reuters", problem.document.text)
    assert list(verify(dataset)) == []
