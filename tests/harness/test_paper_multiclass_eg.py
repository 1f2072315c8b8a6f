"""`multiclass_eg` rebuilt on made-up posts: all tables, what is not here, resuming, and the cells it resumes from."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from harness.corpora.corpus import Corpus, Item
from harness.corpora.writer import write_dataset
from harness.errors import FileFaultError
from harness.home import datasets_folder
from harness.papers import multiclass_eg, published, reproduce
from harness.papers._cells import Cells
from harness.records import Document


def add_posts(identifier: str, authors: int) -> None:
    """Six posts an author, in folds; each author is fond of some words."""
    rng = random.Random(identifier)
    words = ["the", "of", "and", "but", "to", "i", "you", "btw", "imho", "with", "not", "what", "stone", "river"]
    items = []
    for author in range(authors):
        habits = [rng.random() ** 2 + 0.05 for _ in words]
        for number in range(6):
            text = "Subject: Re: posts\n\n" + " ".join(rng.choices(words, habits, k=40))
            name = f"{author:02d}-{number}"
            items.append(
                Item(
                    id=name,
                    inputs={"document": name},
                    documents=(Document(id=name, text=text),),
                    truth={"author": f"author-{author:02d}"},
                    stratum=f"{author}",
                )
            )
    corpus = Corpus(task="attribution", card={"title": identifier}, splits={"train": items}, folds=3)
    write_dataset(identifier, corpus, datasets_folder() / identifier)


@pytest.fixture
def posts(home: Path) -> None:
    for authors, count in (("2", 2), ("5", 5), ("20", 6), ("10+10", 6)):
        add_posts(f"usenet-alt.atheism-{authors}", count)


def test_the_published_figures_agree_with_themselves() -> None:
    paper = published("multiclass_eg")
    assert [len(paper[f"table{number}"]) for number in (1, 2, 3, 4, 5)] == [12, 24, 27, 27, 27]
    assert set(paper["corpora"]) == set(multiclass_eg.STANDS_FOR)
    for number in (2, 3, 4, 5):
        for row in paper[f"table{number}"]:
            assert row["f_min"] <= row["f"] <= row["f_max"] <= 1
            assert 0 < row["accuracy"] < 100
    for row in paper["table1"]:
        least, most, average = row["posts"]
        assert least <= average <= most
        count = {"10+10": 20}.get(row["authors"]) or int(row["authors"])
        assert 100 * most / (average * count) == pytest.approx(row["largest_share"], abs=0.6)


def test_corpora_that_are_not_here_are_said_to_be_absent(home: Path) -> None:
    tables = reproduce("multiclass_eg", quick=True)
    assert len(tables) == 5
    for table in tables:
        assert all(len(row) == len(table.headings) for row in table.rows)
        assert all(any("bakeoff datasets add usenet-" in cell for cell in row) for row in table.rows)


def test_all_tables_are_measured_where_the_corpora_are(posts: None) -> None:
    first, second, third, *_ = reproduce("multiclass_eg", quick=True)
    books = [row for row in first.rows if row[0].startswith("books")]
    assert [row[4] for row in books] == [f"usenet-alt.atheism-{n}" for n in ("2", "5", "20", "10+10")]
    assert books[0][5:7] == ["6/6/6", "50"]
    for table, expected in ((second, 8), (third, 27)):
        rows = [row for row in table.rows if row[0].startswith("books")]
        assert len(rows) == expected
        for row in rows:
            assert 0 <= float(row[4]) <= 100
            assert float(row[5]) == pytest.approx(float(row[4]) - float(row[3]), abs=0.051)
    measured = {tuple(row[:3]): row[4:] for row in third.rows}
    for size in ("5", "10+10", "20"):
        by_rows = [measured[f"books({size})", combine, "rows"][0] for combine in ("vote", "min", "max")]
        assert len(set(by_rows)) == 1
        (one_vs_all,) = [row[4] for row in second.rows if row[::2][:2] == [f"books({size})", "ultraconservative"]]
        assert by_rows[0] == one_vs_all
    assert any("ultraconservative" in note for note in second.notes)
    assert any("rows" in note for note in third.notes)


def test_a_second_time_nothing_is_computed(posts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    before = reproduce("multiclass_eg", quick=True)
    monkeypatch.setattr(multiclass_eg, "_cross_validate", None)
    assert reproduce("multiclass_eg", quick=True) == before


def test_what_was_finished_when_it_stopped_is_not_computed_again(posts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    compute = multiclass_eg._cross_validate

    def stops_after_three(*arguments: Any) -> Any:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(arguments[1:3])
        return compute(*arguments)

    monkeypatch.setattr(multiclass_eg, "_cross_validate", stops_after_three)
    with pytest.raises(KeyboardInterrupt):
        reproduce("multiclass_eg", quick=True)
    monkeypatch.setattr(multiclass_eg, "_cross_validate", lambda *a: done.append(a[1:3]) or compute(*a))
    reproduce("multiclass_eg", quick=True)
    assert len(done) == 4 * (5 + 2)  # five variants a corpus, and two on plain frequencies for contrast


def test_progress_names_each_cell(posts: None) -> None:
    seen: list[tuple[int, int, str]] = []
    reproduce("multiclass_eg", quick=True, on_progress=lambda *step: seen.append(step))
    assert [done for done, _, _ in seen] == list(range(21))
    assert seen[0][1:] == (20, "usenet-alt.atheism-2, one_vs_all, naive")


def test_a_cell_is_computed_once_and_a_broken_one_is_named(home: Path) -> None:
    cells, calls = Cells("multiclass_eg"), []
    for _ in range(2):
        assert cells.get(lambda: calls.append(1) or {"a": 0.1}, "data", "p=2") == {"a": 0.1}
    assert calls == [1]
    (path,) = cells.folder.glob("*.json")
    assert json.loads(path.read_text())["key"] == ["data", "p=2"]
    path.write_text("{")
    with pytest.raises(FileFaultError, match="remove the file"):
        cells.get(dict, "data", "p=2")
