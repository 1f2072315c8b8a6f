"""The Federalist: the disputed papers apart, nothing but the papers' own words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from builders import federalist, words

from harness.corpora import Source
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")
DISPUTED = [f"no-{number}" for number in (*range(49, 59), 62, 63)]
KNOWN = {"HAMILTON": 51, "HAMILTON AND MADISON": 3, "JAY": 5, "MADISON": 14}


def add(*paths: Path) -> Dataset:
    add_dataset("federalist", [Source(path=path) for path in paths])
    return open_dataset("federalist")


def check(dataset: Dataset) -> None:
    assert dataset.problems("test").ids == DISPUTED
    assert Counter(truth.author for truth in dataset.truths("test").values()) == {"MADISON": 12}
    assert Counter(truth.author for truth in dataset.truths("train").values()) == KNOWN
    for split in ("train", "test"):
        for problem in dataset.problems(split):
            for word in ("PUBLIUS", "HAMILTON", "MADISON", "Hamilton", "Madison", "To the People of the State", "(1)"):
                assert word not in problem.document.text
    assert "Mosteller and Wallace" in dataset.manifest["about"]
    assert dataset.primary == "accuracy"
    assert list(verify(dataset)) == []


@pytest.mark.parametrize("footnotes", [True, False])
def test_a_folder(tmp_path: Path, footnotes: bool) -> None:
    dataset = add(federalist(tmp_path / "federalist", footnotes=footnotes))
    check(dataset)
    texts = {p.id: p.document.text for split in ("train", "test") for p in dataset.problems(split)}
    assert texts == {f"no-{n:02d}": f"{words(f'f{n}')} and on." for n in range(1, 86)}
    assert "notes" not in dataset.manifest


def test_two_files(tmp_path: Path) -> None:
    folder = federalist(tmp_path / "federalist")
    check(add(folder / "authors.tsv", folder / "pg1404.txt"))


def test_one_of_the_two_files_is_not_enough(tmp_path: Path) -> None:
    folder = federalist(tmp_path / "federalist")
    with pytest.raises(InputError, match=r"needs one .tsv file \(authors.tsv\), and there is none; give both"):
        add(folder / "pg1404.txt")
    with pytest.raises(InputError, match=r"needs one .txt file \(pg1404.txt\), and there is none"):
        add(folder / "authors.tsv")
    (folder / "copy.txt").write_text("x")
    with pytest.raises(InputError, match=r"there are 2, .*copy.txt first; give both"):
        add(folder)
    with pytest.raises(UsageError, match=r"splits are given by authors.tsv"):
        add_dataset("federalist", [Source(path=folder, split="test")])


@pytest.mark.parametrize(
    "file, old, new, message",
    [
        ("pg1404.txt", "*** START", "*** START OF", "no Gutenberg e-text"),
        ("pg1404.txt", "FEDERALIST No. 7\r", "FEDERALIST No. 8\r", "85 headings .*, not 1 to 85 in order"),
        ("pg1404.txt", "FEDERALIST No. 7\r", "Number 7\r", "84 headings"),
        ("pg1404.txt", "To the People of the State of New York.", "Friends,", r"line \d+: No. 15 has 0 salutations"),
        ("pg1404.txt", "wf9x0 ", "", r"No. 9 has \d+ words, \d+ in authors.tsv; use the two files"),
        ("authors.tsv", "7\tfederalist_07.txt", "seven\tfederalist_07.txt", "line 8: not number, file"),
        ("authors.tsv", "7\tfederalist_07.txt", "8\tfederalist_07.txt", "line 9: No. 8 occurs twice"),
        ("authors.tsv", "85\tfederalist_85.txt", "86\tfederalist_85.txt", "authors of No. 1 to 85; No. 85 is amiss"),
    ],
)  # fmt: skip
def test_other_texts_and_tables_are_refused(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = federalist(tmp_path / "federalist")
    content = (folder / file).read_bytes()
    assert old.encode() in content
    changed = b"nothing" if "START" in old else content.replace(old.encode(), new.encode(), 1)
    (folder / file).write_bytes(changed)
    with pytest.raises(FileFaultError, match=message):
        add(folder)


@pytest.mark.corpora
def test_the_real_files(corpora: Path) -> None:
    dataset = add(corpora / "federalist")
    check(dataset)
    rows = (corpora / "federalist" / "authors.tsv").read_text().strip().split("\n")[1:]
    assert sum(int(row.split("\t")[4]) for row in rows) == 190_416  # every paper's words were compared on the way in
    lengths = [len(p.document.text.split()) for s in ("train", "test") for p in dataset.problems(s)]
    assert (len(lengths), min(lengths) > 900) == (85, True)
    assert dataset.problems("train")[10].document.text.endswith("connection between the old and the new world!")
