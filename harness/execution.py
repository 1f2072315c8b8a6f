"""Carrying out planned runs in worker processes: isolated, resumable, and one failure never takes the others down."""

from __future__ import annotations

import multiprocessing
import os
import threading
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from harness.dataset import Dataset
from harness.errors import BakeoffError, UsageError
from harness.files import remove_partials, write_atomic
from harness.home import runs_folder
from harness.records import Progress, unheard
from harness.run import Plan, is_whole, produce
from harness.store import open_dataset

_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "BAKEOFF_WORKERS"), "1"
)
"""`BAKEOFF_WORKERS` is how many processes a system may use for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a plan: a run folder, or the reason why there is none."""

    plan: Plan
    folder: Path | None = None
    reason: str = ""
    reused: bool = False


def execute(plans: Sequence[Plan], *, jobs: int) -> Iterator[Outcome]:
    """Carry out plans, yielding each as it ends; whole runs of an earlier time are taken as they are."""
    for dataset in {plan.dataset for plan in plans}:
        remove_partials(runs_folder() / dataset)
    wanted = []
    for plan in plans:
        if is_whole(plan):
            yield Outcome(plan=plan, folder=plan.folder, reused=True)
        else:
            wanted.append(plan)
    if wanted:
        suspects: list[Plan] = []
        yield from _in_pool(wanted, jobs, suspects)
        for plan in suspects:  # a worker died under one of these: alone, the guilty one shows itself
            died: list[Plan] = []
            yield from _in_pool([plan], 1, died)
            if died:
                yield Outcome(plan=plan, reason="its process died; it was killed or ran out of memory")


def _in_pool(plans: Sequence[Plan], jobs: int, suspects: list[Plan]) -> Iterator[Outcome]:
    """Run plans in fresh worker processes; plans lost to a broken pool are handed back as suspects."""
    context = multiprocessing.get_context("spawn")
    saved = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)  # workers inherit it: one thread each, so that times compare and cores are shared
    pool = ProcessPoolExecutor(
        max_workers=min(jobs, len(plans)),
        mp_context=context,
        initializer=_end_with_parent,
        max_tasks_per_child=1,  # a process of its own for every run: its peak memory is its own
    )
    try:
        pending: dict[Future[Outcome], Plan] = {pool.submit(_work, plan): plan for plan in plans}
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                plan = pending.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    suspects.append(plan)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for name, value in saved.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def _end_with_parent() -> None:
    """A worker whose parent was killed must not live on."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _work(plan: Plan) -> Outcome:
    try:
        return carry_out(plan, open_dataset(plan.dataset))
    except UsageError as error:
        return Outcome(plan=plan, reason=str(error))


def carry_out(plan: Plan, dataset: Dataset, target: Path | None = None, *, on_progress: Progress = unheard) -> Outcome:
    """Carry out one plan in this process; whatever the system does wrong becomes a reason, its traceback a file."""
    try:
        return Outcome(plan=plan, folder=produce(plan, dataset, target, on_progress=on_progress))
    except UsageError:
        raise
    except BakeoffError as error:
        return Outcome(plan=plan, reason=str(error))
    except Exception as error:  # noqa: BLE001 - a system may fail in any way; the others must go on
        log = plan.folder.with_suffix(".failed.txt")
        write_atomic(log, traceback.format_exc())
        return Outcome(plan=plan, reason=f"{type(error).__name__}: {error} (see {log})".replace("\n", " "))
