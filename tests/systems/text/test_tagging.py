"""Tags and their cache: what is asked once is not asked again, and a damaged entry is made anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.text import tagging
from systems.text.tagging import cache_folder, get_tagger, tag_texts


class Counting:
    """Tags each word with its length, and counts the texts it was given."""

    name = "counting-1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def tag(self, text: str) -> list[str]:
        self.asked.append(text)
        return [str(len(word)) for word in text.split()]


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path))
    return tmp_path / "cache" / "tags" / "counting-1"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_text_is_tagged_once(entries: Path) -> None:
    tagger = Counting()
    first = tag_texts(["one two three", "", "one two three"], tagger)
    assert first == [["3", "3", "5"], [], ["3", "3", "5"]]
    assert tag_texts(["", "one two three"], tagger) == [[], ["3", "3", "5"]]
    assert tagger.asked == ["one two three", ""]
    assert len(files(entries)) == 2


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"abc\n3\n3", None])
def test_a_damaged_entry_is_made_again(entries: Path, damage: bytes | None) -> None:
    tagger = Counting()
    tag_texts(["one two three"], tagger)
    (path,) = files(entries)
    whole = path.read_bytes()
    path.write_bytes(whole[:-2] if damage is None else damage)
    assert tag_texts(["one two three"], tagger) == [["3", "3", "5"]]
    assert len(tagger.asked) == 2
    assert path.read_bytes() == whole


def test_a_tagger_by_another_name_has_a_cache_of_its_own(entries: Path) -> None:
    tagger, newer = Counting(), Counting()
    newer.name = "counting-2"
    tag_texts(["a text"], tagger)
    tag_texts(["a text"], newer)
    assert newer.asked == ["a text"]


def test_nothing_half_written_is_left(entries: Path) -> None:
    tag_texts([f"text {number}" for number in range(20)], Counting())
    assert not [path for path in files(entries) if path.name.startswith(".")]


def test_a_cache_that_cannot_be_written_costs_a_warning_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path))
    with pytest.warns(UserWarning, match="tags are not kept"):
        assert tag_texts(["one two"], Counting()) == [["3", "3"]]


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BAKEOFF_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bakeoff" / "tags"
    monkeypatch.setenv("BAKEOFF_HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / "cache" / "tags"


def test_an_unknown_or_missing_tagger_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no tagger named 'nobody'; known: hanta, pattern"):
        get_tagger("nobody")
    with pytest.raises(ValueError, match="pip install surely-not-installed"):
        tagging._installed("surely-not-installed")


@pytest.mark.parametrize(
    "sentence, tags",
    [
        ("The old man slowly read a book .", "DT JJ NN RB VB DT NN ."),
        ("She has written two letters to them .", "PRP VBZ VBN CD NNS TO PRP ."),
    ],
)
def test_the_default_tagger_knows_its_grammar(entries: Path, sentence: str, tags: str) -> None:
    (found,) = tag_texts([sentence])
    assert len(found) == len(tags.split())
    assert sum(a[:2] == b[:2] for a, b in zip(found, tags.split(), strict=True)) >= len(found) - 1


@given(text=st.text(max_size=80))
def test_any_text_gets_tags(text: str) -> None:
    assert all(isinstance(tag, str) and tag for tag in get_tagger("pattern").tag(text))
