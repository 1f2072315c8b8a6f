"""Every command: what it prints, its JSON, and its exit code: 0 fine, 1 a problem found, 2 wrong use."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import Command, jsonl, pan14, snapshot, zipped

from harness import __version__


@pytest.fixture
def dataset(bakeoff: Command, tmp_path: Path) -> str:
    """A dataset with both splits, added through the command."""
    train, test = zipped(pan14(tmp_path / "train")), pan14(tmp_path / "test", count=24, seed="t")
    assert bakeoff("datasets", "add", "mine", "--like", "pan14", "--from", train, "--from", test).code == 0
    return "mine"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A good run for it, as PAN writes one."""
    path = tmp_path / "answers.txt"
    path.write_text("".join(f"DE{n:03d} {0.9 if n % 2 else 0.2}\n" for n in range(1, 25)))
    return path


def parsed(out: str) -> Any:
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_version(bakeoff: Command) -> None:
    result = bakeoff("--version")
    assert (result.code, result.out, result.err) == (0, f"bakeoff {__version__}\n", "")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(bakeoff: Command, flag: str) -> None:
    result = bakeoff(flag)
    assert result.code == 0
    for command in (
        "tasks",
        "systems",
        "metrics",
        "datasets",
        "run",
        "check",
        "score",
        "compare",
        "leaderboard",
        "selftest",
    ):
        assert re.search(rf"^\W*{command} ", result.out, re.MULTILINE), command


def test_help_of_every_command(bakeoff: Command) -> None:
    commands = ("tasks", "systems", "metrics", "run", "check", "score", "compare", "leaderboard", "selftest")
    nested = [("datasets", name) for name in ("list", "show", "verify", "export", "add")]
    for command in [*((name,) for name in commands), *nested]:
        result = bakeoff(*command, "--help")
        assert result.code == 0, command
        assert "Usage: " in result.out


def test_starting_up_imports_nothing_heavy() -> None:
    heavy = ["numpy", "scipy", "sklearn", "pandas", "yaml", "rich.table", "tira"]
    code = f"import sys, harness.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "arguments, keys",
    [
        (["tasks"], {"name", "title", "summary"}),
        (["systems"], {"task", "name", "summary", "parameters"}),
        (["systems", "verification"], {"task", "name", "summary", "parameters"}),
        (["metrics"], {"name", "signature", "direction", "bounds", "cite"}),
        (["metrics", "verification"], {"name", "signature", "direction", "bounds", "cite"}),
    ],
)
def test_listings(bakeoff: Command, arguments: list[str], keys: set[str]) -> None:
    rows = parsed(bakeoff(*arguments, "--json").out)
    assert rows
    assert all(keys <= set(row) for row in rows)
    plain = bakeoff(*arguments)
    assert plain.code == 0
    assert all(row["name"].split("(")[0] in plain.out for row in rows)


def test_every_verification_system_is_listed(bakeoff: Command) -> None:
    names = {row["name"] for row in parsed(bakeoff("systems", "verification", "--json").out)}
    assert names >= {"fuzzy_c_means", "constant", "random", "ngram_cosine", "compression", "impostors"}


def test_datasets_list(bakeoff: Command, dataset: str) -> None:
    listed = parsed(bakeoff("datasets", "list", "--json").out)
    assert {manifest["id"] for manifest in listed["here"]} == {"mine", "sotu-attribution", "sotu-verification"}
    wanted = {"pan13", "pan14-dutch-essays", "pan14-english-novels", "pan15-english", "pan15-greek", "pan20"}
    assert wanted <= set(listed["addable"])
    plain = bakeoff("datasets", "list").out
    assert "train 12, test 24" in plain
    assert "bakeoff datasets add ID --from PATH:" in plain
    assert "pan13, pan14-dutch-essays" in plain


def test_datasets_add_says_what_it_found(bakeoff: Command, tmp_path: Path) -> None:
    release = pan14(tmp_path / "c")
    (release / "DE001" / "unknown.txt").write_text("a\u2028b", encoding="utf-8")
    result = bakeoff("datasets", "add", "pan14-dutch-essays", "--from", release)
    assert result.code == 0
    assert "pan14-dutch-essays train: 12 problems, 36 documents, 6 N, 6 Y\n" in result.out
    assert "note: train: U+2028 inside in 1 documents\n" in result.out
    again = bakeoff("datasets", "add", "pan14-dutch-essays", "--from", release)
    assert again.code == 2
    assert "already; --replace puts the new one in its place" in again.error
    replaced = bakeoff("datasets", "add", "pan14-dutch-essays", "--from", release, "--replace", "--json")
    assert parsed(replaced.out)["counts"]["train"]["problems"] == 12


def test_datasets_add_takes_the_split_from_the_option(bakeoff: Command, tmp_path: Path) -> None:
    one, two = pan14(tmp_path / "one"), pan14(tmp_path / "two", count=5, seed="t")
    result = bakeoff(
        "datasets", "add", "x", "--like", "pan14", "--from", f"test={two}", "--from", f"train={one}", "--json"
    )
    counts = parsed(result.out)["counts"]
    assert {split: counts[split]["problems"] for split in counts} == {"train": 12, "test": 5}


def test_the_id_of_a_dataset_that_comes_with_bakeoff_is_taken(bakeoff: Command, tmp_path: Path) -> None:
    result = bakeoff("datasets", "add", "sotu-verification", "--like", "pan14", "--from", pan14(tmp_path / "c"))
    assert result.code == 2
    assert "sotu-verification is in " in result.error


def test_datasets_show(bakeoff: Command, dataset: str) -> None:
    card = parsed(bakeoff("datasets", "show", dataset, "--json").out)
    assert card["counts"]["test"]["problems"] == 24
    assert re.fullmatch(r"[0-9a-f]{64}", card["fingerprint"])
    assert "auc_c_at_1" in bakeoff("datasets", "show", dataset).out
    unknown = bakeoff("datasets", "show", "mime")
    assert unknown.code == 2
    assert "did you mean 'mine'?" in unknown.error


def test_datasets_verify(bakeoff: Command, dataset: str, home: Path) -> None:
    fine = bakeoff("datasets", "verify", dataset)
    assert (fine.code, fine.out) == (0, "mine: no faults\n")
    truths = home / "datasets" / dataset / "test" / "truths.jsonl"
    truths.write_text(truths.read_text().replace("true", "false", 1))
    broken = bakeoff("datasets", "verify", dataset)
    assert broken.code == 1
    assert broken.out.endswith("mine: 1 fault\n")
    assert "truths.jsonl: not the file the manifest describes" in broken.out
    as_json = bakeoff("datasets", "verify", dataset, "--json")
    assert as_json.code == 1
    assert len(parsed(as_json.out)["faults"]) == 1


@pytest.mark.parametrize("kind", ["pan", "tira"])
def test_datasets_export(bakeoff: Command, dataset: str, tmp_path: Path, kind: str) -> None:
    result = bakeoff("datasets", "export", dataset, "--format", kind, "--out", tmp_path / "out", "--blind")
    assert (result.code, result.out) == (0, f"24 problems of mine in {tmp_path}/out (blind)\n")
    assert not any("truth" in name for name in snapshot(tmp_path / "out"))
    assert bakeoff("datasets", "export", dataset, "--format", kind, "--out", tmp_path / "out").code == 2
    train = bakeoff("datasets", "export", dataset, "--format", kind, "--out", tmp_path / "t", "--split", "train")
    assert train.out.startswith("12 problems")
    assert any("truth" in name for name in snapshot(tmp_path / "t"))
    for wrong in (["--format", "ptan"], ["--format", kind, "--split", "dev"]):
        refused = bakeoff("datasets", "export", dataset, *wrong, "--out", tmp_path / "no")
        assert (refused.code, (tmp_path / "no").exists()) == (2, False)
        assert refused.error


def test_run_once_and_never_again(bakeoff: Command, dataset: str, tmp_path: Path) -> None:
    first = parsed(bakeoff("run", "constant(value=0.7)", dataset, "--json").out)
    assert first["reused"] is False
    folder = Path(first["run"])
    assert sorted(path.name for path in folder.iterdir()) == ["ir-metadata.yml", "run.jsonl"]
    assert len((folder / "run.jsonl").read_text().splitlines()) == 24
    again = parsed(bakeoff("run", "constant(value=0.7)", dataset, "--json").out)
    assert (again["reused"], again["run"]) == (True, first["run"])
    assert parsed(bakeoff("run", "constant(value=0.7)", dataset, "--seed", 1, "--json").out)["run"] != first["run"]
    elsewhere = bakeoff("run", "constant", dataset, "--out", tmp_path / "elsewhere")
    assert elsewhere.code == 0
    assert "answered in" in elsewhere.out
    assert (tmp_path / "elsewhere" / "run.jsonl").is_file()
    assert bakeoff("run", "constant", dataset, "--out", tmp_path / "elsewhere").code == 2


@pytest.mark.parametrize(
    "system, said",
    [
        ("constent", "no verification system named 'constent'; did you mean 'constant'?"),
        ("constant(valu=1)", "no parameter of constant named 'valu'; did you mean 'value'?"),
        ("constant(value=7)", "constant: value must lie in [0, 1], not 7"),
        ("constant(", "constant("),
    ],
)
def test_a_wrong_system_is_wrong_use(bakeoff: Command, dataset: str, system: str, said: str, home: Path) -> None:
    result = bakeoff("run", system, dataset)
    assert result.code == 2
    assert said in result.error
    assert not any(home.glob("runs/**/run.jsonl"))


def test_check(bakeoff: Command, dataset: str, run: Path) -> None:
    fine = bakeoff("check", run, dataset)
    assert fine.code == 0
    assert fine.out == f"{run}: 24 of 24 problems answered; no fault\n"
    run.write_text(run.read_text().replace("DE003 0.9", "DE0033 0.9").replace("DE005 0.9", "DE005 NaN") + "DE001 0.1\n")
    broken = bakeoff("check", run, dataset)
    assert broken.code == 1
    for said in (
        "unknown: line 3: no problem 'DE0033'; did you mean 'DE003'?",
        "nan: line 5: ",
        "duplicate: line 25: ",
        "missing: ",
    ):
        assert said in broken.out
    as_json = bakeoff("check", run, dataset, "--json")
    assert as_json.code == 1
    assert {fault["kind"] for fault in parsed(as_json.out)["faults"]} == {"unknown", "missing", "nan", "duplicate"}


def test_check_of_a_run_folder(bakeoff: Command, dataset: str) -> None:
    folder = parsed(bakeoff("run", "constant", dataset, "--json").out)["run"]
    assert bakeoff("check", folder, dataset).code == 0


def test_score(bakeoff: Command, dataset: str, run: Path, tmp_path: Path) -> None:
    result = bakeoff("score", run, dataset)
    assert result.code == 0
    assert "auc_c_at_1" in result.out
    assert "signature of the first: auc_c_at_1|" in result.out
    card = parsed(bakeoff("score", run, dataset, "--metrics", "auc,c_at_1", "--json", "-").out)
    assert {score["metric"]: score["value"] for score in card["scores"]} == {"auc": 1.0, "c_at_1": 1.0}
    written = tmp_path / "scores.json"
    assert bakeoff("score", run, dataset, "--json", written).code == 0
    assert parsed(written.read_text())["problems"] == 24
    for wrong in (["--metrics", "acu"], ["--policy", "strcit"], ["--task", "verification"], ["--json", tmp_path]):
        refused = bakeoff("score", run, dataset, *wrong)
        assert refused.code == 2
        assert refused.error


def test_score_keeps_its_result_with_the_run(bakeoff: Command, dataset: str) -> None:
    folder = Path(parsed(bakeoff("run", "constant", dataset, "--json").out)["run"])
    assert bakeoff("score", folder, dataset).code == 0
    assert parsed((folder / "score.json").read_text())["task"] == "verification"


def test_score_says_what_it_did_about_faults(bakeoff: Command, dataset: str, run: Path) -> None:
    run.write_text(run.read_text() + "DE001 0.1\n")
    lenient = bakeoff("score", run, dataset)
    assert lenient.code == 0
    assert "policy lenient: duplicate:1→unanswered" in lenient.err
    strict = bakeoff("score", run, dataset, "--policy", "strict")
    assert strict.code == 1
    assert "refused under policy strict: duplicate: line 25" in strict.error


def test_score_of_official_files_without_a_dataset(bakeoff: Command, tmp_path: Path, run: Path) -> None:
    truth = tmp_path / "truth.txt"
    truth.write_bytes(b"\xef\xbb\xbf" + b"".join(b"DE%03d %s\r\n" % (n, b"Y" if n % 2 else b"N") for n in range(1, 25)))
    arguments = ["--task", "verification", "--truth", truth, "--metrics", "auc_c_at_1", "--json", "-"]
    assert parsed(bakeoff("score", run, *arguments).out)["scores"][0]["value"] == 1.0
    rows = [{"id": f"DE{n:03d}", "value": 0.9} for n in range(1, 25)]
    assert (
        parsed(bakeoff("score", jsonl(tmp_path / "answers.jsonl", rows), *arguments).out)["scores"][0]["value"] == 0.25
    )
    for missing in (["--task", "verification"], ["--truth", truth], []):
        refused = bakeoff("score", run, *missing)
        assert refused.code == 2
        assert "give either a dataset, or --task and --truth" in refused.error


def test_compare(bakeoff: Command, dataset: str, run: Path) -> None:
    other = parsed(bakeoff("run", "constant", dataset, "--json").out)["run"]
    result = parsed(bakeoff("compare", run, other, dataset, "--metrics", "c_at_1", "--json").out)
    (difference,) = result["differences"]
    assert (difference["first"], difference["second"], difference["difference"]) == (1.0, 0.5, 0.5)
    assert difference["p_value"] < 0.05
    plain = bakeoff("compare", run, other, dataset)
    assert plain.code == 0
    assert "the first does better on 12 problems: DE002" in plain.out


def test_runs_export(bakeoff: Command, dataset: str, run: Path, tmp_path: Path) -> None:
    for kind in ("jsonl", "answers.txt"):
        result = bakeoff("runs", "export", run, dataset, "--format", kind, "--out", tmp_path / kind)
        assert (result.code, result.out) == (0, f"24 answers in {tmp_path / kind}\n")
        assert bakeoff("check", tmp_path / kind, dataset).code == 0
    assert bakeoff("runs", "export", run, dataset, "--format", "xml", "--out", tmp_path / "x").code == 2


def test_selftest(bakeoff: Command, dataset: str) -> None:
    result = bakeoff("selftest", dataset)
    assert result.code == 0
    assert "FAILS" not in result.out
    trials = parsed(bakeoff("selftest", dataset, "--json").out)
    assert len(trials) >= 4
    assert all(trial["passed"] for trial in trials)


def test_leaderboard(bakeoff: Command, dataset: str, tmp_path: Path) -> None:
    out = tmp_path / "board"
    arguments = ["leaderboard", dataset, "--systems", "constant,random", "--jobs", 1, "--out", out]
    result = bakeoff(*arguments)
    assert result.code == 0
    assert {"index.html", "mine.csv", "mine.tex", "mine.json"} <= {path.name for path in out.iterdir()}
    (board,) = parsed(bakeoff(*arguments, "--json").out)
    assert {standing["name"] for standing in board["standings"]} == {"constant", "random"}
    unknown = bakeoff("leaderboard", dataset, "--systems", "rondom", "--out", out)
    assert unknown.code == 2
    assert "did you mean 'random'?" in unknown.error


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["run"],
        ["run", "constant"],
        ["datasets"],
        ["datasets", "add", "pan13"],
        ["leaderboard", "--jobs", "0"],
        ["run", "constant", "mine", "--seed", "x"],
        ["systems", "verificatoin"],
        ["metrics", "verificatoin"],
        ["check", "x", "no-such-dataset"],
        ["selftest", "no-such-dataset"],
    ],
)
def test_wrong_use_is_exit_code_2_and_no_traceback(bakeoff: Command, arguments: list[str]) -> None:
    result = bakeoff(*arguments)
    assert result.code == 2
    assert "Traceback" not in result.out + result.err
    assert result.out + result.err


def test_the_installed_command_in_an_empty_folder(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("bakeoff")
    if not command.exists():
        pytest.skip(f"{command} is not installed; run pip install --editable .")
    environment = {key: value for key, value in os.environ.items() if key not in ("BAKEOFF_HOME", "PYTHONPATH")}
    (tmp_path / "empty").mkdir()

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, *arguments], cwd=tmp_path / "empty", env=environment, capture_output=True, text=True
        )

    assert call("--version").stdout == f"bakeoff {__version__}\n"
    listed = call("datasets", "list", "--json")
    assert [manifest["id"] for manifest in parsed(listed.stdout)["here"]] == ["sotu-attribution", "sotu-verification"]
    assert list((tmp_path / "empty").iterdir()) == []
    failed = call("datasets", "show", "nothing")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith("bakeoff: no dataset named 'nothing'; ")
    assert failed.stderr.count("\n") == 1


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    environment = {**os.environ, "BAKEOFF_HOME": str(tmp_path)}
    code = f"{sys.executable} -m harness datasets list --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", code], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode in (0, 1)
