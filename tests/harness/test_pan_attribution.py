"""PAN 2018 and 2019 attribution: releases as distributed, and official folders scored as PAN's evaluators do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import Command, pan18, words, zipped

from harness.corpora import Source
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")
ORACLE = Path(__file__).resolve().parent.parent / "oracles" / "pan_attribution.json"
P1 = "problem00001"
CASES: list[dict[str, Any]] = json.loads(ORACLE.read_text(encoding="utf-8"))


def add(*paths: Path, identifier: str = "pan18", like: str | None = None) -> Dataset:
    add_dataset(identifier, [Source(path=path) for path in paths], like=like)
    return open_dataset(identifier)


@pytest.mark.parametrize("pack", [lambda folder: folder, zipped])
def test_known_texts_train_and_unknown_ones_test(tmp_path: Path, pack: Callable[[Path], Path]) -> None:
    dataset = add(pack(pan18(tmp_path / "pan18-training-dataset")))
    assert {s: dataset.manifest["counts"][s]["problems"] for s in ("train", "test")} == {"train": 12, "test": 12}
    assert dataset.manifest["languages"] == {"problem00001": "en", "problem00002": "es"}
    assert dataset.primary == "macro_f1_2018"
    problem = dataset.problems("test")[0]
    assert (problem.id, problem.set) == ("problem00001/unknown00001.txt", "problem00001")
    assert problem.document.text == words("problem00001u1")
    truth = dataset.truths("test")[problem.id]
    assert (truth.author, truth.set) == ("candidate00002", "problem00001")
    assert list(verify(dataset)) == []


def test_every_set_is_a_round_of_its_own(tmp_path: Path) -> None:
    rounds = list(add(pan18(tmp_path / "release")).parts())
    assert [len(part.train) for part in rounds] == [6, 6]
    assert [len(part.test) for part in rounds] == [6, 6]
    for name, part in zip(("problem00001", "problem00002"), rounds, strict=True):
        assert {problem.set for problem in (*part.train, *part.test)} == {name}
        authors = [truth.author for truth in part.train_truths]
        assert [p.document.text for p in part.train] == [
            words(f"{name}{author}k{1 + place % 2}") for place, author in enumerate(authors)
        ]


def test_open_sets_and_fandoms(tmp_path: Path) -> None:
    dataset = add(pan18(tmp_path / "release", open_set=True, unknown=8), identifier="pan19")
    assert dataset.primary == "macro_f1_2019"
    assert dataset.manifest["counts"]["test"]["truths"] == {"<UNK>": 4, "candidate": 12}
    for path in dataset.folder.rglob("*"):
        if path.is_file():
            assert "Sherlock" not in path.read_text(encoding="utf-8")
    inputs = (dataset.folder / "train" / "inputs.jsonl").read_text() + (
        dataset.folder / "test" / "inputs.jsonl"
    ).read_text()
    assert "candidate" not in inputs


def test_a_blind_release(tmp_path: Path) -> None:
    dataset = add(pan18(tmp_path / "release", truth=False))
    assert "test: no truths, so runs on it cannot be scored" in dataset.manifest["notes"]
    with pytest.raises(InputError, match="no truths for its test split"):
        dataset.truths("test")


def test_releases_add_up_unless_their_problems_have_the_same_names(tmp_path: Path) -> None:
    one, two = pan18(tmp_path / "one"), pan18(tmp_path / "two", first=3, problems=1)
    assert len(add(one, two).manifest["languages"]) == 3
    with pytest.raises(
        UsageError, match=r"one: problem00001 is in .*copy too; add each release under an id of its own"
    ):
        add(Path(shutil.copytree(one, tmp_path / "copy")), one, identifier="mine", like="pan18")
    with pytest.raises(UsageError, match=r"known and unknown texts of its own; say --from PATH without test="):
        add_dataset("pan19", [Source(path=one, split="test")])


def test_defects_are_noted(tmp_path: Path) -> None:
    release = pan18(tmp_path / "release", problems=1, known=1, open_set=True)
    folder = release / "problem00001"
    same = (folder / "asked" / "unknown00004.txt").read_bytes()
    (folder / "asked" / "unknown00005.txt").write_bytes(same + b"\n")
    (folder / "asked" / "unknown00001.txt").write_bytes(b" \n")
    (folder / "candidate00003" / "known00001.txt").write_bytes(b"")
    assert add(release, identifier="pan19").manifest["notes"] == [
        "train: no text at all in problem00001/known-0003",
        "test: no text at all in problem00001/unknown00001.txt",
        "test: problem00001/unknown00004.txt and problem00001/unknown00005.txt are the same text",
        f"train: one text alone by {', '.join(f'problem00001/candidate0000{n}' for n in (1, 2, 3))}",
        "test: texts that occur with different truths, so that not all can be right: 1",
    ]


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    path.write_text(json.dumps(change(json.loads(path.read_text()))))


def without_texts(release: Path) -> None:
    shutil.rmtree(release / "problem00002" / "candidate00002")


def with_truth(**row: str) -> Callable[[Path], None]:
    def change(release: Path) -> None:
        path = release / "problem00001" / "ground-truth.json"
        edit(path, lambda content: {"ground_truth": [*content["ground_truth"][1:], row]})

    return change


@pytest.mark.parametrize(
    "break_it, message",
    [
        (without_texts, r"problem00002/problem-info.json: candidate00002 has no known text; use the whole release"),
        (lambda r: shutil.rmtree(r / "problem00002"), r"collection-info.json: lists problem00002, which has no"),
        (lambda r: shutil.rmtree(r / P1 / "asked"), r"problem-info.json: no unknown text in asked"),
        (lambda r: (r / "collection-info.json").unlink(), r"not a PAN attribution release; expected one collection-in"),
        (lambda r: (r / "collection-info.json").write_text("{}"), r"collection-info.json: must be a list of problems"),
        (lambda r: (r / "collection-info.json").write_text("[1"), r"collection-info.json, line 1: not JSON"),
        (lambda r: (r / "collection-info.json").write_text("[{}]"), r'an entry has no "problem-name"'),
        (lambda r: edit(r / "collection-info.json", lambda rows: rows * 2), r"names a problem twice"),
        (lambda r: (r / P1 / "problem-info.json").write_text("{}"), r"lists no candidates"),
        (lambda r: (r / P1 / "ground-truth.json").unlink(), r"no ground-truth.json in problem00001, but"),
        (lambda r: (r / P1 / "ground-truth.json").write_text("[]"), r'has no list "ground_truth"'),
        (lambda r: (r / P1 / "asked/unknown00002.txt").write_bytes(b"\xff"), r"unknown00002.txt, line 1: byte 0"),
        (lambda r: (r / P1 / "asked/unknown00002.txt").unlink(), r"unknown00002.txt is not there; use the truths"),
        (with_truth(**{"unknown-text": "unknown00002.txt", "true-author": "x"}), r"unknown00002.txt occurs twice"),
        (with_truth(**{"unknown-text": "unknown00001.txt", "true-author": "x"}), r"00001.txt: x is no candidate"),
        (with_truth(**{"unknown-text": "unknown00001.txt"}), r'an entry has no "true-author"'),
        (with_truth(**{"unknown-text": "a.txt", "true-author": "<UNK>"}), r"a.txt is not there; use the truths"),
    ],
)  # fmt: skip
def test_broken_releases_are_refused_by_place(
    tmp_path: Path, break_it: Callable[[Path], None], message: str, home: Path
) -> None:
    release = pan18(tmp_path / "release")
    break_it(release)
    with pytest.raises((FileFaultError, InputError), match=message):
        add(release)
    assert not any(home.rglob("*.jsonl"))


def official(folder: Path, cases: list[dict[str, Any]]) -> tuple[Path, Path]:
    """A run folder and a truth folder as PAN has them, a problem a case."""
    run, truth = folder / "run", folder / "truth"
    run.mkdir()
    for number, case in enumerate(cases, start=1):
        name = f"problem{number:05d}"
        rows = [{"unknown-text": text, "true-author": author} for text, author in case["ground_truth"].items()]
        (truth / name).mkdir(parents=True)
        (truth / name / "ground-truth.json").write_text(json.dumps({"ground_truth": rows}))
        (run / f"answers-{name}.json").write_text(json.dumps(case["answers"]))
    return run, truth


def scores(bakeoff: Command, folder: Path, cases: list[dict[str, Any]], *metrics: str) -> list[float]:
    run, truth = official(folder, cases)
    arguments = ("--task", "attribution", "--truth", truth, "--metrics", ",".join(metrics), "--json", "-")
    result = bakeoff("score", run, *arguments)
    assert result.code == 0, result.err
    return [row["value"] for row in json.loads(result.out)["scores"]]


@pytest.mark.parametrize("case", CASES)
def test_official_folders_give_the_official_scores(case: dict[str, Any], bakeoff: Command, tmp_path: Path) -> None:
    values = scores(bakeoff, tmp_path, [case], "macro_f1_2018", "macro_f1_2019(rounded=False)", "macro_f1_2019")
    f1_2018, f1_2019 = case["pan18_f1_p_r_acc"][0], case["pan19_f1_p_r"][0]
    assert values == pytest.approx([f1_2018, f1_2019, round(f1_2019, 3)], abs=1e-12)


def test_a_collection_is_the_mean_over_its_problems(bakeoff: Command, tmp_path: Path) -> None:
    values = scores(bakeoff, tmp_path, CASES, "macro_f1_2018", "macro_f1_2019")
    f1_2018 = [case["pan18_f1_p_r_acc"][0] for case in CASES]
    f1_2019 = [round(case["pan19_f1_p_r"][0], 3) for case in CASES]
    assert values[0] == pytest.approx(sum(f1_2018) / len(CASES), abs=1e-12)
    assert values[1] == pytest.approx(round(sum(f1_2019) / len(CASES), 3), abs=6e-4)


def test_official_answers_to_an_imported_release(bakeoff: Command, tmp_path: Path) -> None:
    dataset = add(pan18(tmp_path / "release"))
    run = tmp_path / "run"
    run.mkdir()
    for name in ("problem00001", "problem00002"):
        truths = json.loads((tmp_path / "release" / name / "ground-truth.json").read_text())["ground_truth"]
        rows = [{"unknown-text": row["unknown-text"], "predicted-author": row["true-author"]} for row in truths]
        (run / f"answers-{name}.json").write_text(json.dumps(rows))
    result = bakeoff("score", run, dataset.id, "--json", "-")
    assert result.code == 0, result.err
    assert json.loads(result.out)["scores"][0]["value"] == 1.0


@pytest.mark.corpora
def test_the_real_training_release(corpora: Path) -> None:
    (path,) = corpora.glob("pan18-cross-domain-authorship-attribution-training-dataset-*.zip")
    dataset = add(path)
    train, test = dataset.problems("train"), dataset.problems("test")
    assert (len(train), len(test)) == (875, 621)
    truths = dataset.truths("train")
    assert len({(truth.set, truth.author) for truth in truths.values()}) == 125
    sizes = [sum(name == f"problem{n:05d}" for name in test.rows("set")) for n in range(1, 11)]
    assert sizes == [105, 21, 49, 21, 80, 46, 103, 15, 117, 64]
    candidates = [len({t.author for t in truths.values() if t.set == f"problem{n:05d}"}) for n in range(1, 11)]
    assert candidates == [20, 5] * 5
    assert len(dataset.manifest["notes"]) == 3
    assert all("are the same text" in note for note in dataset.manifest["notes"])
    assert list(verify(dataset)) == []
