"""Whole or absent: what is written, replaced, interrupted or refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from builders import snapshot

from harness import files
from harness.errors import FileFaultError, UsageError
from harness.files import atomic_folder, decode_text, remove_partials, sha256_text, write_atomic


class Stop(BaseException):
    """An end that no code expects."""


def _fill(target: Path, content: str, error: type[BaseException]) -> None:
    """Begin to write, and fail."""
    with atomic_folder(target, replace=True) as folder:
        (folder / "one").write_text(content)
        raise error


def test_a_folder_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "data"
    with atomic_folder(target) as folder:
        (folder / "one").write_text("1")
        assert not target.exists()
        assert folder.name.startswith(files.PARTIAL)
    assert snapshot(tmp_path) == {"deep/data/one": b"1"}
    assert target.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("error", [KeyboardInterrupt, Stop, ValueError])
def test_an_interrupted_folder_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        _fill(tmp_path / "data", "1", error)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_replacement_keeps_the_old_one(tmp_path: Path) -> None:
    write_atomic(tmp_path / "data" / "one", "old")
    with pytest.raises(Stop):
        _fill(tmp_path / "data", "new", Stop)
    assert snapshot(tmp_path) == {"data/one": b"old"}


def test_the_old_folder_is_set_aside_before_it_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deleting takes long; whoever is killed in it must not have lost the name."""
    target = tmp_path / "data"
    write_atomic(target / "one", "old")
    seen: list[bytes | None] = []
    real = shutil.rmtree

    def watched(path: Path, **options: Any) -> None:
        seen.append((target / "one").read_bytes() if target.exists() else None)
        real(path, **options)

    monkeypatch.setattr(shutil, "rmtree", watched)
    with atomic_folder(target, replace=True) as folder:
        (folder / "one").write_text("new")
    assert seen
    assert set(seen) == {b"new"}
    assert snapshot(tmp_path) == {"data/one": b"new"}


def test_an_existing_folder_is_not_touched(tmp_path: Path) -> None:
    write_atomic(tmp_path / "data" / "one", "old")
    with pytest.raises(UsageError, match="exists already; choose another place"), atomic_folder(tmp_path / "data"):
        pytest.fail("must not get here")
    assert snapshot(tmp_path) == {"data/one": b"old"}


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one"
    write_atomic(path, "old")

    def broken(_: int) -> None:
        raise Stop

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(Stop):
        write_atomic(path, "new")
    assert snapshot(tmp_path) == {"one": b"old"}


def test_a_place_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for attempt in (
        lambda: write_atomic(tmp_path / "file" / "x", ""),
        lambda: atomic_folder(tmp_path / "file" / "x").__enter__(),
    ):
        with pytest.raises(UsageError, match=r"cannot write to .*file.*BAKEOFF_HOME"):
            attempt()


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder; give the name of a file"):
        write_atomic(tmp_path, "content")
    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_a_killed_process_can_be_cleared(tmp_path: Path) -> None:
    (tmp_path / f"{files.PARTIAL}folder" / "deep").mkdir(parents=True)
    (tmp_path / f"{files.PARTIAL}file").write_text("")
    (tmp_path / "kept").write_text("")
    remove_partials(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_text_is_decoded_as_it_stands() -> None:
    assert decode_text(b"\xef\xbb\xbfa\r\nb\rc\n", "x") == "a\nb\rc\n"
    assert decode_text("\ufeff\ufeffa\u2028b".encode(), "x") == "\ufeffa\u2028b"


@pytest.mark.parametrize(
    "data, said",
    [(b"one\ntwo \xe9", "x.txt, line 2: byte 8 is not UTF-8; re-save"), (b"a\n\n\0", "x.txt, line 3: a NUL byte")],
)
def test_what_is_no_text_is_refused_by_line(data: bytes, said: str) -> None:
    with pytest.raises(FileFaultError) as caught:
        decode_text(data, "x.txt")
    assert str(caught.value).startswith(said)


def test_hashes_keep_their_parts_apart() -> None:
    assert sha256_text("ab", "c") != sha256_text("a", "bc")
