"""Link detection files scored as they are, against NIST's scorer (see tests/oracles/README.md)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from harness.check import check_run
from harness.errors import BakeoffError
from harness.registry import get_task
from harness.scoring import score_files

TASK = get_task("link_detection")
ORACLE = Path(__file__).parents[1] / "oracles" / "tdt_link.json.gz"
CASES: list[dict[str, Any]] = json.loads(gzip.decompress(ORACLE.read_bytes()))["cases"]
REPORT_ALONE = 5
"""Arguments of `-K key -r report sys`: no option that changes the numbers."""
PLAIN = [case for case in CASES if len(case["runs"].get("report", {}).get("argv", [])) == REPORT_ALONE]
OFFICIAL = {"P(Miss)": "p_miss", "P(Fa)": "p_fa", "CLink": "c_det", "Norm(CLink)": "norm_c_det"}


def write(case: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    pack, ending = (gzip.compress, ".gz") if case["gzip"] else (bytes, "")
    key, system = folder / f"key{ending}", folder / f"sys{ending}"
    key.write_bytes(pack(case["key"].encode()))
    system.write_bytes(pack(case["system"].encode()))
    return key, system


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["name"])
def test_the_numbers_are_nists_and_so_are_the_refusals(case: dict[str, Any], tmp_path: Path) -> None:
    key, system = write(case, tmp_path)
    report = case["runs"]["report"]
    if report["exit_code"] != 0:
        with pytest.raises(BakeoffError) as refusal:
            score_files(system, TASK, key)
        assert "\n" not in str(refusal.value)
        return
    values = {score.metric: score.value for score in score_files(system, TASK, key).scores}
    for weighting, prefix in (("SW", ""), ("TW", "topic_")):
        for name, metric in OFFICIAL.items():
            official = report["overall"][f"{weighting} {name}"]
            if official != "--":
                assert values[prefix + metric] == pytest.approx(official, rel=1e-12)


def has_minimum(case: dict[str, Any]) -> bool:
    return case["runs"].get("det", {}).get("exit_code") == 0 and case["runs"]["report"]["exit_code"] == 0


@pytest.mark.parametrize("case", list(filter(has_minimum, PLAIN)), ids=lambda case: case["name"])
def test_the_pooled_minimum_is_nists(case: dict[str, Any], tmp_path: Path) -> None:
    overall = case["runs"]["det"]["overall"]
    official = overall.get("SW Min DET Norm(CLink)", "NULL")
    key, system = write(case, tmp_path)
    values = {score.metric: score.value for score in score_files(system, TASK, key).scores}
    if isinstance(official, str):
        assert values["min_c_det_nist"] is None
    else:
        assert values["min_c_det_nist"] == pytest.approx(official, rel=1e-12)
        assert values["min_c_det"] <= official + 1e-12  # the textbook minimum looks at more thresholds
    by_topic = overall.get("TW Min DET Norm(CLink)", "NULL")
    if not isinstance(by_topic, str) and not case["runs"]["det"].get("varies_with_hash_order"):
        assert values["topic_min_c_det_nist"] == pytest.approx(by_topic, rel=1e-12)


def test_a_checked_run_names_its_faults_by_line(tmp_path: Path) -> None:
    run = tmp_path / "sys"
    run.write_text("# a system\nmine 10\nA B YES 0.7\nA C maybe 0.1\nB A NO 0.2\nA D NO x\nA E\n", encoding="utf-8")
    report = check_run(run, TASK, ["A B", "A C", "A D", "A F"])
    found = {(fault.kind, fault.line, fault.id) for fault in report.faults}
    assert found == {
        ("wrong_type", 4, "A C"),
        ("unknown", 5, "B A"),
        ("wrong_type", 6, "A D"),
        ("bad_line", 7, None),
        ("missing", None, "A F"),
    }


def test_a_reversed_pair_is_pointed_out(tmp_path: Path) -> None:
    run = tmp_path / "sys"
    run.write_text("mine 10\nA B YES 0.7\nD C NO 0.1\n", encoding="utf-8")
    report = check_run(run, TASK, ["A B", "C D", "D E"])
    (fault,) = [fault for fault in report.faults if fault.kind == "unknown"]
    assert fault.message == "no problem 'D C'; did you mean 'C D'?"


def test_a_missing_information_line_is_named(tmp_path: Path) -> None:
    key, run = tmp_path / "key", tmp_path / "sys"
    key.write_text("# LINK_DETECTION\nA B TARGET t\nA C NONTARGET t\n", encoding="utf-8")
    run.write_text("A B YES 0.7\nA C NO 0.1\n", encoding="utf-8")
    with pytest.raises(BakeoffError, match=r"1 pair of the key without an answer: 'A B'; .*information line"):
        score_files(run, TASK, key)
    with pytest.raises(BakeoffError, match="is not a key"):
        score_files(run, TASK, run)


def test_det_draws_several_systems(tmp_path: Path, bakeoff: Any) -> None:
    labels = ["NONTARGET" if n % 3 else "TARGET" for n in range(30)]
    pairs = [f"A{n} B{n} {label} b{n % 2}\n" for n, label in enumerate(labels)]
    (tmp_path / "key").write_text("# LINK_DETECTION\n" + "".join(pairs), encoding="utf-8")
    for name, skill in (("good", 5), ("poor", 1)):
        lines = (f"A{n} B{n} YES {(skill if n % 3 == 0 else 0) + n * 7 % 5}\n" for n in range(30))
        (tmp_path / name).write_text("system 10\n" + "".join(lines), encoding="utf-8")
    for ending, magic in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        out = tmp_path / f"det.{ending}"
        result = bakeoff("det", tmp_path / "good", tmp_path / "poor", "--truth", tmp_path / "key", "--out", out)
        assert result.code == 0, result.err
        assert "good: least normalised cost 0.0000" in result.out
        assert out.read_bytes().startswith(magic)
    assert bakeoff("det", tmp_path / "good", "--truth", tmp_path / "key", "--out", tmp_path / "x.doc").code == 2
