"""Runs in worker processes: failures stay alone, a killed leaderboard goes on where it was."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import plugins
import pytest

from harness.run import ANSWERS


class Contest:
    """A leaderboard command over plugged-in systems, in an empty home."""

    def __init__(self, home: Path, *systems: str) -> None:
        self.home = home
        path = os.pathsep.join([str(plugins.install(home / "plugged", *systems)), *sys.path])
        self.environment = {**os.environ, "BAKEOFF_HOME": str(home), "PYTHONPATH": path}
        self.systems = ",".join(systems)

    def start(self, jobs: int = 2) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "harness", "leaderboard", "sotu-verification", "--systems", self.systems]
        options = ["--jobs", str(jobs), "--out", str(self.home / "board")]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command + options, env=self.environment, **pipes)

    def hold(self, jobs: int = 2, *, exit_code: int = 0) -> tuple[str, str]:
        process = self.start(jobs)
        out, err = process.communicate(timeout=120)
        assert process.returncode == exit_code, err
        return out, err

    def runs(self) -> dict[str, tuple[int, float]]:
        found = (self.home / "runs" / "sotu-verification").glob(f"*/{ANSWERS}")
        return {path.parent.name.partition("-")[0]: (path.stat().st_ino, path.stat().st_mtime) for path in found}

    def table(self) -> list[dict[str, str]]:
        with (self.home / "board" / "sotu-verification.csv").open(encoding="utf-8") as handle:
            rows = list(csv.DictReader(handle))
        return [{k: v for k, v in row.items() if k not in ("seconds", "peak_memory_mb")} for row in rows]


def test_one_failing_system_never_takes_the_others_down(tmp_path: Path) -> None:
    contest = Contest(tmp_path, "steady", "crash", "suicide", "stray", "outside", "lazy")
    out, err = contest.hold(exit_code=1)
    rows = {row["system"]: row for row in contest.table()}
    assert "RuntimeError: this system always fails" in rows["crash"]["reason"]
    assert "its process died" in rows["suicide"]["reason"]
    assert "'nobody', which it was not asked" in rows["stray"]["reason"]
    assert "outside [0, 1]" in rows["outside"]["reason"]
    assert rows["steady"]["rank"] == "1"
    assert rows["lazy"]["rank"] == "2"  # all unanswered: scored, at the floor
    assert [row["rank"] for row in contest.table()][2:] == [""] * 4  # n/a last
    assert "Traceback" not in out + err
    (log,) = (tmp_path / "runs" / "sotu-verification").glob("crash-*.failed.txt")
    assert "always fails" in log.read_text(encoding="utf-8")


def test_kill_9_and_go_on(tmp_path: Path) -> None:
    whole = Contest(tmp_path / "whole", "steady", "slow")
    whole.hold()
    killed = Contest(tmp_path / "killed", "steady", "slow")
    process = killed.start(jobs=1)
    deadline = time.monotonic() + 60
    while "steady" not in killed.runs() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    finished = killed.runs()
    assert set(finished) == {"steady"}, "killed too late to show anything"
    time.sleep(0.5)
    killed.hold()
    assert killed.runs()["steady"] == finished["steady"]
    assert killed.table() == whole.table()
    leftovers = [path.name for path in (killed.home / "runs").rglob(".partial-*")]
    assert leftovers == []


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    contest = Contest(tmp_path, "slow")
    process = contest.start(jobs=1)
    deadline = time.monotonic() + 60
    children: list[int] = []
    while not children and time.monotonic() < deadline:
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
        children = [int(pid) for pid in found.stdout.split()]
        time.sleep(0.05)
    assert children
    time.sleep(1)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    time.sleep(1.5)
    assert [pid for pid in children if Path(f"/proc/{pid}/cmdline").exists() and _is_ours(pid)] == []


def _is_ours(pid: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize("damage", ["truncate", "delete"])
def test_a_damaged_run_is_not_taken_for_whole(tmp_path: Path, damage: str) -> None:
    contest = Contest(tmp_path, "steady")
    contest.hold()
    before = contest.table()
    (answers,) = (tmp_path / "runs").rglob(ANSWERS)
    if damage == "truncate":
        answers.write_bytes(answers.read_bytes()[:100])
    else:
        answers.unlink()
    contest.hold()
    assert contest.table() == before
