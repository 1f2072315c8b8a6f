"""ROUGE as metrics: values, parameters, presets, other languages, and the other ROUGE."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.metric import Metric, MetricError, MetricParameterError
from metrics.rouge import (
    PRESETS,
    Measure,
    TextSettings,
    declarations,
    encode,
    preset,
    rouge_google,
    rouge_l,
    rouge_n,
    rouge_s,
    rouge_su,
    rouge_w,
    score,
)
from metrics.rouge import kernels as compiled_kernels
from metrics.rouge.explain import explain
from metrics.rouge.google import TYPES
from metrics.rouge.program import run

SHORT_AND_LONG = (["x1 x2"], [["x1 a", "b c d e f g h x2"]])


@pytest.mark.parametrize("part, expected", [("recall", 0.2), ("precision", 0.5), ("f", 0.28571)])
def test_hits_and_counts_are_summed_over_references(part: str, expected: float) -> None:
    assert rouge_n.with_(score=part)(*SHORT_AND_LONG) == expected


def test_the_best_reference_is_the_one_with_the_best_recall() -> None:
    assert rouge_n.with_(combine="B")(*SHORT_AND_LONG) == 0.5


def test_identical_texts() -> None:
    same = (["police killed the gunman today in town"], [["police killed the gunman today in town"]])
    assert [metric(*same) for metric in (rouge_n, rouge_l, rouge_s, rouge_su)] == [1, 1, 1, 1]
    assert rouge_w(*same) == 0.67761
    assert rouge_su(["word"], [["word"]]) == 0  # the last token's unigram is never counted


def columns(topics: list[dict[str, Any]], system: str) -> tuple[list[str], list[Any], list[Any]]:
    chosen = [topic for topic in topics if system in topic["peers"]]
    names = [topic["id"] for topic in chosen]
    return names, [topic["peers"][system] for topic in chosen], [list(topic["models"].values()) for topic in chosen]


@pytest.mark.parametrize(
    "metric, name",
    [
        (rouge_n, "ROUGE-1"),
        (rouge_n.with_(n=2), "ROUGE-2"),
        (rouge_l, "ROUGE-L"),
        (rouge_w, "ROUGE-W-1.2"),
        (rouge_s, "ROUGE-S4"),
        (rouge_su, "ROUGE-SU4"),
    ],
    ids=str,
)
@pytest.mark.parametrize("place, part", list(enumerate(["recall", "precision", "f"])))
def test_values_of_problems_are_the_official_ones(
    metric: Metric, name: str, place: int, part: str, topics: Any, official: Any
) -> None:
    names, peers, references = columns(topics, "2")
    expected = official["plain_stem_U"]["per_topic"]["2"][name]
    chosen = metric.with_(stem=True, score=part)
    values = chosen.per_problem(chosen.prepare([peers, references]))
    assert values is not None
    assert dict(zip(names, values.tolist(), strict=True)) == {topic: row[place] for topic, row in expected.items()}


def test_metrics_of_one_run_share_an_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(declarations, "encode", lambda *arguments: calls.append(1) or encode(*arguments))
    peers, references = ["a brand new text", "b"], [["a text"], ["b c"]]
    for metric in (rouge_n, rouge_n.with_(n=2), rouge_l, rouge_w.with_(score="f"), rouge_su):
        metric(peers, references)
    assert len(calls) == 1
    rouge_n.with_(stem=True)(peers, references)
    rouge_n([*peers], [["a text"], ["b c"]])
    assert len(calls) == 3


def test_jackknife_leaves_out_each_reference_in_turn() -> None:
    peer, references = "a b c", ["a b", "c d e f", "x"]
    rest = [[text for text in references if text != left_out] for left_out in references]
    expected = np.mean([rouge_n([peer], [texts]) for texts in rest])
    assert rouge_n.with_(jackknife=True)([peer], [references]) == pytest.approx(expected)
    assert rouge_n.with_(jackknife=True)([peer], [["a b"]]) == rouge_n([peer], [["a b"]])


@pytest.mark.parametrize(
    "columns, message",
    [
        ((["a"], [[]]), "references in row 0"),
        ((["a"], ["b"]), "references in row 0"),
        ((["a", 3], [["a"], ["b"]]), "row 1 has 3"),
        ((["a"], [["b", None]]), "row 0 has None"),
    ],
)
def test_rows_that_are_no_texts_are_named(columns: Any, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        rouge_n(*columns)


@pytest.mark.parametrize(
    "metric, settings",
    [
        (rouge_n, {"n": 0}),
        (rouge_w, {"weight": 0.9}),
        (rouge_n, {"alpha": 1.5}),
        (rouge_n, {"words": 5, "bytes": 5}),
        (rouge_n, {"words": 0}),
        (rouge_n, {"lang": "french", "stem": True}),
        (rouge_n, {"lang": "klingon", "stem": True, "tokens": "unicode"}),
        (rouge_n, {"lang": "french", "stop": True, "tokens": "unicode"}),
    ],
)
def test_settings_that_make_no_sense_are_refused(metric: Metric, settings: dict[str, Any]) -> None:
    with pytest.raises(MetricParameterError):
        metric.with_(**settings)(["a"], [["a"]])


def test_presets_are_option_strings_and_metrics() -> None:
    assert list(PRESETS) == ["duc2002", "duc2004_task1", "duc2004_task2", "multiling2011", "sumrepo"]
    assert [str(metric) for metric in preset("multiling2011", score="f")] == [
        "rouge_n(score=f)",
        "rouge_n(n=2,score=f)",
        "rouge_su(score=f)",
    ]
    with pytest.raises(MetricParameterError, match="known: duc2002"):
        preset("duc1999")


@pytest.mark.parametrize("name", PRESETS)
def test_a_presets_metrics_are_what_its_options_print(name: str, evaluation: Path, topics: Any) -> None:
    printed = run([*PRESETS[name].split(), "-d", "config.xml"], evaluation).stdout
    names, peers, references = columns(topics, "3")
    expected = [re.findall(rf"3 {re.escape(label)} Eval \S+\.3 R:(\S+)", printed) for label in _labels(printed)]
    order = sorted(range(len(names)), key=lambda row: int(names[row]))
    for metric, recalls in zip(preset(name), expected, strict=True):
        values = metric.per_problem(metric.prepare([peers, references]))
        assert values is not None
        assert [f"{values[row]:.5f}" for row in order] == recalls


def _labels(printed: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"^3 (\S+) Average_R", printed, re.MULTILINE)))


@pytest.mark.parametrize(
    "peer, reference, settings, expected",
    [
        ("Les chevaux étaient là", "le cheval était là", {}, 0.25),
        ("Les chevaux étaient là", "le cheval était là", {"stem": True, "lang": "french"}, 0.75),
        ("Η γάτα κάθεται", "η γάτα", {}, 1.0),
        ("cafe\u0301 CAFÉ", "café café", {}, 1.0),
        ("ﬁlm १२", "१२", {}, 1.0),
    ],
)
def test_other_scripts(peer: str, reference: str, settings: dict[str, Any], expected: float) -> None:
    metric = rouge_n.with_(tokens="unicode", **settings)
    assert metric([peer], [[reference]]) == expected
    assert "tokens:unicode" in metric.signature


def test_ascii_tokens_lose_accents_as_the_original_does() -> None:
    assert rouge_n(["caf"], [["café"]]) == 1
    assert rouge_n(["η γάτα"], [["η γάτα"]]) == 0


@pytest.mark.parametrize("kind", TYPES)
def test_the_google_variant_is_its_packages(kind: Any, topics: Any) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    _, peers, references = columns(topics[:30], "1")
    scorer = RougeScorer([kind], use_stemmer=True)
    rows = zip(peers, references, strict=True)
    expected = [scorer.score_multi(["\n".join(text) for text in texts], "\n".join(peer)) for peer, texts in rows]
    metric = rouge_google.with_(type=kind, stem=True)
    assert metric(peers, references) == pytest.approx(np.mean([scores[kind].fmeasure for scores in expected]))


@pytest.mark.parametrize("stem", [True, False])
@pytest.mark.parametrize("part", ["recall", "precision", "f"])
@pytest.mark.parametrize("kind", ["rouge1", "rouge2", "rougeL", "rougeLsum"])
def test_the_parts_of_the_gap_add_up(kind: Any, part: Any, stem: bool, topics: Any) -> None:
    _, peers, references = columns(topics[:60], "1")
    told = explain(peers, references, type=kind, stem=stem, score=part)
    parts = {step.name: step.change for step in told.steps}
    assert list(parts) == ["stemming", "sentences", "references", "rounding", "other"]
    assert sum(parts.values()) == pytest.approx(told.gap, abs=1e-12)
    assert told.google == pytest.approx(rouge_google.with_(type=kind, stem=stem, score=part)(peers, references))
    ours = rouge_l if kind.startswith("rougeL") else rouge_n.with_(n=int(kind[-1]))
    assert told.rouge_155 == pytest.approx(ours.with_(stem=stem, score=part)(peers, references))
    assert (parts["stemming"] != 0) == stem
    assert (parts["sentences"] != 0) == (kind == "rougeL")
    assert parts["references"] != 0
    assert 0 < abs(parts["rounding"]) < 1e-5
    assert abs(parts["other"]) < (1e-3 if kind == "rougeLsum" else 1e-12)  # ties between equal subsequences
    assert str(told).count("\n") == 6


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, metrics.rouge; print([m for m in ('numba', 'nltk', 'rouge_score', 'Stemmer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_a_place_for_compiled_code_it_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def njit(**options: bool) -> Any:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("no locator available")
        return lambda function: function

    monkeypatch.setattr(compiled_kernels.numba, "njit", njit)
    assert compiled_kernels.compiled(len) is len
    assert asked == [{"cache": True, "nogil": True}, {"nogil": True}]


def test_no_texts_at_all() -> None:
    (scores,) = score(encode([], []), [Measure(kind="L")]).values()
    assert len(scores.f) == 0
    empty = score(encode([""], [["", "\n\n"]], TextSettings(stem=True)), [Measure(kind="W"), Measure(kind="SU")])
    assert all(part.tolist() == [0] for scores in empty.values() for part in scores)
