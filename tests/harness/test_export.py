"""Exports: what comes out goes in again, blind ones hold no truth, and TIRA accepts its directory."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import pan13, pan14, pan15, pan20, snapshot

from harness import jsonl
from harness.corpora import Source
from harness.dataset import Dataset
from harness.errors import InputError, UnknownNameError, UsageError
from harness.export import export_dataset
from harness.formats import tira
from harness.store import add_dataset, open_dataset

pytestmark = pytest.mark.usefixtures("home")
LAYOUTS = {
    "pan13": (pan13, "pan13"),
    "pan14": (pan14, "pan14"),
    "pan15": (pan15, "pan20"),  # one known text a problem: written as pairs
    "pan20": (pan20, "pan20"),
}


def add(name: str, path: Path, like: str) -> Dataset:
    add_dataset(name, [Source(path=path, split="train")], like=like)
    return open_dataset(name)


def content(dataset: Dataset) -> list[tuple[Any, ...]]:
    truths = dataset.truths("train")
    problems = dataset.problems("train")
    return [(p.id, [d.text for d in p.known], p.questioned.text, truths[p.id]) for p in problems]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_exported_and_added_again_it_is_the_same(tmp_path: Path, layout: str) -> None:
    build, like = LAYOUTS[layout]
    first = add("first", build(tmp_path / "release"), layout)  # type: ignore[operator]
    assert export_dataset(first, "pan", tmp_path / "out") == len(first.problems("train"))
    second = add("second", tmp_path / "out", like)
    assert content(second) == content(first)
    assert len(content(first)) > 5


@pytest.mark.parametrize("text", ["\ufeffbom inside", "a\u2028b\x85c\rd\n", "", " \t ", "é\n\nz", "\x0c", "𝒳"])
@pytest.mark.parametrize("known", [(1,), (1, 2)])
def test_every_text_survives(tmp_path: Path, text: str, known: tuple[int, ...]) -> None:
    release = pan14(tmp_path / "release", known=known)
    (release / "DE001" / "unknown.txt").write_bytes(b"\xef\xbb\xbf" + text.encode())
    first = add("first", release, "pan14")
    assert first.problems("train")[0].questioned.text == text
    export_dataset(first, "pan", tmp_path / "out")
    second = add("second", tmp_path / "out", "pan20" if known == (1,) else "pan14")
    assert content(second) == content(first)


@pytest.mark.parametrize("kind", ["pan", "tira"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_blind_export_holds_no_truth(tmp_path: Path, layout: str, kind: str) -> None:
    build, _ = LAYOUTS[layout]
    dataset = add("first", build(tmp_path / "release"), layout)  # type: ignore[operator]
    export_dataset(dataset, kind, tmp_path / "open")
    export_dataset(dataset, kind, tmp_path / "blind", blind=True)
    seen, blind = snapshot(tmp_path / "open"), snapshot(tmp_path / "blind")
    truths = [name for name in seen if "truth" in name]
    assert len(truths) == 1
    assert set(seen) - set(blind) == set(truths)
    everything = b"".join(blind.values()).decode()
    assert not any(word in everything for word in ('"same"', "authors", "truths/", '"answer"', "fandoms"))
    assert not any(
        f"{identifier} {letter}" in everything for identifier in dataset.problems("train").ids for letter in "YN"
    )
    inputs = [name for name in blind if name != "README.md"]
    assert all(blind[name] == seen[name] for name in inputs)


def test_a_dataset_without_truths_is_exported_blind(tmp_path: Path) -> None:
    sources = [Source(path=pan14(tmp_path / "train")), Source(path=pan14(tmp_path / "test", truth=False, seed="t"))]
    add_dataset("mine", sources, like="pan14")
    export_dataset(open_dataset("mine"), "pan", tmp_path / "out")
    assert not (tmp_path / "out" / "truth.txt").exists()
    export_dataset(open_dataset("mine"), "pan", tmp_path / "out2", split="train")
    assert (tmp_path / "out2" / "truth.txt").exists()


def test_what_cannot_be_exported_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    dataset = add("mine", pan14(tmp_path / "c"), "pan14")
    out = tmp_path / "deep" / "out"
    with pytest.raises(UnknownNameError, match="no export format named 'tria'; did you mean 'tira'"):
        export_dataset(dataset, "tria", out)
    with pytest.raises(UsageError, match="mine has no test split; it has train"):
        export_dataset(dataset, "pan", out, split="test")
    with pytest.raises(UsageError, match="exists already; choose another place"):
        export_dataset(dataset, "pan", tmp_path)
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("identifier", ["../../evil", "/tmp/evil", "a/b", "two words", "..", "a\\b"])
def test_an_id_that_is_no_folder_name_is_refused(tmp_path: Path, identifier: str) -> None:
    dataset = add("mine", pan14(tmp_path / "c", known=(2,)), "pan14")
    path = dataset.folder / "train" / "inputs.jsonl"
    path.write_text(path.read_text().replace('"id": "DE002"', f'"id": {json.dumps(identifier)}'))
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match="cannot be a folder of a PAN release; export it with --format tira"):
        export_dataset(open_dataset("mine"), "pan", tmp_path / "out", blind=True)
    assert snapshot(tmp_path) == before


class _Card:
    """Hugging Face's reader of a README's front matter, as far as TIRA uses it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @classmethod
    def load(cls, path: str) -> _Card:
        _, front, body = Path(path).read_text(encoding="utf-8").split("---\n", 2)
        assert body.strip()
        return cls(yaml.safe_load(front))


def _builder(path: str, config: str) -> types.SimpleNamespace:
    """Hugging Face's resolution of `configs`, as far as TIRA uses it."""
    configs = {c["config_name"]: c["data_files"] for c in _Card.load(f"{path}/README.md").data["configs"]}
    files = {
        entry["split"]: [str(file) for pattern in entry["path"] for file in Path(path).glob(pattern)]
        for entry in configs[config]
    }
    return types.SimpleNamespace(config=types.SimpleNamespace(data_files=files), base_path=path)


@pytest.fixture
def submit(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """TIRA's own `dataset-submission --dry-run --skip-baseline`."""
    hugging = types.ModuleType("datasets")
    hugging.load_dataset = hugging.load_dataset_builder = _builder  # type: ignore[attr-defined]
    hub = types.ModuleType("huggingface_hub")
    hub.DatasetCard = _Card  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", hugging)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr("os.system", lambda command: 0)  # it clears the screen
    client = pytest.importorskip("tira.tira_client")
    # its own leave folders behind, and warn about it
    monkeypatch.setattr("tira.third_party_integrations.temporary_directory", lambda: tmp_path_factory.mktemp("tira"))

    def call(folder: Path, split: str) -> Any:
        return client.TiraClient.submit_dataset(None, folder, "task", split, True, skip_baseline=True)

    return call


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tira_accepts_the_directory(tmp_path: Path, layout: str, submit: Any) -> None:
    build, _ = LAYOUTS[layout]
    dataset = add("mine", build(tmp_path / "release"), layout)  # type: ignore[operator]
    export_dataset(dataset, "tira", tmp_path / "task")
    accepted = submit(tmp_path / "task", "train")
    assert set(accepted) >= {"inputs_zip", "truths_zip"}
    assert [path.name for path in Path(accepted["inputs_dir"]).iterdir()] == ["inputs.jsonl"]
    assert [path.name for path in Path(accepted["truths_dir"]).iterdir()] == ["truths.jsonl"]


def test_tira_would_not_accept_rows_of_two_kinds(
    tmp_path: Path, submit: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check that the test above relies on can fail."""
    export_dataset(add("mine", pan14(tmp_path / "release"), "pan14"), "tira", tmp_path / "task")
    inputs = tmp_path / "task" / "inputs" / "inputs.jsonl"
    inputs.write_text(inputs.read_text().replace('"questioned"', '"asked"', 1))
    assert submit(tmp_path / "task", "train") is None
    assert 'misses the required field "questioned"' in capsys.readouterr().out


def test_tira_accepts_answers_of_the_declared_format(tmp_path: Path, home: Path) -> None:
    check = pytest.importorskip("tira.check_format")
    export_dataset(add("mine", pan20(tmp_path / "release"), "pan20"), "tira", tmp_path / "task")
    declared = _Card.load(str(tmp_path / "task" / "README.md")).data["tira_configs"]["baseline"]["format"]
    jsonl.write_rows(tmp_path / "run" / "answers.jsonl", ({"id": str(n), "value": 0.5} for n in range(3)))
    level, message = check.check_format(tmp_path / "run", declared["name"], declared["config"])
    assert level == check.FormatMsgType.OK, message


def test_rows_have_the_same_fields(tmp_path: Path) -> None:
    mixed = add("mixed", pan14(tmp_path / "a", known=(1, 2)), "pan14")
    pairs = add("pairs", pan20(tmp_path / "b"), "pan20")
    for dataset, fields in ((mixed, {"id", "known", "questioned"}), (pairs, {"id", "pair"})):
        out = tmp_path / f"out-{dataset.id}"
        export_dataset(dataset, "tira", out)
        assert all(set(row) == fields for _, row in jsonl.read_rows(out / "inputs" / "inputs.jsonl"))
        declared = _Card.load(str(out / "README.md")).data["tira_configs"]["input_format"]["config"]
        assert set(declared["required_fields"]) == fields


def test_files_beyond_tiras_bounds_are_declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, submit: Any) -> None:
    monkeypatch.setattr(tira, "_MAX_MB", 0)
    export_dataset(add("mine", pan20(tmp_path / "release", count=1), "pan20"), "tira", tmp_path / "task")
    configs = _Card.load(str(tmp_path / "task" / "README.md")).data["tira_configs"]
    assert configs["input_format"]["config"]["max_size_mb"] == 1
    assert configs["input_format"]["config"]["minimum_lines"] == 1
    assert submit(tmp_path / "task", "train")
