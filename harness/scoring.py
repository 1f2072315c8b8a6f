"""From a run and the truths to scores: numbers with signatures, intervals, and the credit of each problem."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness import __version__
from harness.check import Treated, apply_policy, check_run, choose_policy, run_file
from harness.dataset import Dataset
from harness.files import sha256_path, write_atomic
from harness.records import Score
from harness.registry import get_metric
from harness.run import SCORE
from harness.task import Task
from harness.truths import read_truths, truth_path
from metrics import Metric, MetricError
from metrics.uncertainty import RESAMPLES, bootstrap_weights, percentile_interval

LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """All scores of one run under one policy."""

    task: str
    data: str
    problems: int
    policy: str
    treatments: list[str]
    scores: list[Score]
    groups: Mapping[str, list[Score]] = field(default_factory=dict)
    credits: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> str:
        """The card as it is stored in `score.json`."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def score_run(
    path: Path, dataset: Dataset, *, metrics: Sequence[str] = (), policy: str = "lenient", store: bool = True
) -> ScoreCard:
    """Score a run folder or answers file on a dataset; a run folder keeps its `score.json`."""
    truths = dataset.truths(dataset.evaluated)
    data = f"{dataset.id}/{dataset.evaluated}@{dataset.truth_fingerprint()[:8]}"
    card = _score(path, dataset.task, truths, data, metrics or dataset_metrics(dataset), policy)
    if store and path.is_dir():
        write_atomic(path / SCORE, card.to_json())
    return card


def score_files(
    path: Path, task: Task[Any, Any, Any], truth: Path, *, metrics: Sequence[str] = (), policy: str = "official"
) -> ScoreCard:
    """Score official files as they are, without a dataset."""
    truth = truth_path(truth, task)
    data = f"{truth.name}@{sha256_path(truth)[:8]}"
    if policy != "official" or task.read_officially is None:
        return _score(path, task, read_truths(truth, task), data, metrics or task.metrics, policy)
    official = task.read_officially(run_file(path, task), truth)
    treated = Treated(answers=official.answers, policy=task.formats[-1].policy)
    card = _card(task, official.truths, treated, data, metrics or task.metrics)
    return replace(card, scores=[_as_official(score, official.values) for score in card.scores])


def _as_official(score: Score, values: Mapping[str, tuple[float | None, str]]) -> Score:
    """The score with the official program's own value, where it has one."""
    value, reason = values.get(score.metric, (score.value, score.reason))
    return replace(score, value=value, reason=reason, interval=None if value is None else score.interval)


def board_metrics(dataset: Dataset) -> list[str]:
    """The metrics of a dataset's leaderboard: those its card names, or all."""
    return list(dataset.manifest.get("metrics") or dataset_metrics(dataset))


def dataset_metrics(dataset: Dataset) -> list[str]:
    """The task's metrics with the dataset's primary one first."""
    return [dataset.primary, *(name for name in dataset.task.metrics if name != dataset.primary)]


def _score(
    path: Path, task: Task[Any, Any, Any], truths: Mapping[str, Any], data: str, metrics: Sequence[str], policy: str
) -> ScoreCard:
    report = check_run(path, task, list(truths))
    treated = apply_policy(report, choose_policy(policy, task, report))
    return _card(task, truths, treated, data, metrics)


def _card(
    task: Task[Any, Any, Any], truths: Mapping[str, Any], treated: Treated, data: str, metrics: Sequence[str]
) -> ScoreCard:
    measures = [get_metric(text) for text in metrics]
    return ScoreCard(
        task=task.name,
        data=data,
        problems=len(truths),
        policy=treated.policy.name,
        treatments=[f"{t}: {t.example}" for t in treated.treatments],
        scores=_scores(task, truths, treated, measures, data),
        groups=_group_scores(task, truths, treated, measures, data),
        credits={i: task.credit(truths[i], treated.answers[i]) for i in truths},
    )


def _group_scores(
    task: Task[Any, Any, Any], truths: Mapping[str, Any], treated: Treated, measures: list[Metric], data: str
) -> dict[str, list[Score]]:
    """Scores by the truth's group, where the task has groups (PAN 2013's languages) and there is more than one."""
    members: dict[str, dict[str, Any]] = {}
    for identifier, truth in truths.items():
        group = task.group(truth)
        if group is not None:
            members.setdefault(group, {})[identifier] = truth
    if len(members) < 2:
        return {}
    return {g: _scores(task, part, treated, measures, f"{data}/{g}") for g, part in sorted(members.items())}


def _scores(
    task: Task[Any, Any, Any], truths: Mapping[str, Any], treated: Treated, measures: Sequence[Metric], data: str
) -> list[Score]:
    columns = task.columns(list(truths.values()), [treated.answers[i] for i in truths])
    return score_columns(columns, resample(measures, columns), treated, measures, data)


def score_columns(
    columns: Mapping[str, Any], sampled: Sequence[Any], treated: Treated, measures: Sequence[Metric], data: str
) -> list[Score]:
    """A score per metric from aligned columns and their bootstrap values."""
    scores = []
    for metric, samples in zip(measures, sampled, strict=True):
        value, reason = evaluate(metric, columns)
        interval = None if value is None else percentile_interval(samples, level=LEVEL)
        signature = sign(metric, treated, len(columns[metric.columns[0]]), data)
        scores.append(Score(metric=str(metric), value=value, signature=signature, interval=interval, reason=reason))
    return scores


def evaluate(metric: Metric, columns: Mapping[str, Any]) -> tuple[float | None, str]:
    """A metric's value, or `None` with the reason."""
    try:
        return metric(*(columns[name] for name in metric.columns)), ""
    except MetricError as error:
        return None, str(error)


def resample(
    measures: Sequence[Metric], columns: Mapping[str, Any], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[Any]:
    """Bootstrap values of several metrics over the same resamples; the same seed serves every system."""
    problems = len(next(iter(columns.values()))) if columns else 0
    if problems == 0:
        return [np.full(1, np.nan) for _ in measures]
    chunks: list[list[Any]] = [[] for _ in measures]
    for weights in bootstrap_weights(problems, resamples=resamples, seed=seed):
        for position, metric in enumerate(measures):
            chunks[position].append(metric.resampled([columns[name] for name in metric.columns], weights))
    return [np.concatenate(parts) for parts in chunks]


def sign(metric: Metric, treated: Treated, problems: int, data: str) -> str:
    """The signature: metric, parameters, problems, policy and what it did, data, interval, version."""
    done = [str(treatment) for treatment in treated.treatments]
    facts = [f"n:{problems}", f"policy:{treated.policy.name}", *done, f"data:{data}", f"ci:bootstrap{RESAMPLES}"]
    return "|".join([metric.signature, *facts, f"v:{__version__}"])
