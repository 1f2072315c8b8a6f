"""Folders, zips, tars and single files seen as one thing, the hostile ones refused."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import warnings
import zipfile
from pathlib import Path

import pytest

from harness.corpora import archive
from harness.corpora.archive import FileTree, FolderTree, TarTree, ZipTree, open_tree, read_json
from harness.errors import FileFaultError, InputError

FILES = {"top/b.txt": b"b", "top/a.txt": b"a", "top/deep/c.txt": b"c"}
JUNK = {"top/.DS_Store": b"", "__MACOSX/top/._a.txt": b"", "top/Thumbs.db": b"", "top/deep/.directory": b""}


def make_zip(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as out:
        out.writestr("top/", b"")
        for name, data in members.items():
            out.writestr(name, data)
    return path


def make_tar(path: Path, members: dict[str, bytes], mode: str = "w:gz", kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, mode) as out:  # type: ignore[call-overload]
        top = tarfile.TarInfo("top")
        top.type = tarfile.DIRTYPE
        out.addfile(top)
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.type, info.size = (kind if data == b"evil" else tarfile.REGTYPE), len(data)
            info.linkname = "/etc/passwd"
            out.addfile(info, io.BytesIO(data))
    return path


def make_folder(path: Path, members: dict[str, bytes]) -> Path:
    for name, data in members.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


@pytest.mark.parametrize("make", [make_zip, make_tar, make_folder])
def test_archives_and_a_folder_look_the_same(tmp_path: Path, make: object) -> None:
    tree = open_tree(make(tmp_path / "corpus", FILES | JUNK))  # type: ignore[operator]
    assert tree.files() == sorted(FILES)
    assert {name: tree.read(name) for name in tree.files()} == FILES
    assert tree.where("top/a.txt") == f"{tmp_path}/corpus/top/a.txt"


def test_kinds_are_told_by_content(tmp_path: Path) -> None:
    (tmp_path / "truth.txt").write_bytes(b"EN04 Y\n")
    assert isinstance(open_tree(tmp_path), FolderTree)
    assert isinstance(open_tree(tmp_path / "truth.txt"), FileTree)
    assert isinstance(open_tree(make_zip(tmp_path / "no-suffix", FILES)), ZipTree)


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_zip_is_refused(tmp_path: Path, keep: float) -> None:
    path = make_zip(tmp_path / "whole.zip", FILES)
    data = path.read_bytes()
    cut = tmp_path / "cut.bin"  # even without the suffix
    cut.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(FileFaultError, match=r"cut.bin: not a whole zip archive .*download it again"):
        open_tree(cut)


@pytest.mark.parametrize(
    "name", ["../evil.txt", "top/../../evil.txt", "/etc/evil.txt", "..\\evil.txt", "\\evil.txt", "C:/evil.txt", "."]
)
def test_names_that_lead_out_of_a_zip_are_refused(tmp_path: Path, name: str) -> None:
    path = make_zip(tmp_path / "evil.zip", FILES | {name: b"evil"})
    with pytest.raises(FileFaultError, match=r"evil.zip: member .* points outside the archive; do not trust"):
        open_tree(path)


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as out:
        info = zipfile.ZipInfo("top/known01.txt")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(info, "/etc/passwd")
    with pytest.raises(FileFaultError, match=r"'top/known01.txt' is a link"):
        open_tree(tmp_path / "link.zip")


def test_a_name_that_occurs_twice_in_a_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as out, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out.writestr("top/truth.txt", "EN04 Y\n")
        out.writestr("top/truth.txt", "EN04 N\n")
    with pytest.raises(FileFaultError, match=r"'top/truth.txt' occurs twice"):
        open_tree(tmp_path / "twice.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_member_is_named(tmp_path: Path, method: int) -> None:
    text = bytes(range(256)) * 40
    path = make_zip(tmp_path / "damaged.zip", {"top/a.txt": b"fine", "top/b.txt": text}, method)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as whole:
        start = whole.getinfo("top/b.txt").header_offset + 30 + len("top/b.txt")
    data[start + 20 : start + 30] = b"\xff" * 10
    path.write_bytes(data)
    tree = open_tree(path)
    assert tree.read("top/a.txt") == b"fine"
    with pytest.raises(FileFaultError, match=r"damaged.zip/top/b.txt: damaged in the archive .*download it again"):
        tree.read("top/b.txt")


def test_an_encrypted_member_is_explained(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "secret.zip", {"top/a.txt": b"text"}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    local, central = data.rindex(b"PK\x03\x04"), data.rindex(b"PK\x01\x02")
    data[local + 6] |= 1
    data[central + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(FileFaultError, match=r"secret.zip/top/a.txt: cannot be unpacked .*unzip it yourself"):
        open_tree(path).read("top/a.txt")


@pytest.mark.parametrize("make", [make_zip, make_tar, make_folder])
def test_a_file_too_large_to_be_a_text_is_not_read(
    tmp_path: Path, make: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_FILE", 1 << 20)
    tree = open_tree(make(tmp_path / "bomb", {"top/a.txt": b"\0" * (1 << 20), "top/b.txt": b"\0" * ((1 << 20) + 1)}))  # type: ignore[operator]
    assert len(tree.read("top/a.txt")) == 1 << 20
    with pytest.raises(FileFaultError, match=r"bomb/top/b.txt: larger than 1 MB"):
        tree.read("top/b.txt")


def test_a_gigabyte_is_never_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "huge.txt").open("wb") as out:
        out.truncate(1 << 30)
    for tree in (open_tree(tmp_path / "huge.txt"), open_tree(tmp_path)):
        with pytest.raises(FileFaultError, match=r"huge.txt: larger than \d\d MB"):
            tree.read("huge.txt")


@pytest.mark.parametrize("target", ["../outside.txt", "/etc/hostname", "../folder", "absent.txt", "top"])
def test_a_link_that_leads_out_or_nowhere_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside.txt").write_text("outside")
    make_folder(tmp_path / "folder" / "sub", {"known01.txt": b""})
    corpus = make_folder(tmp_path / "corpus", FILES)
    (corpus / "link.txt").symlink_to(target)
    with pytest.raises(FileFaultError, match=r"corpus/link.txt: a link .*; copy"):
        open_tree(corpus)


def test_a_link_within_the_folder_is_a_file(tmp_path: Path) -> None:
    corpus = make_folder(tmp_path / "corpus", FILES)
    (corpus / "link.txt").symlink_to("top/a.txt")
    assert open_tree(corpus).read("link.txt") == b"a"


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    corpus = make_folder(tmp_path / "corpus", FILES)
    os.mkfifo(corpus / "top" / "known01.txt")
    assert open_tree(corpus).files() == sorted(FILES)


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = open_tree(make_folder(tmp_path / "corpus", FILES))
    monkeypatch.setattr(Path, "open", _denied)
    with pytest.raises(FileFaultError, match=r"corpus/top/a.txt: cannot be read \(Permission denied\)"):
        tree.read("top/a.txt")


def test_a_folder_that_may_not_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = make_folder(tmp_path / "corpus", FILES)
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: _denied(path) if str(path).endswith("deep") else real(path))
    with pytest.raises(InputError, match=r"cannot read .*corpus/top/deep: Permission denied"):
        open_tree(corpus)


def _denied(path: object, *_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied", str(path))


@pytest.mark.parametrize("name", ["absent", "empty", "junk"])
def test_nothing_is_not_a_corpus(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    make_folder(tmp_path / "junk", JUNK)
    with pytest.raises(InputError, match=rf"{name} (does not exist|is empty); give an archive or folder"):
        open_tree(tmp_path / name)


@pytest.mark.parametrize(
    "name, mode", [("a.tar", "w"), ("a.tgz", "w:gz"), ("a.tar.gz", "w:gz"), ("plain", "w"), ("packed", "w:gz")]
)
def test_a_tar_is_told_by_name_or_content(tmp_path: Path, name: str, mode: str) -> None:
    tree = open_tree(make_tar(tmp_path / name, {"./top/a.txt": b"a"} | JUNK, mode))
    assert isinstance(tree, TarTree)
    assert (tree.files(), tree.read("top/a.txt"), tree.size("top/a.txt")) == (["top/a.txt"], b"a", 1)


def test_a_compressed_file_that_is_no_tar_is_a_file(tmp_path: Path) -> None:
    for name, data in (("rows.tsv.gz", gzip.compress(b"a\tb\n" * 500)), ("odd.gz", b"\x1f\x8bnot gzip at all")):
        (tmp_path / name).write_bytes(data)
        assert isinstance(open_tree(tmp_path / name), FileTree)


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_truncated_tar_is_refused(tmp_path: Path, keep: float, mode: str) -> None:
    noise = {f"top/{n}.txt": os.urandom(2000) for n in range(5)}
    path = make_tar(tmp_path / "whole.tar", noise, mode)
    path.write_bytes(path.read_bytes()[: int(6000 * keep)])
    with pytest.raises(FileFaultError, match=r"whole.tar(/top/\d.txt)?: (not a whole tar|damaged).*download it again"):
        [tree.read(name) for tree in [open_tree(path)] for name in tree.files()]


@pytest.mark.parametrize("name", ["../evil.txt", "top/../../evil.txt", "/etc/evil.txt", "..\\evil.txt", "C:/evil.txt"])
def test_names_that_lead_out_of_a_tar_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileFaultError, match=r"evil.tar: member .* points outside the archive; do not trust"):
        open_tree(make_tar(tmp_path / "evil.tar", FILES | {name: b"evil"}))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_a_link_or_device_in_a_tar_is_refused(tmp_path: Path, kind: bytes) -> None:
    with pytest.raises(FileFaultError, match=r"'top/known01.txt' is a link or a device; unpack"):
        open_tree(make_tar(tmp_path / "link.tar", {"top/known01.txt": b"evil"}, kind=kind))


def test_a_name_that_occurs_twice_in_a_tar_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFaultError, match=r"'top/a.txt' occurs twice"):
        open_tree(make_tar(tmp_path / "twice.tar", FILES | {"./top/a.txt": b"other"}))


def test_a_tar_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_tar(tmp_path / "bomb.tar.gz", {"top/a.txt": b"\0" * (3 << 20)})
    assert path.stat().st_size < 1 << 16
    monkeypatch.setattr(archive, "MAX_TAR", 1 << 20)
    with pytest.raises(FileFaultError, match=r"bomb.tar.gz: unpacks to more than 1 MB; unpack it yourself"):
        open_tree(path)


def test_json_that_is_none_is_named_by_line(tmp_path: Path) -> None:
    tree = open_tree(make_folder(tmp_path, {"a.json": b"[1,\n2", "b.json": b"[" * 200_000, "c.json": b'{"a": 1}'}))
    assert read_json(tree, "c.json") == {"a": 1}
    with pytest.raises(FileFaultError, match=r"a.json, line 2: not JSON .*use the original"):
        read_json(tree, "a.json")
    with pytest.raises(FileFaultError, match=r"b.json: not JSON .*use the original"):
        read_json(tree, "b.json")
