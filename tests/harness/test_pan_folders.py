"""PAN 2013 to 2015: releases as distributed, with all their defects, become one dataset with one or two splits."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from builders import BOM, pan13, pan14, pan15, words, zipped

from harness.corpora import Source
from harness.corpora.corpus import guess_split
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError, UsageError
from harness.store import add_dataset, open_dataset
from harness.verify import verify

pytestmark = pytest.mark.usefixtures("home")
TRAIN14 = "pan14-author-verification-training-corpus-{}-2014-04-22"
TEST14 = "pan14-author-verification-test-corpus2-{}-2014-04-22"
COUNTS = {  # problems, documents, distinct texts, and how many documents have which defect
    "dutch-essays": (96, 268, 268, {"a byte order mark": 268, "U+2028 inside": 11}),
    "dutch-reviews": (100, 202, 202, {"a byte order mark": 202}),
    "english-essays": (200, 729, 636, {"a byte order mark": 729}),
    "english-novels": (100, 200, 57, {"a byte order mark": 133, "U+FEFF inside": 4, "C1 control characters": 22}),
    "greek-articles": (100, 385, 306, {"a byte order mark": 385, "CRLF line ends": 383}),
    "spanish-articles": (100, 600, 314, {"a byte order mark": 600, "CRLF line ends": 600}),
}


def add(identifier: str, *paths: Path | Source, like: str | None = None) -> Dataset:
    sources = [path if isinstance(path, Source) else Source(path=path) for path in paths]
    add_dataset(identifier, sources, like=like)
    return open_dataset(identifier)


def test_pan13(tmp_path: Path) -> None:
    dataset = add("pan13", pan13(tmp_path / "pan13-authorship-verification-training-corpus-2013-02-01"))
    truths = dataset.truths("train")
    assert {i: (t.same, t.group) for i, t in truths.items()} == {
        "EN04": (True, "EN"),
        "EN07": (False, "EN"),
        "GR01": (True, "GR"),
        "GR02": (False, "GR"),
        "SP02": (True, "SP"),
        "SP03": (False, "SP"),
    }
    problem = dataset.problems("train")[0]
    assert (problem.id, len(problem.known)) == ("EN04", 2)
    assert problem.questioned.text == words("EN04unknown").replace(" ", "\n", 3)
    assert dataset.primary == "f1_2013"
    assert dataset.manifest["notes"] == [
        "train: CRLF line ends in 18 documents",
        "train: a byte order mark in 18 documents",
    ]
    assert list(verify(dataset)) == []


@pytest.mark.parametrize("pack", [lambda folder: folder, zipped, lambda folder: zipped(folder, top="renamed")])
def test_pan14_folder_and_zip_give_the_same(tmp_path: Path, pack: object) -> None:
    dataset = add("pan14-dutch-essays", pack(pan14(tmp_path / TRAIN14.format("dutch-essays"))))  # type: ignore[operator]
    assert dataset.splits == ["train"]
    assert dataset.manifest["counts"] == {"train": {"problems": 12, "documents": 36, "truths": {"N": 6, "Y": 6}}}
    assert dataset.manifest["language"] == "nl"
    assert dataset.primary == "auc_c_at_1"
    problem = dataset.problems("train")[2]
    assert (problem.id, [d.text for d in problem.known]) == ("DE003", [words(f"DE003k{n}") for n in (1, 2, 3)])
    assert problem.questioned.text == words("DE003u")
    assert dataset.truths("train")["DE003"].same is True
    assert dataset.truths("train")["DE003"].group is None
    assert list(verify(dataset)) == []


def test_pan15(tmp_path: Path) -> None:
    dataset = add("pan15-english", pan15(tmp_path / "pan15-authorship-verification-training-dataset-english"))
    assert dataset.manifest["counts"]["train"]["problems"] == 8
    assert dataset.manifest["language"] == "en"
    assert "2015" in dataset.manifest["title"]


def test_training_and_test_archive_make_one_dataset(tmp_path: Path) -> None:
    train = zipped(pan14(tmp_path / TRAIN14.format("dutch-essays")))
    test = zipped(pan14(tmp_path / TEST14.format("dutch-essays"), count=7, seed="t"))
    for number, order in enumerate(([train, test], [test, train])):
        dataset = add(f"mine-{number}", *order, like="pan14-dutch-essays")
        assert dataset.splits == ["train", "test"]
        assert dataset.evaluated == "test"
        assert [len(dataset.problems(split)) for split in ("train", "test")] == [12, 7]
        (part,) = dataset.parts()
        assert (len(part.train), len(part.train_truths), len(part.test)) == (12, 12, 7)
        assert part.train[0].questioned.text == words("DE001u")
        assert part.test[0].questioned.text == words("tDE001u")
        assert not (dataset.folder / "folds.jsonl").exists()
        assert list(verify(dataset)) == []


def test_a_blind_test_set_and_truths_that_come_later(tmp_path: Path) -> None:
    train = pan14(tmp_path / "train")
    test = pan14(tmp_path / "test-corpus", count=7, seed="t", truth=False)
    blind = add("blind", train, test, like="pan14")
    assert "test: no truths, so runs on it cannot be scored" in blind.manifest["notes"]
    with pytest.raises(InputError, match="blind has no truths for its test split"):
        blind.truths("test")
    truth = tmp_path / "truth-of-the-test.txt"
    truth.write_bytes(BOM + b"".join(b"DE%03d Y\r\n\r\n" % n for n in range(1, 13)))
    seen = add("seen", train, test, truth, like="pan14")
    assert set(seen.truths("test")) == set(seen.problems("test").ids)
    assert seen.fingerprint() == blind.fingerprint()  # runs do not depend on the truths they are judged by


def test_a_split_can_be_said(tmp_path: Path) -> None:
    one, two = pan14(tmp_path / "one"), pan14(tmp_path / "two", seed="t")
    dataset = add("mine", Source(path=one, split="test"), Source(path=two, split="train"), like="pan14")
    assert dataset.problems("test")[0].questioned.text == words("DE001u")


@pytest.mark.parametrize(
    "name, split",
    [
        (TRAIN14, "train"),
        (TEST14, "test"),
        ("pan13-authorship-verification-test-corpus2-2013-05-29.zip", "test"),
        ("pan20test", "test"),
        ("latest", "train"),
        ("contest-data", "train"),
        ("anything", "train"),
        ("train-and-test", "train"),
    ],
)
def test_splits_are_told_by_the_words_of_a_name(name: str, split: str) -> None:
    assert guess_split(name, "top/") == split


def test_an_own_id_is_like_what_it_says(tmp_path: Path) -> None:
    dataset = add("my-corpus", pan13(tmp_path / "x"), like="pan13")
    assert dataset.primary == "f1_2013"
    assert dataset.truths("train")["EN04"].group == "EN"
    assert dataset.manifest["title"] == "my-corpus, laid out like pan13"
    with pytest.raises(UsageError, match=r"no corpus named 'my-other'.*--like pan14"):
        add("my-other", tmp_path / "x")


def test_texts_are_kept_as_they_stand(tmp_path: Path) -> None:
    text = "one\u2028two\u0085three \ufefffour \x9a\n\tfive\rsix"
    folder = pan14(tmp_path / "c")
    (folder / "DE001" / "unknown.txt").write_bytes(BOM + text.replace("\n", "\r\n").encode())
    (folder / "DE002" / "unknown.txt").write_bytes(b"")
    dataset = add("c", folder, like="pan14")
    assert dataset.problems("train")[0].questioned.text == text
    assert dataset.manifest["notes"] == [
        "train: C1 control characters in 1 documents",
        "train: CRLF line ends in 1 documents",
        "train: U+2028 inside in 1 documents",
        "train: U+FEFF inside in 1 documents",
        "train: a byte order mark in 35 documents",
        "train: no text at all in 1 documents",
    ]


def test_problems_that_share_a_text_are_in_one_fold(tmp_path: Path) -> None:
    dataset = add("c", pan14(tmp_path / "c", count=30, shared={3: 0, 17: 0, 8: 7}), like="pan14")
    fold = {identifier: row["fold"] for identifier, row in dataset.folds().items()}
    assert fold["DE001"] == fold["DE004"] == fold["DE018"]
    assert fold["DE008"] == fold["DE009"]
    assert sorted(Counter(fold.values()).values()) == [3] * 10
    assert "train: 87 distinct texts in 90 documents" in dataset.manifest["notes"]


def test_a_text_twice_in_a_problem_is_noted(tmp_path: Path) -> None:
    folder = pan14(tmp_path / "c")
    (folder / "DE003" / "unknown.txt").write_bytes((folder / "DE003" / "known02.txt").read_bytes())
    notes = add("c", folder, like="pan14").manifest["notes"]
    assert "train: DE003: known02.txt and unknown.txt are the same text" in notes


@pytest.mark.parametrize(
    "file, content, said",
    [
        ("truth.txt", b"DE001 Y\nDE002 maybe\n", "truth.txt, line 2: not a truth file; write the id"),
        ("truth.txt", b"DE001 Y\n\n\xff", "truth.txt, line 3: byte 9 is not UTF-8"),
        ("truth.txt", b"DE001 Y\nDE001 N\n", "truth.txt, line 2: id 'DE001' occurs twice"),
        ("truth.txt", b"DE001 Y\n", "truth.txt: no truth for 11 problems, DE002 first; use the matching file"),
        (
            "truth.txt",
            b"EN001 Y\n",
            "truth.txt: the truth file of another corpus: it has EN001, the problems are DE001",
        ),
        ("truth.txt", b"", "truth.txt: the truth file of another corpus: it has none"),
        (
            "truth.json",
            b'{"problems": [{"name": "DE001", "answer": "N"}]}',
            "truth.json: disagrees with truth.txt about DE001",
        ),
        ("truth.json", b'{"problems": ["DE001"]}', 'truth.json: "problems" is not a list as PAN writes it'),
        ("truth.json", b"{\n oops", "truth.json, line 2: not JSON"),
        ("contents.json", b"[" * 100_000, "contents.json: not JSON"),
        ("contents.json", b"[]", "contents.json: not a JSON object"),
        ("contents.json", b'{"problems": 3}', 'contents.json: "problems" is not a list'),
        ("contents.json", b'{"problems": [["DE001"]]}', 'contents.json: "problems" is not a list'),
        ("contents.json", b'{"problems": ["DE099"]}', "contents.json: lists DE099, which is not there"),
        (
            "contents.json",
            b'{"language": "english", "genre": "novels"}',
            "holds english novels; add it as pan14-english-novels",
        ),
        ("contents.json", b'{"language": "german"}', "holds german; add it as an id of your own, with --like pan14"),
        ("DE001/unknown.txt", None, "DE001: the problem has no unknown.txt"),
        ("DE001/known01.txt", None, "DE001: the problem has no known01.txt"),
        ("DE001/known01.txt", b"a\nb\0", "DE001/known01.txt, line 2: a NUL byte"),
        ("DE001/known01.txt", b"caf\xe9", "DE001/known01.txt, line 1: byte 3 is not UTF-8; re-save"),
        ("deep/er/DE001/unknown.txt", b"x", "c is not a PAN verification release; expected one folder of <problem>/"),
    ],
)
def test_a_faulty_release_is_refused_by_place(
    tmp_path: Path, home: Path, file: str, content: bytes | None, said: str
) -> None:
    folder = pan14(tmp_path / "c")
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)
    with pytest.raises(InputError) as caught:
        add("pan14-dutch-essays", folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(home.rglob("*.jsonl"))


def test_the_folder_of_one_problem_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a PAN verification release"):
        add("c", Source(path=pan14(tmp_path / "c") / "DE001", split="test"), like="pan14")


def test_equal_ids_in_two_archives_name_both(tmp_path: Path) -> None:
    one, two = zipped(pan14(tmp_path / "one")), zipped(pan14(tmp_path / "two"))
    with pytest.raises(UsageError, match=r"two.zip: problem DE001 is in .*one.zip too; leave one out.*--from test="):
        add("c", one, two, like="pan14")


def test_training_problems_need_truths(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"c: no truth.txt, which its train problems need; add the file"):
        add("c", pan14(tmp_path / "c", truth=False), like="pan14")


def test_a_test_split_is_blind_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    one = pan14(tmp_path / "test-one", prefix="AA")
    two = pan14(tmp_path / "test-two", prefix="BB", truth=False)
    with pytest.raises(InputError, match=r"test-two: no truth.txt, which its test problems need"):
        add("c", one, two, like="pan14")


def test_a_truth_file_too_many(tmp_path: Path) -> None:
    folder = pan14(tmp_path / "c")
    (tmp_path / "more.txt").write_text("DE001 Y\n")
    with pytest.raises(UsageError, match=r"more.txt: every release has its truths already; leave this file out"):
        add("c", folder, tmp_path / "more.txt", like="pan14")
    with pytest.raises(InputError, match=r"more.txt is not a PAN folder or zip"):
        add("c", tmp_path / "more.txt", like="pan14")


def test_a_damaged_member_found_while_streaming_leaves_nothing(tmp_path: Path, home: Path) -> None:
    path = zipped(pan14(tmp_path / "c"))
    data = path.read_bytes()
    place = data.index(b"DE012/unknown.txt") + len("DE012/unknown.txt") + 10
    path.write_bytes(data[:place] + b"\xff" * 8 + data[place + 8 :])
    with pytest.raises(FileFaultError, match=r"c.zip/c/DE012/unknown.txt: damaged in the archive"):
        add("c", path, like="pan14")
    assert not any(home.rglob("*.jsonl"))
    assert [entry.name for entry in (home / "datasets").iterdir()] == []


@pytest.mark.corpora
@pytest.mark.parametrize("name", COUNTS)
def test_the_real_training_corpora(corpora: Path, name: str) -> None:
    problems, documents, distinct, defects = COUNTS[name]
    dataset = add(f"pan14-{name}", corpora / f"{TRAIN14.format(name)}.zip")
    half = problems // 2
    expected = {"problems": problems, "documents": documents, "truths": {"N": half, "Y": half}}
    assert dataset.manifest["counts"] == {"train": expected}
    assert sum(len(p.known) for p in dataset.problems("train")) == documents - problems
    notes = dataset.manifest["notes"]
    assert {f"train: {what} in {count} documents" for what, count in defects.items()} <= set(notes)
    repeated = [f"train: {distinct} distinct texts in {documents} documents"] if distinct < documents else []
    assert [note for note in notes if "distinct" in note] == repeated
    same = [note for note in notes if "same text" in note]
    assert len(same) == (2 if name == "spanish-articles" else 0)
    assert list(verify(dataset)) == []
    tested = [identifier for part in dataset.parts() for identifier in part.test.ids]
    assert sorted(tested) == sorted(dataset.problems("train").ids)


@pytest.mark.corpora
def test_a_held_out_test_set_beside_the_real_training_corpus(corpora: Path, tmp_path: Path) -> None:
    """The layout of test-corpus2 as distributed: 200 problems, 718 documents."""
    known = [3] * 118 + [2] * 82
    test = pan14(
        tmp_path / TEST14.format("english-essays"), count=200, known=known, prefix="EE", language="english", seed="held"
    )
    archive = zipped(test)
    dataset = add("pan14-english-essays", corpora / f"{TRAIN14.format('english-essays')}.zip", archive)
    assert dataset.manifest["counts"] == {
        "train": {"problems": 200, "documents": 729, "truths": {"N": 100, "Y": 100}},
        "test": {"problems": 200, "documents": 718, "truths": {"N": 100, "Y": 100}},
    }
    (part,) = dataset.parts()
    assert (len(part.train), len(part.test)) == (200, 200)
    assert json.loads(json.dumps(dataset.manifest["sources"])) == sorted(
        [archive.name, f"{TRAIN14.format('english-essays')}.zip"]
    )
    assert list(verify(dataset)) == []
