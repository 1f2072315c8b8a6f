"""Verification metrics against the official PAN evaluators (see tests/oracles/README.md)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.verification import verdicts

ORACLES = Path(__file__).parents[1] / "oracles"
PAN20 = json.loads((ORACLES / "pan_verification.json").read_text(encoding="utf-8"))["cases"]
PAN13 = json.loads((ORACLES / "pan13_14_15_verification.json").read_text(encoding="utf-8"))
OFFICIAL_NAMES = {"auc": "auc", "c@1": "c_at_1", "f_05_u": "f_05_u", "F1": "f1", "brier": "brier"}


def columns(case: dict) -> tuple[list[bool], list[float]]:
    answers = {row["id"]: float(row["value"]) for row in case["answers"]}
    return [row["same"] for row in case["truth"]], [answers.get(row["id"], 0.5) for row in case["truth"]]


@pytest.mark.parametrize("case", PAN20, ids=lambda case: case["name"])
def test_unrounded_values_are_the_official_ones(case: dict) -> None:
    same, answer = columns(case)
    if np.isnan(answer).any():
        with pytest.raises(metrics.MetricError, match="NaN"):
            metrics.c_at_1(same, answer)
        return
    for official, value in case["unrounded"].items():
        metric = metrics.get(OFFICIAL_NAMES[official])
        if isinstance(value, str):
            assert metric(same, answer) == 0.0  # the official script stops; ours is a documented 0
        elif np.isnan(value):
            with pytest.raises(metrics.UndefinedMetricError, match="one class"):
                metric(same, answer)
        else:
            assert metric(same, answer) == pytest.approx(value, abs=1e-15)


SCORED = [case for case in PAN20 if case["official"]["pan20"].get("overall", np.nan) >= 0]


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["name"])
@pytest.mark.parametrize(("year", "edition"), [(2020, "pan20"), (2022, "pan22_23")])
def test_printed_values_are_the_official_ones(case: dict, year: int, edition: str) -> None:
    official = case["official"][edition]
    same, answer = columns(case)
    printed = {name: round(metrics.get(ours)(same, answer), 3) for name, ours in OFFICIAL_NAMES.items()}
    printed["overall"] = round(metrics.overall.with_(year=year)(same, answer), 3)
    assert {name: printed[name] for name in official} == official


@pytest.mark.parametrize("case", PAN13, ids=range(len(PAN13)))
def test_2013_to_2015(case: dict) -> None:
    same = [answer == "Y" for answer in case["truth"].values()]
    answer = np.array([case["scores"].get(problem, 0.5) for problem in case["truth"]])
    given = [problem in case["scores"] for problem in case["truth"]]
    pan13 = {k: v for line in case["pan13"].split("\n") for k, v in json.loads(line).items()}
    assert f"{round(metrics.recall_2013(same, verdicts(answer)), 3):g}" == pan13["Recall"]
    assert f"{round(metrics.precision_2013(same, verdicts(answer)), 3):g}" == pan13["Precision"]
    assert f"{round(metrics.auc_2013(same, answer, given), 3):g}" == pan13["AUC"]
    for edition in ("pan14", "pan15"):
        official = json.loads(case[edition])
        assert float(f"{metrics.auc(same, answer):.5g}") == official["AUC"]
        assert float(f"{metrics.c_at_1(same, answer):.5g}") == official["C1"]
        assert float(f"{metrics.auc_c_at_1(same, answer):.5g}") == official["finalScore"]


def test_a_missing_line_differs_from_one_half_in_2013_only() -> None:
    same, answer = [True, False, True, False], [0.9, 0.1, 0.5, 0.5]
    everything = metrics.auc_2013(same, answer, [True] * 4)
    assert everything == metrics.auc(same, answer)
    assert metrics.auc_2013(same, answer, [True, True, True, False]) < everything


def test_brier_gives_zero_outside_the_unit_interval_as_pan_does() -> None:
    assert metrics.brier([True, False], [1.2, 0.0]) == 0.0
