"""A contest: every system on every dataset, carried out, scored, ranked and written down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.check import apply_policy, check_run
from harness.dataset import Dataset
from harness.errors import UsageError
from harness.execution import Outcome, execute
from harness.files import write_atomic
from harness.leaderboard import Board, Entrant, make_board
from harness.records import Progress, unheard
from harness.registry import find_system, list_systems, parse_system
from harness.run import Plan, plan_run, resources_of
from harness.scoring import board_metrics, score_run
from harness.store import open_dataset
from harness.task import LENIENT

DEFAULT_DATASETS = ("sotu-verification",)


def hold_contest(
    dataset_ids: Sequence[str],
    systems: Sequence[str] = (),
    *,
    jobs: int = 1,
    seed: int = 0,
    on_progress: Progress = unheard,
) -> list[Board]:
    """A board per dataset; systems are all of the dataset's task unless named."""
    datasets = [open_dataset(identifier) for identifier in dict.fromkeys(dataset_ids)]
    for dataset in datasets:
        dataset.truths(dataset.evaluated)  # a blind dataset cannot be ranked: say so before anything runs
    plans = [plan for dataset in datasets for plan in _plans(dataset, systems, seed)]
    outcomes: dict[str, Outcome] = {}
    on_progress(0, len(plans), "systems")
    for outcome in execute(plans, jobs=jobs):
        outcomes[outcome.plan.identity] = outcome
        on_progress(len(outcomes), len(plans), f"{outcome.plan.dataset}: {outcome.plan.label}")
    boards = []
    for dataset in datasets:
        mine = [outcomes[plan.identity] for plan in plans if plan.dataset == dataset.id]
        boards.append(_board(dataset, mine))
    return boards


def _plans(dataset: Dataset, systems: Sequence[str], seed: int) -> list[Plan]:
    names = systems or [info.name for info in list_systems(dataset.task.name)]
    if not names:
        raise UsageError(f"there is no system for {dataset.task.name} yet; see bakeoff systems")
    calls = [parse_system(dataset.task.name, name) for name in dict.fromkeys(names)]
    return [plan_run(dataset, call, seed=seed) for call in calls]


def _board(dataset: Dataset, outcomes: Sequence[Outcome]) -> Board:
    truths = dataset.truths(dataset.evaluated)
    return make_board(
        dataset.task,
        truths,
        [_entrant(dataset, outcome, list(truths)) for outcome in outcomes],
        dataset=dataset.id,
        title=str(dataset.manifest.get("title", dataset.id)),
        data=f"{dataset.id}/{dataset.evaluated}@{dataset.truth_fingerprint()[:8]}",
        metrics=board_metrics(dataset),
    )


def _entrant(dataset: Dataset, outcome: Outcome, ids: Sequence[str]) -> Entrant:
    plan = outcome.plan
    summary = find_system(plan.system.task, plan.system.name).summary
    if outcome.folder is None:
        return Entrant(name=plan.label, reason=outcome.reason, summary=summary)
    score_run(outcome.folder, dataset)
    treated = apply_policy(check_run(outcome.folder, dataset.task, ids), LENIENT)
    return Entrant(name=plan.label, treated=treated, resources=resources_of(outcome.folder), summary=summary)


def write_boards(boards: Sequence[Board], folder: Path) -> list[Path]:
    """`index.html`, and for each dataset CSV, LaTeX and JSON; returns what was written."""
    from harness.report.html import render
    from harness.report.tables import to_csv, to_json, to_latex

    written = [folder / "index.html"]
    write_atomic(written[0], render(boards))
    for board in boards:
        for suffix, content in (("csv", to_csv(board)), ("tex", to_latex(board)), ("json", to_json(board))):
            path = folder / f"{board.dataset}.{suffix}"
            write_atomic(path, content)
            written.append(path)
    return written
