"""Two runs on the same problems: the difference with its interval, the tests, and the problems that decide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.check import apply_policy, check_run, choose_policy
from harness.dataset import Dataset
from harness.registry import get_metric
from harness.scoring import LEVEL, dataset_metrics, evaluate, resample
from metrics.significance import approximate_randomisation, holm, paired_t_test, sign_test, wilcoxon_test
from metrics.uncertainty import percentile_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One metric for both runs; `p_value` is approximate randomisation, Holm-corrected over the metrics shown."""

    metric: str
    first: float | None
    second: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All metrics, the tests over single problems, and the problems on which exactly one run does better."""

    dataset: str
    first: str
    second: str
    differences: list[Difference]
    tests: dict[str, float]
    first_better: list[str]
    second_better: list[str]


def compare_runs(
    first: Path, second: Path, dataset: Dataset, *, metrics: Sequence[str] = (), policy: str = "lenient"
) -> Comparison:
    """Compare two runs under one policy."""
    task, truths = dataset.task, dataset.truths(dataset.evaluated)
    treated = []
    for path in (first, second):
        report = check_run(path, task, list(truths))
        treated.append(apply_policy(report, choose_policy(policy, task, report)).answers)
    columns = [task.columns(list(truths.values()), [answers[i] for i in truths]) for answers in treated]
    measures = [get_metric(text) for text in metrics or dataset_metrics(dataset)]
    samples = [resample(measures, side) for side in columns]
    p_values: list[float] = []
    partial: list[tuple[str, float | None, float | None, tuple[float, float] | None]] = []
    for n, metric in enumerate(measures):
        ours, theirs = ([side[name] for name in metric.columns] for side in columns)
        values = [evaluate(metric, side)[0] for side in columns]
        if None not in values:
            p_values.append(approximate_randomisation(metric, ours, theirs))
        interval = percentile_interval(samples[0][n] - samples[1][n], level=LEVEL)
        partial.append((str(metric), values[0], values[1], interval))
    corrected = iter(holm(p_values))
    differences = [
        Difference(metric=name, first=a, second=b, difference=None, interval=None, p_value=None)
        if a is None or b is None
        else Difference(metric=name, first=a, second=b, difference=a - b, interval=interval, p_value=next(corrected))
        for name, a, b, interval in partial
    ]
    credits = [[task.credit(truths[i], answers[i]) for i in truths] for answers in treated]
    rows = list(zip(truths, *credits, strict=True))
    return Comparison(
        dataset=dataset.id,
        first=str(first),
        second=str(second),
        differences=differences,
        tests={
            "paired t-test": paired_t_test(*credits),
            "Wilcoxon signed-rank test": wilcoxon_test(*credits),
            "sign test": sign_test(*credits),
        },
        first_better=[i for i, a, b in rows if a > b],
        second_better=[i for i, a, b in rows if b > a],
    )
