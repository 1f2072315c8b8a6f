"""Bad input through the command: one line that names file, line and way out; exit code 1 or 2; nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Command, jsonl, pan14, pan20, snapshot, zipped

Damage = Callable[[Path], Path]


def rewrite(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def truncated(folder: Path) -> Path:
    path = zipped(pan14(folder / "c"))
    return rewrite(path, path.read_bytes()[:-3000])


def traversing(folder: Path) -> Path:
    return zipped(pan14(folder / "c"), extra={"c/../../evil.txt": b"evil"})


def damaged(folder: Path) -> Path:
    path = zipped(pan14(folder / "c"))
    data = path.read_bytes()
    place = data.index(b"DE007/unknown.txt") + 30
    return rewrite(path, data[:place] + b"\xff" * 8 + data[place + 8 :])


def doubled(folder: Path) -> Path:
    path = zipped(pan14(folder / "c"))
    with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("c/truth.txt", "DE001 N\n")
    return path


def with_file(name: str, data: bytes) -> Damage:
    def build(folder: Path) -> Path:
        release = pan14(folder / "c")
        rewrite(release / name, data)
        return release

    return build


def linked(folder: Path) -> Path:
    release = pan14(folder / "c")
    (release / "DE001" / "known09.txt").symlink_to("/etc/hostname")
    return release


def emptied(folder: Path) -> Path:
    (folder / "c").mkdir()
    return folder / "c"


def in_the_way(folder: Path) -> Path:
    release = pan14(folder / "c")
    (release / "truth.txt").unlink()
    (release / "truth.txt").mkdir()
    return release


def alone(name: str, data: bytes) -> Damage:
    return lambda folder: rewrite(folder / name, data)


RELEASES: dict[str, tuple[Damage, str]] = {
    "truncated zip": (truncated, "c.zip: not a whole zip archive (File is not a zip file); download it again"),
    "path traversal": (
        traversing,
        "c.zip: member 'c/../../evil.txt' points outside the archive; do not trust this file",
    ),
    "damaged member": (damaged, "c.zip/c/DE007/unknown.txt: damaged in the archive ("),
    "member twice": (doubled, "c.zip: member 'c/truth.txt' occurs twice; download the archive again"),
    "NUL bytes": (
        with_file("DE003/known01.txt", b"a\nb\0c"),
        "DE003/known01.txt, line 2: a NUL byte; this is not a text file",
    ),
    "Latin-1": (
        with_file("DE003/unknown.txt", b"\n\ncaf\xe9"),
        "DE003/unknown.txt, line 3: byte 5 is not UTF-8; re-save",
    ),
    "UTF-16": (
        with_file("DE003/unknown.txt", "text".encode("utf-16")),
        "DE003/unknown.txt, line 1: byte 0 is not UTF-8",
    ),
    "truths of another corpus": (with_file("truth.txt", b"EN001 Y\n"), "truth.txt: the truth file of another corpus"),
    "answers as truths": (with_file("truth.txt", b"DE001 0.7\n"), "truth.txt, line 1: not a truth file; write the id"),
    "truth twice": (
        with_file("truth.txt", b"DE001 Y\r\n\r\nDE001 Y\r\n"),
        "truth.txt, line 3: id 'DE001' occurs twice",
    ),
    "truths of one": (with_file("truth.txt", b"DE001 Y\n"), "truth.txt: no truth for 11 problems, DE002 first"),
    "link out": (linked, "DE001/known09.txt: a link that leads out of the folder; copy the file instead"),
    "empty folder": (emptied, "c is empty; give an archive or folder as distributed"),
    "folder for a file": (in_the_way, "c: no truth.txt, which its train problems need; add the file with --from"),
    "nothing there": (lambda folder: folder / "absent", "absent does not exist; give an archive or folder"),
    "another archive": (alone("x.tar.gz", b"\x1f\x8b\x08\0\0"), "x.tar.gz"),
    "empty zip": (alone("x.zip", b"PK\x05\x06" + b"\0" * 18), "x.zip is empty; give an archive or folder"),
    "empty file": (alone("x", b""), "x is not a PAN folder or zip; expected <problem>/known01.txt"),
    "other folder": (alone("c/readme.md", b"hello"), "readme.md"),
}


@pytest.mark.parametrize("case", RELEASES)
def test_a_bad_release(bakeoff: Command, tmp_path: Path, home: Path, case: str) -> None:
    build, said = RELEASES[case]
    (tmp_path / "in").mkdir()
    source = build(tmp_path / "in")
    before = snapshot(tmp_path)
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", source)
    assert result.code == 1
    assert result.out == ""
    assert said in result.error
    assert str(tmp_path / "in") in result.error
    assert snapshot(tmp_path) == before
    assert leftovers(home) == []


def leftovers(home: Path) -> list[str]:
    folder = home / "datasets"
    return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []


PAIR = b'{"id": "a", "pair": ["x", "y"]}\n'
TRUTH = b'{"id": "a", "same": true}\n'
PAIRS: dict[str, tuple[bytes, bytes, str]] = {
    "NUL bytes": (PAIR + b"\0\0\0\n", TRUTH, "pairs.jsonl, line 2: not JSON"),
    "Latin-1": (PAIR.replace(b"x", b"\xe9"), TRUTH, "pairs.jsonl, line 1: byte 22 is not UTF-8"),
    "blank line": (PAIR + b"\r\n" + PAIR, TRUTH, "pairs.jsonl, line 2: not JSON"),
    "cut off": (PAIR + PAIR[:-6], TRUTH, "pairs.jsonl, line 2: not JSON"),
    "equal ids": (PAIR + PAIR, TRUTH, "pairs.jsonl, line 2: id 'a' stands in line 1 already; remove one"),
    "truths of others": (PAIR, TRUTH.replace(b'"a"', b'"z"'), "truth.jsonl: the truth file of other pairs"),
    "truth twice": (PAIR, TRUTH + TRUTH, "truth.jsonl, line 2: id 'a' occurs twice; keep the right one"),
    "answers as truths": (
        PAIR,
        b'{"id": "a", "value": 0.5}\n',
        'truth.jsonl, line 1: neither pairs nor truths: a row needs "pair"',
    ),
}


@pytest.mark.parametrize("case", PAIRS)
def test_bad_pairs(bakeoff: Command, tmp_path: Path, home: Path, case: str) -> None:
    pairs, truths, said = PAIRS[case]
    rewrite(tmp_path / "c" / "pairs.jsonl", pairs)
    rewrite(tmp_path / "c" / "truth.jsonl", truths)
    result = bakeoff("datasets", "add", "pan20", "--from", tmp_path / "c")
    assert (result.code, result.out) == (1, "")
    assert said in result.error
    assert leftovers(home) == []


LIMITED = ["bash", "-c", 'ulimit -v 1228800; exec "$@"', "limited", sys.executable, "-m", "harness"]
"""A process that may not have the memory to hold a gigabyte twice."""


@pytest.mark.parametrize("place", ["c/pairs.jsonl", "c/DE001/known01.txt", "c/truth.txt", "run.txt"])
def test_a_line_of_a_gigabyte(tmp_path: Path, home: Path, place: str) -> None:
    huge = tmp_path / place
    if "pairs" in place:
        pan20(tmp_path / "c")
        arguments = ["datasets", "add", "pan20", "--from", str(tmp_path / "c")]
    elif "run" in place:
        arguments = [
            "score",
            str(huge),
            "--task",
            "verification",
            "--truth",
            str(rewrite(tmp_path / "t", b"DE001 Y\n")),
        ]
    else:
        arguments = ["datasets", "add", "mine", "--like", "pan14", "--from", str(pan14(tmp_path / "c"))]
    with huge.open("wb") as out:
        out.write(b"DE001 0.5\n" * 3 if "run" in place else b"")
        out.truncate(1 << 30)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([*LIMITED, *arguments], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert f"{huge}" in done.stderr
    assert "than 64 MB; is this the right file?" in done.stderr
    assert leftovers(home) == []


@pytest.mark.parametrize("identifier", ["a/b", "../evil", "..", ".hidden", "", "a b", "a\\b", "x" * 300, "a\nb", "é"])
def test_an_id_that_is_no_name(bakeoff: Command, tmp_path: Path, home: Path, identifier: str) -> None:
    release = pan14(tmp_path / "c")
    before = snapshot(tmp_path)
    result = bakeoff("datasets", "add", "--like", "pan14", "--from", release, "--", identifier)
    assert result.code == 2
    assert "cannot be a dataset id; use up to 100 letters, digits" in result.error
    assert snapshot(tmp_path) == before


def test_equal_problems_in_two_archives(bakeoff: Command, tmp_path: Path, home: Path) -> None:
    one, two = zipped(pan14(tmp_path / "one")), zipped(pan14(tmp_path / "two"))
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", one, "--from", two)
    assert result.code == 2
    assert f"{two}: problem DE001 is in {one} too; leave one out, or say which is which" in result.error
    assert leftovers(home) == []


def test_an_archive_of_another_corpus(bakeoff: Command, tmp_path: Path) -> None:
    result = bakeoff("datasets", "add", "pan14-english-novels", "--from", pan14(tmp_path / "c"))
    assert result.code == 1
    assert "holds dutch essays; add it as pan14-dutch-essays" in result.error
    assert bakeoff("datasets", "add", "pan14-englsh-novels", "--from", tmp_path / "c").code == 2


@pytest.mark.parametrize("target", ["DE005/unknown.txt", "truth.txt"])
def test_a_file_that_may_not_be_read(
    bakeoff: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    release = pan14(tmp_path / "c")
    real = Path.open

    def guarded(path: Path, *arguments: object, **options: object) -> object:
        if path == release / target:  # as the system does; a test may run as root, whom no mode bit stops
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", guarded)
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", release)
    assert result.code == 1
    assert f"{release / target}: cannot be read (Permission denied)" in result.error
    assert leftovers(home) == []


def test_boms_crlf_and_line_separators_are_no_fault(bakeoff: Command, tmp_path: Path, home: Path) -> None:
    release = pan14(tmp_path / "c")
    rewrite(release / "DE001" / "unknown.txt", b"\xef\xbb\xbf" + "a\u2028b\x85c\r\nd\x0ce\rf".encode())
    rewrite(release / "contents.json", b"\xef\xbb\xbf" + (release / "contents.json").read_bytes() + b"\r\n")
    assert bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", release).code == 0
    assert bakeoff("datasets", "verify", "mine").code == 0
    answers = "".join(f"DE{n:03d} 0.{n:02d}\r\n" for n in range(1, 13))
    run = rewrite(tmp_path / "answers.txt", b"\xef\xbb\xbf" + answers.encode())
    assert bakeoff("check", run, "mine").code == 0
    assert leftovers(home) == ["mine"]


@pytest.fixture
def mine(bakeoff: Command, tmp_path: Path) -> str:
    assert bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", pan14(tmp_path / "c")).code == 0
    return "mine"


RUNS: dict[str, tuple[bytes, str]] = {
    "another dataset": (b"EN001 0.5\nEN002 0.7\n", "none of its ids is asked here"),
    "NUL bytes": (b"\0" * 100, "is no verification run of a known format"),
    "prose": (b"This is not a run, nor was it meant to be.\n" * 3, "is no verification run of a known format"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "is no verification run of a known format"),
}


@pytest.mark.parametrize("command", ["check", "score", "compare"])
@pytest.mark.parametrize("case", RUNS)
def test_a_run_that_is_none_of_this_dataset(
    bakeoff: Command, tmp_path: Path, mine: str, case: str, command: str
) -> None:
    content, said = RUNS[case]
    run = rewrite(tmp_path / "answers.txt", content)
    result = bakeoff(command, *([run] * (2 if command == "compare" else 1)), mine)
    assert result.code == 1
    if command == "check" and case == "another dataset":  # the report itself is the answer, on standard output
        assert result.out == f"{run}: none of its ids is in mine (first: 'EN001'); is it a run of another dataset?\n"
    else:
        assert str(run) in result.error
        assert said in result.error


def test_a_run_of_another_dataset_that_is_here_is_named(bakeoff: Command, tmp_path: Path, mine: str) -> None:
    assert bakeoff("datasets", "add", "pan20", "--from", f"train={pan20(tmp_path / 'p')}").code == 0
    run = jsonl(tmp_path / "answers.jsonl", ({"id": f"p-{n:04d}", "value": 0.3} for n in range(8)))
    assert bakeoff("check", run, "pan20").code == 0
    result = bakeoff("check", run, mine)
    assert result.code == 1
    assert result.out == f"{run}: a run of pan20, not of mine: no id is asked here (first: 'p-0000')\n"


@pytest.mark.parametrize("command", ["check", "score"])
@pytest.mark.parametrize("name", ["absent", "empty-folder"])
def test_no_run_at_all(bakeoff: Command, tmp_path: Path, mine: str, name: str, command: str) -> None:
    (tmp_path / "empty-folder").mkdir()
    result = bakeoff(command, tmp_path / name, mine)
    assert result.code == 1
    assert f"{tmp_path / name} " in result.error


@pytest.mark.parametrize(
    "truth, said",
    [
        (b"", "is no verification truth file of a known format"),
        (b"EN001 Y\nEN001 N\n", "truth.txt, line 2: id 'EN001' occurs twice"),
        (b"EN001 Y\nEN002 0.5 x\nEN003 N\n", "truth.txt, line 2: write the id, a blank, and Y or N"),
        (b'{"id": "EN001", "same": 1}\n', "truth.txt, line 1: id 'EN001': \"same\" must be true or false"),
        (b'{"id": "EN001", "same": true, "authors": null}\n', "truth.txt, line 1: id 'EN001': "),
        (b'{"id": "EN001"\n', "truth.txt, line 1: not JSON"),
        (b"XX001 Y\nXX002 N\n", "none of its ids is asked here"),
        (b"\xff\xfe Y\nEN002 N\n", "truth.txt, line 1: byte 0 is not UTF-8"),
    ],
)
def test_a_wrong_truth_file_for_official_scores(bakeoff: Command, tmp_path: Path, truth: bytes, said: str) -> None:
    run = rewrite(tmp_path / "answers.txt", b"EN001 0.9\nEN002 0.1\n")
    path = rewrite(tmp_path / "truth.txt", truth)
    result = bakeoff("score", run, "--task", "verification", "--truth", path)
    assert (result.code, result.out) == (1, "")
    assert said in result.error
    absent = bakeoff("score", run, "--task", "verification", "--truth", tmp_path / "absent.txt")
    assert absent.code == 1
    assert "absent.txt is not a truth file" in absent.error


def test_a_home_that_cannot_be_written(bakeoff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = pan14(tmp_path / "c")
    monkeypatch.setenv("BAKEOFF_HOME", str(rewrite(tmp_path / "file", b"")))
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", release)
    assert result.code == 2
    assert f"cannot write to {tmp_path}/file/datasets" in result.error


def test_a_full_disk_is_one_line_and_leaves_nothing(
    bakeoff: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = pan14(tmp_path / "c")

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("harness.corpora.writer.dump_row", full)
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", release)
    assert result.code == 1
    assert "No space left on device" in result.error
    assert leftovers(home) == []


def test_an_interrupted_import_leaves_nothing(
    bakeoff: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.corpora import pan_folders

    real, seen = pan_folders._read_problem, []

    def interrupted(release: object, identifier: str, *arguments: object, **options: object) -> object:
        seen.append(leftovers(home))
        if identifier == "DE007":
            raise KeyboardInterrupt
        return real(release, identifier, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pan_folders, "_read_problem", interrupted)
    result = bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", pan14(tmp_path / "c"))
    assert result.code == 130
    assert "Traceback" not in result.err
    assert all(len(names) == 1 and names[0].startswith(".partial-mine-") for names in seen)
    assert leftovers(home) == []


def test_a_failed_replacement_keeps_the_old_dataset(bakeoff: Command, tmp_path: Path, home: Path, mine: str) -> None:
    before = snapshot(home)
    bad = pan14(tmp_path / "bad")
    rewrite(bad / "DE012" / "unknown.txt", b"\0")
    assert bakeoff("datasets", "add", mine, "--like", "pan14", "--from", bad, "--replace").code == 1
    assert snapshot(home) == before


def test_a_killed_import_is_not_taken_for_a_dataset(bakeoff: Command, tmp_path: Path, home: Path) -> None:
    """Killed while it reads a pipe that never ends; then the same import is made again."""
    release = pan14(tmp_path / "c", count=400)
    arguments = ["datasets", "add", "mine", "--like", "pan14", "--from", str(release)]
    slow = (
        "import sys, time; from harness.corpora import pan_folders as p; real = p._read_problem\n"
        "def wait(*a, **k):\n    time.sleep(0.02)\n    return real(*a, **k)\n"
        "p._read_problem = wait; from harness.cli.main import main; main()"
    )
    process = subprocess.Popen([sys.executable, "-c", slow, *arguments], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while not leftovers(home) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert [name.startswith(".partial-mine-") for name in leftovers(home)] == [True]
    assert "mine" not in bakeoff("datasets", "list").out.split()
    assert bakeoff("datasets", "show", "mine").code == 2
    assert bakeoff(*arguments).code == 0
    assert bakeoff("datasets", "verify", "mine").code == 0
