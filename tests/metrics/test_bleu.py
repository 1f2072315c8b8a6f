"""BLEU against the numbers of sacreBLEU, NLTK, multi-bleu and mteval, and against the live libraries."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from metrics.bleu import bleu, bleu_nltk, segment_bleu, segment_bleu_nltk, statistics
from metrics.metric import Metric, MetricError, UndefinedMetricError, as_column

ORACLE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "oracles" / "bleu.json").read_text(encoding="utf-8"))
HYPOTHESES: list[str] = ORACLE["hypotheses"]
REFERENCES: list[list[str]] = ORACLE["references"]
ALL = [bleu, segment_bleu, bleu_nltk, segment_bleu_nltk]
TOKENISERS = ("13a", "intl", "char", "none")
SMOOTHINGS = ("exp", "floor", "add-k", "none")


def corpus(setting: str) -> tuple[Metric, float]:
    """The metric that answers one setting of the oracle, and the scale of its numbers."""
    if match := re.fullmatch(r"sacrebleu corpus tok=(\S+) smooth=(\S+)", setting):
        return bleu.with_(tokeniser=match[1], smoothing=match[2]), 100.0
    if match := re.fullmatch(r"nltk corpus ws(?: smoothing method(\d))?", setting):
        return bleu_nltk.with_(method=int(match[1] or 0)), 1.0
    if setting.startswith("mteval"):
        tokeniser = "intl" if "international" in setting else "13a"
        return bleu.with_(tokeniser=tokeniser, lowercase=" -c" not in setting), 1.0
    return bleu.with_(tokeniser="none", smoothing="none"), 100.0


@pytest.mark.parametrize("setting", [name for name in ORACLE["outputs"] if "sentence" not in name])
def test_corpus_oracle(setting: str) -> None:
    metric, scale = corpus(setting)
    expected = ORACLE["outputs"][setting]
    value = metric(HYPOTHESES, REFERENCES) * scale
    if isinstance(expected, str):
        printed = re.search(r"\d+\.\d+", expected)
        assert printed is not None
        assert f"{value:.{len(printed[0].split('.')[1])}f}" == printed[0]
    else:
        exact = expected["score"] if isinstance(expected, dict) else expected
        assert value == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("setting", [name for name in ORACLE["outputs"] if name.startswith("sacrebleu corpus")])
def test_counts_behind_the_score(setting: str) -> None:
    expected = ORACLE["outputs"][setting]
    metric, _ = corpus(setting)
    rows = statistics(as_column(HYPOTHESES), as_column(REFERENCES), tokeniser=metric.settings["tokeniser"])
    added = [0, 1, 1, 1] if metric.settings["smoothing"] == "add-k" else [0, 0, 0, 0]
    counts = [count - more for count, more in zip(expected["counts"], added, strict=True)]
    totals = [total - more for total, more in zip(expected["totals"], added, strict=True)]
    assert rows.sum(axis=0).tolist() == [expected["sys_len"], expected["ref_len"], *counts, *totals]


def test_segment_oracle() -> None:
    columns = as_column(HYPOTHESES), as_column(REFERENCES)
    ours = segment_bleu.per_problem(columns)
    assert ours is not None
    theirs = ORACLE["outputs"]["sacrebleu sentence 13a exp eff_order"]
    assert ours * 100 == pytest.approx(theirs, rel=1e-14)
    assert segment_bleu(*columns) * 100 == pytest.approx(np.mean(theirs), rel=1e-14)
    nltk = segment_bleu_nltk.per_problem(columns)
    assert nltk is not None
    # 1e-12: numbers around 1e-231 are exponentials of numbers around -530
    assert nltk.tolist() == pytest.approx(ORACLE["outputs"]["nltk sentence ws"], rel=1e-12, abs=0)


WORD = st.text(alphabet="ab1,.-!&;'“€٣)\u00a0\n<>", max_size=5) | st.sampled_from(["&amp;quot;", "a..5", "1,200.", "x"])
TEXT = st.lists(WORD, max_size=7).map(" ".join)
SEGMENT = st.tuples(TEXT, st.lists(TEXT, min_size=3, max_size=3))
CORPUS = st.lists(SEGMENT, min_size=1, max_size=4)


def split(segments: list[tuple[str, list[str]]]) -> tuple[list[str], list[list[str]]]:
    return [text for text, _ in segments], [texts for _, texts in segments]


@given(
    segments=CORPUS,
    tokeniser=st.sampled_from(TOKENISERS),
    smoothing=st.sampled_from(SMOOTHINGS),
    value=st.sampled_from([None, 0.5]),
    order=st.integers(1, 4),
    lowercase=st.booleans(),
)
def test_equals_sacrebleu(
    segments: list[tuple[str, list[str]]],
    tokeniser: str,
    smoothing: str,
    value: float | None,
    order: int,
    lowercase: bool,
) -> None:
    hypotheses, references = split(segments)
    options: dict[str, Any] = {"tokenize": tokeniser, "smooth_method": smoothing, "max_ngram_order": order}
    options |= {"lowercase": lowercase, "force": True, "smooth_value": value}
    streams = [list(stream) for stream in zip(*references, strict=True)]
    common: dict[str, Any] = {"tokeniser": tokeniser, "smoothing": smoothing, "order": order, "lowercase": lowercase}
    common["smoothing_value"] = value
    theirs = BLEU(**options).corpus_score(hypotheses, streams).score / 100
    assert bleu.with_(**common)(hypotheses, references) == pytest.approx(theirs, rel=1e-12, abs=1e-300)
    single = BLEU(**options, effective_order=True)
    scores = [single.sentence_score(h, r).score / 100 for h, r in zip(hypotheses, references, strict=True)]
    ours = segment_bleu.with_(**common).per_problem((as_column(hypotheses), as_column(references)))
    assert ours is not None
    assert ours.tolist() == pytest.approx(scores, rel=1e-12, abs=1e-300)


WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=8).map(" ".join)


@pytest.mark.filterwarnings("ignore::UserWarning:nltk.translate.bleu_score")
@given(
    segments=st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=3),
    method=st.integers(0, 7),
    order=st.integers(1, 4),
)
def test_equals_nltk(segments: list[tuple[str, list[str]]], method: int, order: int) -> None:
    hypotheses, references = split(segments)
    tokens = [[text.split() for text in texts] for texts in references]
    smoothing = getattr(SmoothingFunction(), f"method{method}")
    options: dict[str, Any] = {"weights": (1 / order,) * order, "smoothing_function": smoothing}
    metric = bleu_nltk.with_(method=method, order=order)
    try:
        theirs = corpus_bleu(tokens, [text.split() for text in hypotheses], **options)
    except (AssertionError, IndexError):  # method 6 without a matching trigram
        with pytest.raises(UndefinedMetricError, match="method 6 needs order 3"):
            metric(hypotheses, references)
        return
    assert metric(hypotheses, references) == pytest.approx(theirs, rel=1e-9, abs=0)
    if len(segments) == 1:
        one = sentence_bleu(tokens[0], hypotheses[0].split(), **options) if theirs else 0.0
        assert segment_bleu_nltk.with_(method=method, order=order)(hypotheses, references) == pytest.approx(one)


@pytest.mark.parametrize("metric", [*ALL, bleu_nltk.with_(method=5), bleu.with_(smoothing="none")], ids=str)
@given(segments=CORPUS, data=st.data())
def test_weights_are_repetitions(metric: Metric, segments: list[tuple[str, list[str]]], data: st.DataObject) -> None:
    hypotheses, references = split(segments)
    columns = as_column(hypotheses), as_column(references)
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(segments), max_size=len(segments))))
    if times.sum() == 0:
        return
    repeated = tuple(np.repeat(column, times) for column in columns)
    again = metric.resampled(columns, times[None, :].astype(float))
    assert again == pytest.approx(metric.resampled(repeated, None), nan_ok=True)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_a_text_against_itself_is_perfect(order: int) -> None:
    text = "the cat sat on the mat ."
    for metric in ALL:
        assert metric.with_(order=order)([text], [[text, "another"]]) == pytest.approx(1.0, rel=1e-15)


def test_short_text_against_itself() -> None:
    texts = ["the cat"], [["the cat"]]
    assert bleu(*texts) == 0.0
    assert bleu.with_(effective_order=True)(*texts) == 1.0
    assert segment_bleu(*texts) == 1.0
    assert 0 < bleu_nltk(*texts) < 1e-100


def test_equally_close_lengths_take_the_shorter_reference() -> None:
    rows = statistics(as_column(["a b c"]), as_column([["a b c d", "a b"]]), tokeniser="none")
    assert rows[0, :2].tolist() == [3, 2]


def test_unanswered_and_refusals() -> None:
    for metric in ALL:
        assert metric([None], [["a b"]]) == 0.0
        assert metric([""], [[""]]) == 0.0
        with pytest.raises(MetricError, match="hypothesis must be a text, not 3, in row 1"):
            metric(["a", 3], [["a"], ["a"]])
        with pytest.raises(MetricError, match="references must be a list of one text or more, not 'a', in row 0"):
            metric(["a"], ["a"])
        with pytest.raises(MetricError, match=r"not \[\], in row 0"):
            metric(["a"], [[]])
        with pytest.raises(MetricError, match="not None, in row 0"):
            metric(["a"], [None])
        with pytest.raises(UndefinedMetricError, match="nothing to score"):
            metric([], [])


def test_signature_says_how_the_number_was_made() -> None:
    assert segment_bleu.with_(order=2).signature == (
        "segment_bleu|lowercase:False|order:2|smoothing:exp|smoothing_value:None|tokeniser:13a"
    )
