"""`mkl_ssad` rebuilt on made-up corpora: both tables and the figure, what is not here, and resuming."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from builders import c50, federalist

from harness.corpora import Source
from harness.corpora.c50 import TEN
from harness.papers import PaperTable, mkl_ssad, published, reproduce
from harness.papers._heat_map import draw_mixtures
from harness.store import add_dataset


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home for all tests of this module: rebuilding takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("BAKEOFF_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def small(own_home: Path, tmp_path_factory: pytest.TempPathFactory) -> list[PaperTable]:
    archives = tmp_path_factory.mktemp("archives")
    add_dataset("c50-10", [Source(path=c50(archives / "c50", TEN, texts=5))])
    add_dataset("federalist", [Source(path=federalist(archives / "federalist"))])
    return reproduce("mkl_ssad", quick=True)


def test_every_cell_stands_beside_the_published_one(small: list[PaperTable]) -> None:
    paper = published("mkl_ssad")
    first, figure, second = small
    assert [row[0] for row in first.rows[::2]] == list(paper["table1"])
    for row in first.rows:
        assert float(row[2]) == paper["table1"][row[0]][row[1].removeprefix("F ")]
        assert float(row[3]) - float(row[2]) == pytest.approx(float(row[5]), abs=0.011)
        assert 0 <= float(row[3]) <= 100
    assert len(figure.rows) == len(TEN) * len(paper["norms"])
    for row in figure.rows:
        p, weights = float(row[1]), np.array(row[2:], dtype=float)
        assert (weights**p).sum() == pytest.approx(1, abs=0.02)
    assert [row[0] for row in second.rows] == list(paper["table2"])
    for row in second.rows:
        for cell in (row[2], row[5]):
            assert sum(map(float, cell.split(", "))) == pytest.approx(12, abs=0.01)
    assert all(table.notes for table in small)


def test_raw_cosines_make_svdd_and_ocsvm_one_method(small: list[PaperTable]) -> None:
    raw = {row[0]: row[5] for row in small[2].rows}
    for kernel in ("function_words", "pos", "suffixes", "bow"):
        assert raw[f"svdd(kernel={kernel})"] == raw[f"ocsvm(kernel={kernel})"]


def test_finished_cells_are_not_measured_again(
    own_home: Path, small: list[PaperTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = sorted((own_home / "reproduction" / "mkl_ssad").glob("*.json"))
    assert len(cells) == 11 + 2 * 5 * 13

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(mkl_ssad, "_judge", refuse)
    monkeypatch.setattr(mkl_ssad, "_credit", refuse)
    steps: list[tuple[int, int]] = []
    again = reproduce("mkl_ssad", quick=True, on_progress=lambda done, total, what: steps.append((done, total)))
    assert again == small
    assert steps == [(done, 141) for done in range(141)]
    with pytest.raises(AssertionError, match="measured again"):
        reproduce("mkl_ssad", quick=True, seed=1)


@pytest.mark.parametrize(
    "gap, verdict", [(5.0, "kernel holds here"), (0.1, "is not confirmed"), (-5.0, "is contradicted")]
)
@pytest.mark.parametrize("sets", [1, 4])
def test_the_claim_is_judged_by_its_error(gap: float, verdict: str, sets: int) -> None:
    base = np.array([89.0, 91.0, 90.0, 90.0])[:sets]
    noise = np.array([0.5, -0.5, 0.5, -0.5])[:sets]
    found = {"mkl_ssad(p=1)": base + gap * 2 + noise, "ssad(kernel=bow)": base, "ssad(kernel=pos)": base - 20}
    assert verdict in mkl_ssad._claim({**found, "ssad(kernel=sum)": base})


def test_the_figure_is_drawn(own_home: Path, small: list[PaperTable]) -> None:
    tree = ElementTree.parse(own_home / "reproduction" / "mkl_ssad-figure2.svg")
    titles = [node.text or "" for node in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == len(TEN) * 5 * 4
    first = small[1].rows[0]
    assert f"{first[0]}, p = {first[1]}, function_words: {first[2]}" in titles


def test_names_are_escaped_in_the_drawing() -> None:
    drawn = "".join(draw_mixtures(["A & <B>"], [1], ["bow"], {("A & <B>", 1): [1.0]}))
    assert "A &amp; &lt;B&gt;" in drawn
    ElementTree.fromstring(drawn)


def test_corpora_that_are_not_here_are_said_to_be_absent(home: Path) -> None:
    for table in reproduce("mkl_ssad", quick=True):
        assert "not here; bakeoff datasets add" in table.rows[0][1]


@pytest.mark.corpora
def test_real_corpora_reach_what_was_measured(home: Path, corpora: Path) -> None:
    add_dataset("c50-10", [Source(path=corpora / "C50.zip")])
    add_dataset("federalist", [Source(path=corpora / "federalist")])
    first, _, second = reproduce("mkl_ssad", quick=True)
    measured = {(row[0], row[1]): float(row[3]) for row in first.rows}
    for measure in ("F micro", "F macro"):
        assert max(value for (call, kind), value in measured.items() if "mkl" in call and kind == measure) >= 90
    singles = [row for row in first.rows if row[0].startswith("ssad")]
    assert all(float(row[3]) > float(row[2]) for row in singles)
    assert not any("holds here" in note for note in first.notes)
    credited = {row[0]: [float(count) for count in row[2].split(", ")] for row in second.rows}
    assert credited["mkl_ssad(p=2)"][1] >= 11
