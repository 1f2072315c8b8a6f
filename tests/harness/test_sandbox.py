"""Real hostile programs between real walls: each is stopped, its true reason named, and nothing of it remains."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import RefusedError, UsageError
from harness.sandbox import Ending, Job, Limits, find_engine, run_job, staged
from harness.sandbox.staging import Staged, collect
from harness.sandbox.supervision import process_ids

LIMITS = Limits(seconds=10, cpu_seconds=20, memory_mb=200, processes=24, output_mb=4)
needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="NO BUBBLEWRAP: apt install bubblewrap, and these tests run"
)
pytestmark = needs_bubblewrap


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Staged]:
    program = tmp_path / "program"
    program.mkdir()
    (program / "data.txt").write_text("of the submission\n")
    with staged(program) as made:
        (made.inputs / "inputs.jsonl").write_text('{"id": "a"}\n')
        yield made


def run(folders: Staged, command: str, *, limits: Limits = LIMITS) -> Ending:
    job = Job(command=command, program=folders.program, inputs=folders.inputs, output=folders.output, limits=limits)
    return run_job(job, "bubblewrap")


def _alive(mark: str) -> list[int]:
    found = []
    for pid in process_ids():
        try:
            if mark.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


def test_a_good_program_reads_its_input_and_writes_its_output(folders: Staged) -> None:
    ending = run(folders, "cat $inputDataset/inputs.jsonl data.txt > $outputDir/answers; echo said >&2")
    assert (ending.reason, ending.code, ending.errors) == ("", 0, "said\n")
    assert (folders.output / "answers").read_text() == '{"id": "a"}\nof the submission\n'


def test_a_failure_has_its_exit_code_and_its_own_words(folders: Staged) -> None:
    ending = run(folders, "echo no such model >&2; exit 3")
    assert ending.reason == "crash: it ended with exit code 3"
    assert ending.errors == "no such model\n"


def test_there_is_no_network(folders: Staged) -> None:
    ending = run(folders, "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 2)'")
    assert not ending.is_fine
    assert "unreachable" in ending.errors


def test_truths_home_and_other_processes_do_not_exist(folders: Staged, tmp_path: Path) -> None:
    truth = tmp_path / "truths.jsonl"
    truth.write_text("secret")
    assert "No such file" in run(folders, f"cat {truth}").errors
    ending = run(folders, "ls /root /home /work /etc/shadow /var; ls /proc | grep -c '^[0-9]' > $outputDir/processes")
    assert ending.errors.count("cannot access") == 5
    assert int((folders.output / "processes").read_text()) < 8


@pytest.mark.parametrize("place", ["/etc/x", "/submission/x", "/input/x", "/usr/x", "/x"])
def test_nothing_but_the_output_can_be_written(folders: Staged, place: str) -> None:
    ending = run(folders, f"echo x > {place}")
    assert not ending.is_fine
    assert "Read-only file system" in ending.errors


def test_nobody_is_root_inside(folders: Staged) -> None:
    run(folders, "id -u > $outputDir/user; mount -t tmpfs none /tmp 2> $outputDir/mount")
    assert (folders.output / "user").read_text() == "65534\n"
    assert (folders.output / "mount").read_text()


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sleep 1000", "time: it ran longer than 1 s"),
        ("while true; do :; done", "cpu: it used more than 0.5 s of processor time"),
        ("python3 -c 'x = bytearray(10**9)\nwhile True: pass'", "memory: its processes took more than 200 MB together"),
        ("python3 -c 'import os\nwhile True: os.fork()'", "processes: it had more than 24 at one time"),
        ("cat /dev/zero", "output: it printed more than 4 MB"),
        ("cat /dev/zero >&2", "output: it printed more than 4 MB"),
        ("head -c 9000000 /dev/zero > $outputDir/big", "output: it wrote a file larger than it may"),
        (
            "for i in 1 2 3; do head -c 2000000 /dev/urandom > $outputDir/$i; done; sleep 9",
            "output: it wrote more than 4 MB",
        ),
    ],
    ids=["sleeps", "computes", "allocates", "forks", "prints", "complains", "one file", "many files"],
)
def test_excess_is_stopped_and_named(folders: Staged, command: str, reason: str) -> None:
    limits = {"sleep 1000": {"seconds": 1}, "while true; do :; done": {"cpu_seconds": 0.5}}.get(command, {})
    ending = run(folders, command, limits=Limits(**{**_fields(LIMITS), **limits}))
    assert ending.reason == reason


def _fields(limits: Limits) -> dict[str, float]:
    return {name: getattr(limits, name) for name in limits.__slots__}


def test_children_in_the_background_end_with_it(folders: Staged) -> None:
    assert run(folders, "setsid sleep 86399 & (sleep 86399 &); exit 0").is_fine
    assert not _alive("86399")


def test_links_and_hard_links_do_not_come_back(folders: Staged, tmp_path: Path) -> None:
    run(folders, "ln -s /etc/passwd $outputDir/run.jsonl")
    with pytest.raises(RefusedError, match=r"'run\.jsonl' is a link; write plain files"):
        collect(folders.output, tmp_path / "taken", megabytes=4)
    assert not (tmp_path / "taken").exists()


def test_plain_files_come_back(folders: Staged, tmp_path: Path) -> None:
    run(folders, "mkdir $outputDir/a; echo 1 > $outputDir/a/run.jsonl")
    assert collect(folders.output, tmp_path / "taken", megabytes=4) == [tmp_path / "taken" / "a" / "run.jsonl"]
    with pytest.raises(RefusedError, match="more than 0 MB"):
        collect(folders.output, tmp_path / "again", megabytes=0)


def test_the_folders_are_gone_afterwards(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    with staged(tmp_path / "program") as made:
        root = made.inputs.parent
        run(made, "mkdir -p $outputDir/a/b; echo 1 > $outputDir/a/b/c; chmod 000 $outputDir/a/b")
    assert not root.exists()


def test_an_unknown_engine_is_named_and_no_walls_are_no_safety() -> None:
    with pytest.raises(UsageError, match="no engine named 'bublewrap'; did you mean 'bubblewrap'"):
        find_engine("bublewrap")
    assert not find_engine("none").is_safe
