"""Official files scored as they are, signatures, groups."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from harness.errors import BakeoffError, RefusedError
from harness.registry import get_task
from harness.scoring import ScoreCard, score_files

TASK = get_task("verification")
ORACLES = Path(__file__).parents[1] / "oracles"
PAN20 = json.loads((ORACLES / "pan_verification.json").read_text(encoding="utf-8"))["cases"]
PAN13 = json.loads((ORACLES / "pan13_14_15_verification.json").read_text(encoding="utf-8"))
NAMES = {"auc": "auc", "c@1": "c_at_1", "f_05_u": "f_05_u", "F1": "f1", "brier": "brier"}


def jsonl(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def printed(card: ScoreCard) -> dict[str, float | None]:
    return {score.metric: None if score.value is None else round(score.value, 3) for score in card.scores}


@pytest.mark.parametrize("case", PAN20, ids=lambda case: case["name"])
def test_pan20_files(case: dict, tmp_path: Path) -> None:
    truth, run = jsonl(tmp_path / "truth.jsonl", case["truth"]), jsonl(tmp_path / "answers.jsonl", case["answers"])
    official = case["official"]["pan22_23"]
    if case["name"] in ("unknown_id", "nan_value"):
        with pytest.raises(RefusedError, match="line"):
            score_files(run, TASK, truth)
        assert printed(score_files(run, TASK, truth, policy="lenient"))["c_at_1"] is not None
        return
    values = printed(score_files(run, TASK, truth))
    if case["name"] == "all_unanswered":
        assert values["f1"] == 0.0  # where the official script stops
        return
    for name, value in official.items():
        ours = values["overall" if name == "overall" else NAMES[name]]
        assert ours is None if math.isnan(value) else ours == value
    year_2020 = case["official"]["pan20"]["overall"]
    assert values["overall(year=2020)"] == (None if math.isnan(year_2020) else year_2020)


@pytest.mark.parametrize("case", PAN13, ids=range(len(PAN13)))
def test_pan13_to_15_files(case: dict, tmp_path: Path) -> None:
    truth = tmp_path / "truth.txt"
    truth.write_bytes("".join(f"{i} {a}\r\n" for i, a in case["truth"].items()).encode("utf-8-sig"))
    scores = tmp_path / "answers.txt"
    scores.write_text("".join(f"{i} {v}\n" for i, v in case["scores"].items()), encoding="utf-8")
    final = next(s for s in score_files(scores, TASK, truth).scores if s.metric == "auc_c_at_1").value
    assert float(f"{final:.5g}") == json.loads(case["pan14"])["finalScore"]
    letters = tmp_path / "letters.txt"
    lines = (f"{i} {'-' if v == 0.5 else 'Y' if v > 0.5 else 'N'} {v}\n" for i, v in case["scores"].items())
    letters.write_text("".join(lines), encoding="utf-8")
    values = printed(score_files(letters, TASK, truth))
    official = {k: float(v) for line in case["pan13"].split("\n") for k, v in json.loads(line).items()}
    assert values["recall_2013"] == official["Recall"]
    assert values["precision_2013"] == official["Precision"]
    assert values["auc_2013"] == official["AUC"]


def test_a_letter_decides_even_against_its_score(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.txt", tmp_path / "answers.txt"
    truth.write_text("EN01 Y\nEN02 N\n", encoding="utf-8")
    run.write_text("EN01 Y 0.3\nEN02 N 0.2\n", encoding="utf-8")
    assert printed(score_files(run, TASK, truth))["recall_2013"] == 1.0


def test_2013_scores_are_given_by_language_too(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.txt", tmp_path / "answers.txt"
    truth.write_text("EN01 Y\nEN02 N\nGR01 Y\nGR02 N\n", encoding="utf-8")
    run.write_text("EN01 Y 0.9\nEN02 N 0.2\nGR01 N 0.1\nGR02 Y 0.8\n", encoding="utf-8")
    card = score_files(run, TASK, truth, metrics=["recall_2013"])
    assert {group: scores[0].value for group, scores in card.groups.items()} == {"EN": 1.0, "GR": 0.0}
    assert "|n:2|" in card.groups["EN"][0].signature


def test_the_signature_tells_all(tmp_path: Path) -> None:
    truth = jsonl(tmp_path / "truth.jsonl", [{"id": f"p{n}", "same": n % 2 == 0} for n in range(6)])
    run = jsonl(tmp_path / "answers.jsonl", [{"id": f"p{n}", "value": 0.6} for n in range(4)])
    card = score_files(run, TASK, truth, metrics=["overall(year=2020)"])
    (score,) = card.scores
    for part in ("overall|year:2020", "n:6", "policy:pan20", "missing:2→unanswered", "data:truth.jsonl@", "v:"):
        assert part in score.signature
    assert score.interval is not None
    assert score.interval[0] <= score.value <= score.interval[1]


def test_two_truths_for_one_id_are_refused_by_line(tmp_path: Path) -> None:
    truth = jsonl(tmp_path / "truth.jsonl", [{"id": "a", "same": True}, {"id": "a", "same": False}])
    run = jsonl(tmp_path / "answers.jsonl", [{"id": "a", "value": 1}])
    with pytest.raises(BakeoffError, match="line 2: id 'a' occurs twice"):
        score_files(run, TASK, truth)


def test_a_run_given_as_the_truth_is_refused(tmp_path: Path) -> None:
    run = jsonl(tmp_path / "answers.jsonl", [{"id": "a", "value": 1}])
    with pytest.raises(BakeoffError, match='"same" must be true or false'):
        score_files(run, TASK, run)
