"""The oracle's topics, written out as a ROUGE-1.5.5 evaluation."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from metrics.rouge import Measure, encode, score
from metrics.rouge.scoring import Kind

ORACLES = Path(__file__).parents[2] / "oracles"


def _read(name: str) -> Any:
    return json.loads(gzip.decompress((ORACLES / name).read_bytes()))


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Have numba compile before any test is timed: hypothesis takes the first call for an unreliable one."""
    kinds: tuple[Kind, ...] = ("N", "L", "W", "SU")
    score(encode(["a b"] * 200, [["a c"]] * 200), [Measure(kind=kind) for kind in kinds])


@pytest.fixture(scope="session")
def topics() -> list[dict[str, Any]]:
    """200 topics with models and peers; the first eight are edge cases."""
    return _read("rouge_inputs.json.gz")


@pytest.fixture(scope="session")
def official() -> dict[str, Any]:
    """What ROUGE-1.5.5 printed for them under twelve sets of options."""
    return _read("rouge155_outputs.json.gz")


@pytest.fixture(scope="session")
def evaluation(topics: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with `config.xml` and the texts of the topics."""
    directory = tmp_path_factory.mktemp("rouge")
    evaluations = {topic["id"]: (topic["peers"], topic["models"]) for topic in topics}
    return write_evaluation(directory, evaluations)


Texts = dict[str, list[str]]


def write_evaluation(directory: Path, evaluations: dict[str, tuple[Texts, Texts]]) -> Path:
    """Write texts as SPL files and the configuration that names them."""
    lines = ['<ROUGE-EVAL version="1.0">']
    for topic, (peers, models) in evaluations.items():
        lines.append(f'<EVAL ID="{topic}"><PEER-ROOT> peers </PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT>')
        lines.append('<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>')
        for folder, tag, texts in (("peers", "P", peers), ("models", "M", models)):
            (directory / folder).mkdir(exist_ok=True)
            items = []
            for name, sentences in texts.items():
                content = "".join(f"{sentence}\n" for sentence in sentences)
                (directory / folder / f"{topic}.{name}").write_bytes(content.encode())
                items.append(f'<{tag} ID="{name}">{topic}.{name}</{tag}>')
            group = "PEERS" if tag == "P" else "MODELS"
            lines.append(f"<{group}>{''.join(items)}</{group}>")
        lines.append("</EVAL>")
    lines.append("</ROUGE-EVAL>")
    (directory / "config.xml").write_text("\n".join(lines), encoding="utf-8")
    return directory


@pytest.fixture
def write() -> Any:
    """The function that writes an evaluation into a directory."""
    return write_evaluation
