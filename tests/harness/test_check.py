"""Every fault by id and line, and what each policy does about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check import Report, apply_policy, check_run, choose_policy, looks_shifted
from harness.errors import InputError, RefusedError
from harness.registry import get_task
from harness.task import LENIENT, STRICT

TASK = get_task("verification")
IDS = [f"EN{number:03d}" for number in range(1, 31)]


def check(tmp_path: Path, *lines: str | bytes, ids: list[str] = IDS[:3], name: str = "answers.jsonl") -> Report:
    path = tmp_path / name
    path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    return check_run(path, TASK, ids)


def kinds(report: Report) -> list[tuple[str, int | None, str | None]]:
    return [(fault.kind, fault.line, fault.id) for fault in report.faults]


def row(identifier: str, value: object = 0.7) -> str:
    return json.dumps({"id": identifier, "value": value})


def test_a_clean_run_has_no_fault(tmp_path: Path) -> None:
    report = check(tmp_path, *(row(i) for i in IDS[:3]))
    assert report.faults == []
    assert apply_policy(report, STRICT).treatments == []


def test_every_fault_is_reported_at_once(tmp_path: Path) -> None:
    report = check(
        tmp_path,
        row("EN001", float("nan")),
        row("EN001", 0.2),
        row("en002"),
        row("EN003", 1.5),
        "{nonsense",
        "",
        b'{"id": "EN0\xff"}',
        row("EN004", [0.7]),
        row("EN005", "0.7"),
        row("EN006", True),
        row("EN007", None),
        '["EN008", 0.5]',
        '{"value": 0.5}',
        '{"id": 8, "value": 0.5}',
        '{"id": "EN008"}',
        ids=IDS[:9],
    )
    assert sorted(kinds(report), key=str) == sorted(
        [
            ("nan", 1, "EN001"),
            ("duplicate", 2, "EN001"),
            ("unknown", 3, "en002"),
            ("out_of_range", 4, "EN003"),
            ("bad_line", 5, None),
            ("blank_line", 6, None),
            ("encoding", 7, None),
            ("wrapped", 8, "EN004"),
            ("text_number", 9, "EN005"),
            ("wrong_type", 10, "EN006"),
            ("wrong_type", 11, "EN007"),
            ("bad_line", 12, None),
            ("bad_line", 13, None),
            ("bad_line", 14, None),
            ("wrong_type", 15, "EN008"),
            ("missing", None, "EN002"),
            ("missing", None, "EN009"),
        ],
        key=str,
    )


@pytest.mark.parametrize(("given_id", "meant"), [("en001", "EN001"), ("EN01", "EN001"), (" EN003", "EN003")])
def test_an_unknown_id_gets_the_nearest_known_one(tmp_path: Path, given_id: str, meant: str) -> None:
    report = check(tmp_path, row(given_id))
    (fault,) = [fault for fault in report.faults if fault.kind == "unknown"]
    assert f"did you mean {meant!r}?" in fault.message


@pytest.mark.parametrize(
    ("lines", "name", "answers"),
    [
        (["EN001 0.9", "EN002 0.5", "EN003 0.1"], "answers.txt", [0.9, 0.5, 0.1]),
        (["EN001 Y 0.9", "EN002 - 0.5", "EN003 N 0.1"], "answers.txt", [0.9, 0.5, 0.1]),
        (["EN001 Y", "EN002 -", "EN003 N"], "results", [1.0, 0.5, 0.0]),
        ([row("EN001", 0.9), row("EN002", 0.5), row("EN003", 0.1)], "answers.txt", [0.9, 0.5, 0.1]),
    ],
)
def test_formats_are_told_by_content_not_by_name(tmp_path: Path, lines: list, name: str, answers: list) -> None:
    report = check(tmp_path, *lines, name=name)
    assert report.faults == []
    assert [report.given[i][0].answer.value for i in IDS[:3]] == answers


def test_some_scores_in_a_2013_run_are_a_fault(tmp_path: Path) -> None:
    report = check(tmp_path, "EN001 Y 0.9", "EN002 N", "EN003 N 0.1", name="answers.txt")
    assert ("bad_line", 2, None) in kinds(report)


def test_a_file_of_something_else_is_refused_with_the_known_formats(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no verification run of a known format.*answers\.txt"):
        check(tmp_path, "once upon a time there was a corpus", "it had no answers at all")


def test_an_empty_run_is_all_missing(tmp_path: Path) -> None:
    assert [kind for kind, _, _ in kinds(check(tmp_path))] == ["missing"] * 3


def values(report: Report, policy: str) -> list[float | None]:
    treated = apply_policy(report, choose_policy(policy, TASK, report))
    return [None if answer is None else answer.value for answer in treated.answers.values()]


def test_policies_differ_as_the_official_evaluators_do(tmp_path: Path) -> None:
    jsonl = check(tmp_path, row("EN001", 0.1), row("EN001", 0.9), row("EN002", "0.8"), row("EN003", 1.7))
    assert values(jsonl, "official") == [0.9, 0.8, 1.7]
    assert values(jsonl, "lenient") == [None, 0.8, None]
    text = check(tmp_path, "EN001 0.1", "EN001 0.9", "XX001 0.4", "EN003 seven", name="answers.txt")
    assert values(text, "official") == [0.1, None, None]
    with pytest.raises(RefusedError, match="refused under policy strict"):
        apply_policy(text, STRICT)
    unknown = check(tmp_path, *(row(i) for i in IDS[:4]))
    with pytest.raises(RefusedError, match="unknown: line 4"):
        values(unknown, "official")


def test_what_was_done_is_stated_with_counts(tmp_path: Path) -> None:
    report = check(tmp_path, row("EN001", [0.7]), row("XX", 0.1))
    treated = apply_policy(report, LENIENT)
    assert [str(t) for t in treated.treatments] == ["missing:2→unanswered", "unknown:1→ignore", "wrapped:1→keep"]


@pytest.mark.parametrize("policy", ["lenient", "official", "strict"])
def test_a_run_of_other_problems_is_refused_under_every_policy(tmp_path: Path, policy: str) -> None:
    with pytest.raises(RefusedError, match="a run of another dataset"):
        values(check(tmp_path, row("XX1"), row("XX2")), policy)


@pytest.mark.parametrize("shift", [-2, -1, 1, 2])
def test_shifted_answers_are_noticed(tmp_path: Path, shift: int) -> None:
    truths, right = shifted_case(60)
    ids = list(truths)
    moved = [right[(position - shift) % len(ids)] for position in range(len(ids))]
    report = check(tmp_path, *(row(i, v) for i, v in zip(ids, moved, strict=True)), ids=ids)
    fault = looks_shifted(report, TASK, truths, "overall")
    assert fault is not None
    assert f"{'down' if shift > 0 else 'up'} by {abs(shift)} row" in fault.message


def test_honest_runs_are_not_called_shifted(tmp_path: Path) -> None:
    truths, right = shifted_case(60)
    for values_ in (right, [0.7] * 60, [((7 * n) % 60) / 60 for n in range(60)], [1 - v for v in right]):
        report = check(tmp_path, *(row(i, v) for i, v in zip(truths, values_, strict=True)), ids=list(truths))
        assert looks_shifted(report, TASK, truths, "overall") is None


def shifted_case(size: int) -> tuple[dict, list[float]]:
    import random

    chooser = random.Random(1)
    same = [chooser.random() < 0.5 for _ in range(size)]
    truths = {f"EN{n:03d}": TASK.truth({"same": s}) for n, s in enumerate(same)}
    return truths, [0.9 if s else 0.1 for s in same]


@given(st.lists(st.tuples(st.sampled_from(IDS[:4]), st.floats(0, 1)), max_size=8), st.randoms())
def test_lenient_scores_do_not_depend_on_the_order_of_lines(lines: list, chooser) -> None:
    import tempfile

    lines.append((IDS[0], 0.25))  # at least one id that is asked, or the whole run is refused as another dataset's
    with tempfile.TemporaryDirectory() as folder:
        first = values(check(Path(folder), *(row(i, v) for i, v in lines)), "lenient")
        chooser.shuffle(lines)
        assert values(check(Path(folder), *(row(i, v) for i, v in lines)), "lenient") == first
