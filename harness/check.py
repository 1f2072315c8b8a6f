"""Every fault in a run, by id and line, before it costs anybody a rank; and what a policy does about each.

Answers are matched to problems by id, never by position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import InputError, RefusedError, UnknownNameError, nearest
from harness.files import write_atomic
from harness.records import Entry, Fault, Kind
from harness.registry import get_metric
from harness.run import ANSWERS
from harness.task import Action, AnswerError, AnswerFormat, Policy, Task

_HEAD = 64 * 1024
_HINTS = 20
"""Unknown ids that get a nearest-id hint: comparing each of thousands with thousands would take minutes."""
_FILE_NAMES = (ANSWERS, "answers.jsonl", "answers.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One line's answer to a known problem, or the fault in it."""

    line: int
    answer: Any
    fault: Fault | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A run file as read: the faults, and by id all that was given."""

    path: Path
    format: AnswerFormat
    ids: tuple[str, ...]
    faults: list[Fault]
    given: Mapping[str, list[Given]]

    @property
    def is_foreign(self) -> bool:
        """Not one answer belongs to the problems asked, though there are some."""
        return not self.given and any(fault.kind == "unknown" for fault in self.faults)

    def clean(self) -> dict[str, Any]:
        """Answers without any fault, in the order of the file."""
        return {i: g[0].answer for i, g in self.given.items() if len(g) == 1 and g[0].fault is None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """What was done about the faults of one kind."""

    kind: Kind
    action: Action
    count: int
    example: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.count}→{self.action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Treated:
    """Answers as they are scored, by id (`None`: unanswered), with what the policy did."""

    answers: Mapping[str, Any]
    policy: Policy
    treatments: list[Treatment] = field(default_factory=list)


def run_file(path: Path, task: Task[Any, Any, Any]) -> Path:
    """The answers: the path itself, the file that a run folder holds, or a folder that is a run as a whole."""
    if not path.is_dir():
        if not path.is_file():
            raise InputError(f"{path} does not exist; give a run folder or an answers file")
        return path
    found = [path / name for name in _FILE_NAMES if (path / name).is_file()]
    if found:
        return found[0]
    if any(answer_format.is_folder(path) for answer_format in task.formats):
        return path
    raise InputError(f"{path} holds no answers; expected {' or '.join(_FILE_NAMES)}")


def recognise(path: Path, task: Task[Any, Any, Any]) -> AnswerFormat:
    """The answer format of a run, told by its content; an empty file passes as the task's first format."""
    if path.is_dir():
        return next(answer_format for answer_format in task.formats if answer_format.is_folder(path))
    with path.open("rb") as handle:
        head = handle.read(_HEAD)
    if not head.strip():
        return task.formats[0]
    for answer_format in task.formats:
        if answer_format.recognises(head):
            return answer_format
    known = "; ".join(f"{f.name}: {f.summary}" for f in task.formats)
    raise InputError(f"{path} is no {task.name} run of a known format ({known})")


def check_run(path: Path, task: Task[Any, Any, Any], ids: Sequence[str]) -> Report:
    """Read a run and name every fault in it."""
    file = run_file(path, task)
    answer_format = recognise(file, task)
    faults: list[Fault] = []
    given: dict[str, list[Given]] = {}
    unknown: list[Entry] = []
    expected = set(ids)
    for entry in answer_format.read(file):
        if entry.id is None:
            faults.append(entry.fault or Fault(kind="bad_line", message="no id", line=entry.line))
        elif entry.id not in expected:
            unknown.append(entry)
        else:
            faults.extend(_take(entry, task, given))
    missing = [identifier for identifier in ids if identifier not in given]
    faults.extend(_unknown_faults(unknown, missing, ids, task))
    faults.extend(Fault(kind="missing", message=f"no answer for {i!r}", id=i) for i in missing)
    return Report(path=file, format=answer_format, ids=tuple(ids), faults=faults, given=given)


def _take(entry: Entry, task: Task[Any, Any, Any], given: dict[str, list[Given]]) -> list[Fault]:
    """Record one line's answer; returns the faults it has."""
    identifier = entry.id or ""
    fault, answer = entry.fault, None
    if fault is None:
        try:
            answer = task.answer(dict(entry.row or {}))
        except AnswerError as error:
            message = f"{identifier!r}: {error}"
            fault = Fault(kind=error.kind, message=message, line=entry.line, id=identifier, salvage=error.salvage)
    earlier = given.setdefault(identifier, [])
    faults = [fault] if fault else []
    if earlier:
        message = f"{identifier!r} was answered in line {earlier[0].line} already"
        faults.append(Fault(kind="duplicate", message=message, line=entry.line, id=identifier))
    earlier.append(Given(line=entry.line, answer=answer, fault=fault))
    return faults


def _unknown_faults(
    unknown: list[Entry], missing: Sequence[str], ids: Sequence[str], task: Task[Any, Any, Any]
) -> list[Fault]:
    """Name ids that nobody asked, the first of them with the nearest id that was."""
    faults = []
    folded = {identifier.casefold(): identifier for identifier in ids}
    known = set(ids)
    for position, entry in enumerate(unknown):
        identifier = entry.id or ""
        near = folded.get(identifier.strip().casefold())
        if near is None and (meant := task.meant(identifier)) in known:
            near = meant
        if near is None and position < _HINTS:
            near = nearest(identifier, missing) or nearest(identifier, ids)
        hint = f"; did you mean {near!r}?" if near else ""
        message = f"no problem {identifier!r}{hint}"
        faults.append(Fault(kind="unknown", message=message, line=entry.line, id=identifier))
    return faults


def choose_policy(name: str, task: Task[Any, Any, Any], report: Report) -> Policy:
    """A policy by name; `official` is the one of the run's own format."""
    if name == "official":
        return report.format.policy
    if name not in task.policies:
        raise UnknownNameError("policy", name, [*task.policies, "official"])
    return task.policies[name]


def apply_policy(report: Report, policy: Policy) -> Treated:
    """Answers as the policy scores them; raises `RefusedError` where it does not, and for a run of other problems."""
    if report.is_foreign:
        first = next(fault.id for fault in report.faults if fault.kind == "unknown")
        raise RefusedError(
            f"{report.path}: none of its ids is asked here (first: {first!r}); a run of another dataset?"
        )
    refused: list[Fault] = []
    done: dict[Kind, list[Fault]] = {}
    answers: dict[str, Any] = {}
    for fault in report.faults:
        action = policy.actions.get(fault.kind, "refuse")
        is_refused = action == "refuse" or (action == "keep" and fault.salvage is None)
        (refused if is_refused else done.setdefault(fault.kind, [])).append(fault)
    if refused:
        raise RefusedError(_refusal(report, policy, refused))
    for identifier in report.ids:
        answers[identifier] = _resolve(report.given.get(identifier, []), policy)
    treatments = [
        Treatment(kind=kind, action=policy.actions[kind], count=len(faults), example=str(faults[0]))
        for kind, faults in sorted(done.items())
    ]
    return Treated(answers=answers, policy=policy, treatments=treatments)


def _resolve(given: list[Given], policy: Policy) -> Any:
    """The one answer that a policy takes from what a run gives for a problem, or `None`."""
    if len(given) > 1:
        action = policy.actions["duplicate"]
        given = given[:1] if action == "first" else given[-1:] if action == "last" else []
    if not given:
        return None
    fault = given[0].fault
    if fault is None:
        return given[0].answer
    return fault.salvage if policy.actions[fault.kind] == "keep" else None


def _refusal(report: Report, policy: Policy, refused: list[Fault]) -> str:
    more = f" and {len(refused) - 1} more faults" if len(refused) > 1 else ""
    way_out = "see bakeoff check" if policy.name == "lenient" else "see bakeoff check, or score with --policy lenient"
    return f"{report.path}: refused under policy {policy.name}: {refused[0]}{more}; {way_out}"


def export_answers(
    path: Path, task: Task[Any, Any, Any], ids: Sequence[str], *, kind: str, out: Path, policy: str
) -> int:
    """Write a run in one of the task's answer formats; returns how many answers it has."""
    formats = {answer_format.name: answer_format.write for answer_format in task.formats if answer_format.write}
    if kind not in formats:
        raise UnknownNameError("answer format", kind, formats)
    report = check_run(path, task, ids)
    answers = apply_policy(report, choose_policy(policy, task, report)).answers
    rows = [(i, task.answer_row(answer)) for i, answer in answers.items() if answer is not None]
    write_atomic(out, "".join(formats[kind](rows)))
    return len(rows)


def looks_shifted(report: Report, task: Task[Any, Any, Any], truths: Mapping[str, Any], primary: str) -> Fault | None:
    """Whether the answers fit the truths far better when moved by a row.

    Flagged only if the run as it is does no better than most random orders of its answers, and moved by one
    or two rows it does better than all of them.
    """
    import numpy as np

    answers = report.clean()
    if len(answers) < 20:
        return None
    metric = get_metric(primary)
    ordered = [truths[identifier] for identifier in answers]
    values = list(answers.values())

    def skill(order: Sequence[int]) -> float:
        columns = task.columns(ordered, [values[position] for position in order])
        value = float(metric.resampled([columns[name] for name in metric.columns], None)[0])
        return value if metric.direction == "max" else -value

    positions = np.arange(len(values))
    generator = np.random.default_rng(0)
    chance = np.array([skill(generator.permutation(positions).tolist()) for _ in range(200)])
    if not skill(positions.tolist()) <= np.quantile(chance, 0.9):
        return None
    moved = {shift: skill(np.roll(positions, shift).tolist()) for shift in (-2, -1, 1, 2)}
    best = max(moved, key=lambda shift: moved[shift])
    if not moved[best] > chance.max() + 3 * chance.std():
        return None
    rows = f"{abs(best)} row{'s' if abs(best) > 1 else ''}"
    way = "down" if best < 0 else "up"
    return Fault(kind="shifted", message=f"the answers look shifted {way} by {rows} against their ids")
