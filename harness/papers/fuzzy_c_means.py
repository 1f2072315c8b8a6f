"""Modaresi & Gross 2014: Table 1 (training corpora, 1,000 draws of 20 %) and Table 2 (test corpora).

Table 1 is measured as the paper did: clusters from a random fifth of the training problems, every training problem
scored, averaged over the draws. Table 2 takes the clusters of the same draws to the test problems; its threshold is
the one learnt on the training problems. The paper's rule, "same" from a cosine of 0.5 on, is measured beside it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.dataset import Dataset
from harness.papers import PaperTable, Progress
from harness.store import dataset_ids, open_dataset
from metrics import auc, c_at_1
from metrics.metric import Floats

DRAWS, QUICK_DRAWS = 1000, 50
_SYSTEM = "systems.verification"
_HEADINGS = ["corpus", "measure", "paper", "measured", "± over draws", "difference", "literal 0.5 rule"]
_NOTES = {
    "train": [
        "The paper's rule (same from a cosine of 0.5 on) cannot give its c@1: memberships are positive and nearly "
        "uniform, so almost every cosine is above 0.5. Its column stands beside the learned threshold.",
        "As in the paper, draws are evaluated on the corpus they were drawn from, clusters and m were chosen on it, "
        "and here the threshold is learnt on it too: all figures of this table are optimistic.",
    ],
    "test": ["The threshold is learnt on the training problems. PAN 2014 Dutch reviews have two test corpora."],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """Per draw: AUC, and c@1 under the learned threshold and under the literal one."""

    auc: Floats
    learned: Floats
    literal: Floats


def rebuild(paper: Mapping[str, Any], *, quick: bool, seed: int, on_progress: Progress) -> list[PaperTable]:
    """Both tables; a corpus that is not here gets a line that says how to add it."""
    corpora, draws = list(paper["train"]), QUICK_DRAWS if quick else DRAWS
    rows: dict[str, list[list[str]]] = {"train": [], "test": []}
    notes: dict[str, list[str]] = {split: list(_NOTES[split]) for split in rows}
    for done, corpus in enumerate(corpora):
        on_progress(done, len(corpora), corpus)
        measured = _measure(corpus, draws, seed)
        for split in rows:
            rows[split] += _rows(corpus, paper[split][corpus], measured.get(split))
            notes[split] += _verdict(corpus, paper[split][corpus], measured.get(split))
    titles = {
        "train": f"Table 1, training corpora, {draws} draws of 20 %",
        "test": f"Table 2, test corpora, {draws} draws",
    }
    return [PaperTable(title=titles[s], headings=_HEADINGS, rows=rows[s], notes=notes[s]) for s in rows]


def _measure(corpus: str, draws: int, seed: int) -> dict[str, _Measured]:
    """Both splits of a corpus, as far as they are here."""
    if corpus not in dataset_ids():
        return {}
    dataset = open_dataset(corpus)
    if "train" not in dataset.splits:
        return {}
    system: Any = importlib.import_module(f"{_SYSTEM}.fuzzy_c_means")
    texts: Any = importlib.import_module(f"{_SYSTEM}._texts")
    index, same = _problems(texts, dataset, "train")
    features = system.extract_features(index.texts())
    random = np.random.default_rng(seed)
    groups = system.by_one_author(index, same)
    numbers, present = system.draw_samples(groups, share=0.2, draws=draws, random=random)
    count, m = system.PUBLISHED[corpus.removeprefix("pan14-")]
    clusters = system.fit_clusters(features[numbers], present, clusters=count, m=m, random=random)
    scores = system.similarities(system.memberships(clusters, features), index.known, index.questioned)
    thresholds = np.array([_best_threshold(row, same) for row in scores])
    measured = {"train": _judge(scores, same, thresholds)}
    if "test" in dataset.splits and (dataset.folder / "test" / "truths.jsonl").is_file():
        index, same = _problems(texts, dataset, "test")
        shares = system.memberships(clusters, system.extract_features(index.texts()))
        measured["test"] = _judge(system.similarities(shares, index.known, index.questioned), same, thresholds)
    return measured


def _problems(texts: Any, dataset: Dataset, split: str) -> tuple[Any, Any]:
    problems, truths = dataset.problems(split), dataset.truths(split)
    return texts.index_texts(problems), np.array([truths[i].same for i in problems.ids])


def _best_threshold(scores: Floats, same: Floats) -> float:
    """The midpoint between neighbouring scores that decides most training problems rightly."""
    levels = np.unique(scores)
    midpoints = np.concatenate([[0.0], (levels[1:] + levels[:-1]) / 2, [1.0 + 1e-9]])
    right = ((scores[None, :] >= midpoints[:, None]) == same[None, :]).sum(axis=1)
    return float(midpoints[np.argmax(right)])


def _judge(scores: Floats, same: Floats, thresholds: Floats) -> _Measured:
    def decided(row: Floats, threshold: float) -> float:
        return c_at_1(same, (row >= threshold).astype(float))

    return _Measured(
        auc=np.array([auc(same, row) for row in scores]),
        learned=np.array([decided(row, t) for row, t in zip(scores, thresholds, strict=True)]),
        literal=np.array([decided(row, 0.5) for row in scores]),
    )


def _rows(corpus: str, paper: Mapping[str, float], measured: _Measured | None) -> Sequence[list[str]]:
    if measured is None:
        how = f"not here; bakeoff datasets add {corpus} --replace --from TRAINING --from TEST"
        return [[corpus, "", f"AUC {paper['auc']:.3f}, c@1 {paper['c_at_1']:.3f}", how, "", "", ""]]
    lines: list[list[str]] = []
    for name, key, values, literal in (
        ("AUC", "auc", measured.auc, None),
        ("c@1", "c_at_1", measured.learned, measured.literal),
        ("AUC · c@1", "product", measured.auc * measured.learned, measured.auc * measured.literal),
    ):
        mean = float(values.mean())
        rule = "" if literal is None else f"{literal.mean():.3f}"
        difference = f"{mean - paper[key]:+.3f}"
        lines.append([corpus, name, f"{paper[key]:.3f}", f"{mean:.3f}", f"{values.std():.3f}", difference, rule])
    return lines


def _verdict(corpus: str, paper: Mapping[str, float], measured: _Measured | None) -> list[str]:
    """In words: does the published AUC, which no threshold touches, lie within two deviations of the draws?"""
    if measured is None:
        return []
    gap, spread = float(measured.auc.mean()) - paper["auc"], float(measured.auc.std())
    holds = "reproduces" if abs(gap) <= 2 * spread else "does not reproduce"
    return [f"{corpus}: the published AUC {holds} ({gap:+.3f}, two deviations of the draws are {2 * spread:.3f})."]
