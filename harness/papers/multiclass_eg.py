"""Argamon, Šarić & Stein 2003: Tables 1 to 5 on Usenet posts of 20 Newsgroups, by ten-fold cross-validation.

The paper's corpora are not public. Each of its newsgroups is stood for by the nearest one of 20 Newsgroups that has
enough frequent authors; the `comp` groups have none (at most five authors with ten posts). Every fit is repeated with
several orders of the examples, and the figures are averages over them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.dataset import Dataset
from harness.papers import PaperTable, Progress
from harness.papers._cells import Cells
from harness.papers._multiclass_eg_notes import ZERO_DIAGONAL, Key, Measured, scale_matters, verdicts
from harness.records import SystemCall
from harness.run import code_version
from harness.store import dataset_ids, open_dataset
from metrics import accuracy, macro_precision, per_author_f1

ORDERS, QUICK_ORDERS = 10, 1
STANDS_FOR = {"books": "alt.atheism", "theory": "sci.crypt", "lang.c": "sci.space"}
_SYSTEM = "exponentiated_gradient"
_FITS = {
    "one_vs_all": ("naive", "ultraconservative"),
    "all_vs_all": ("naive", "all_pairs", "rows"),
}
_COMBINATIONS = ("vote", "min", "max")
_ARCHIVE = "20_newsgroups.tar.gz"


@dataclass(frozen=True, slots=True)
class _Fold:
    train: list[int]
    test: list[int]


def rebuild(paper: Mapping[str, Any], *, quick: bool, seed: int, on_progress: Progress) -> list[PaperTable]:
    """All five tables; a corpus that is not here gets a line that says how to add it."""
    orders = QUICK_ORDERS if quick else ORDERS
    wanted = [(row["corpus"], row["authors"]) for row in paper["table1"]]
    here = {place: _dataset_id(*place) for place in wanted if _dataset_id(*place) in dataset_ids()}
    measured: dict[Key, Mapping[str, float]] = {}
    cells = [(place, scheme, update) for place in here for scheme in _FITS for update in _FITS[scheme]]
    for done, (place, scheme, update) in enumerate(cells):
        on_progress(done, len(cells), f"{here[place]}, {scheme}, {update}")
        for combine, values in _cell(here[place], scheme, update, range(seed, seed + orders)).items():
            name, _, combine = combine.rpartition("/")
            measured[*place, scheme, name or update, combine] = values
    on_progress(len(cells), len(cells), "tables")
    tables = [_table_1(paper, here), *(_table(number, paper, here, measured, orders) for number in (2, 3, 4, 5))]
    if here:
        tables[1].notes.append(scale_matters([_plain_frequencies(identifier, seed) for identifier in here.values()]))
    return tables


def _plain_frequencies(identifier: str, seed: int) -> tuple[float, float]:
    """Accuracy of naive and ultraconservative one vs. all on unscaled features, one order of the examples."""
    accuracies = (
        _cell(identifier, "one_vs_all", update, range(seed, seed + 1), scale="frequency")["vote"]["accuracy"]
        for update in _FITS["one_vs_all"]
    )
    naive, ultraconservative = accuracies
    return naive, ultraconservative


def _dataset_id(corpus: str, authors: str) -> str:
    return f"usenet-{STANDS_FOR[corpus]}-{authors}"


def _cell(
    identifier: str, scheme: str, update: str, seeds: range, *, scale: str = "greatest"
) -> Mapping[str, Mapping[str, float]]:
    """One learner on one corpus, all its combinations: from disk, or by cross-validation."""
    dataset = open_dataset(identifier)
    version = code_version(SystemCall(task="attribution", name=_SYSTEM, parameters={}))
    key = (dataset.id, dataset.fingerprint(), version, scheme, update, scale, str(list(seeds)))
    cell: Mapping[str, Mapping[str, float]] = Cells("multiclass_eg").get(
        lambda: _cross_validate(dataset, scheme, update, seeds, scale), *key
    )
    return cell


def _cross_validate(
    dataset: Dataset, scheme: str, update: str, seeds: range, scale: str
) -> dict[str, dict[str, float]]:
    """Figures of each combination, averaged over the orders; features are extracted once."""
    system: Any = importlib.import_module(f"systems.attribution.{_SYSTEM}")
    extract: Any = importlib.import_module("systems.attribution._email_features").extract_features
    problems, truths = dataset.problems("train"), dataset.truths("train")
    authors = sorted({truth.author for truth in truths.values()})
    labels = np.array([authors.index(truths[i].author) for i in problems.ids])
    features, folds = extract(problem.document.text for problem in problems), list(_folds(dataset, problems.ids))
    figures: dict[str, list[dict[str, float]]] = {}
    for seed in seeds:
        said: dict[str, Any] = {}
        for fold in folds:
            made = system.ExponentiatedGradient(scheme=scheme, update=update, scale=scale)
            made.fit_features(features[fold.train], labels[fold.train], authors, seed=seed)
            for combine, scores in _scores(system, made.confidences(features[fold.test]), update).items():
                said.setdefault(combine, np.empty(len(labels), dtype=np.int64))[fold.test] = scores.argmax(axis=1)
        names = np.array(authors, dtype=object)
        for combine, answers in said.items():
            figures.setdefault(combine, []).append(_figures(names[labels], names[answers]))
    return {combine: _mean(rows) for combine, rows in figures.items()}


def _folds(dataset: Dataset, ids: Sequence[str]) -> Iterator[_Fold]:
    place = {identifier: number for number, identifier in enumerate(ids)}
    for part in dataset.parts():
        yield _Fold(train=[place[i] for i in part.train.ids], test=[place[i] for i in part.test.ids])


def _scores(system: Any, confidences: Any, update: str) -> dict[str, Any]:
    """Of every combination that the models allow; for `rows` with a zero diagonal too."""
    if confidences.ndim == 2:
        return {"vote": confidences}
    scores = {combine: system.combined(confidences, combine) for combine in _COMBINATIONS}
    if update == "rows":
        for combine in ("min", "max"):
            scores[f"{ZERO_DIAGONAL}/{combine}"] = system.combined(confidences, combine, zero_diagonal=True)
    return scores


def _figures(label: Any, predicted: Any) -> dict[str, float]:
    by_author = np.array(list(per_author_f1(label, predicted).values()))
    posts = np.unique(label, return_counts=True)[1]
    return {
        "accuracy": 100 * accuracy(label, predicted),
        "f_min": float(by_author.min()),
        "authors_at_0": float((by_author == 0).sum()),
        "f_max": float(by_author.max()),
        "f": float(by_author.mean()),
        "precision": macro_precision(label, predicted),
        "largest_share": float(100 * posts.max() / posts.sum()),
    }


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
    return {**mean, "spread": float(np.std([row["accuracy"] for row in rows])), "orders": float(len(rows))}


def _table_1(paper: Mapping[str, Any], here: Mapping[tuple[str, str], str]) -> PaperTable:
    rows, notes = [], [f"{paper['corpora'][name]} is stood for by {group}." for name, group in STANDS_FOR.items()]
    for row in paper["table1"]:
        line = [f"{row['corpus']}({row['authors']})", _slashed(row["posts"]), f"{row['largest_share']}"]
        if (row["corpus"], row["authors"]) not in here:
            rows.append([*line, _slashed(row["tokens"]), _how_to_add(row), "", "", "", ""])
            continue
        dataset = open_dataset(here[row["corpus"], row["authors"]])
        posts = np.unique([truth.author for truth in dataset.truths("train").values()], return_counts=True)[1]
        tokens = np.array([len(problem.document.text.split()) for problem in dataset.problems("train")])
        share = 100 * posts.max() / posts.sum()
        difference = f"{share - row['largest_share']:+.0f}"
        measured = [_slashed(_extremes(posts)), f"{share:.0f}", difference, _slashed(_extremes(tokens))]
        rows.append([*line, _slashed(row["tokens"]), dataset.id, *measured])
    headings = ["corpus", "posts", "max %", "tokens", "here", "posts", "max %", "difference", "tokens"]
    notes += [
        "Posts of an author and tokens of a post: min/max/average. The corpora here are others, and much smaller.",
        "Tokens are what white space separates, of the subject and the author's own words.",
        "The paper's word lists are gone and the scale of its features is not given: the lists here are the project's "
        "own, and each relative frequency is divided by its greatest value in training. That scale, and the default "
        "update of the system, were chosen with these corpora in view, so the figures are somewhat favoured.",
    ]
    return PaperTable(title="Table 1, the corpora", headings=headings, rows=rows, notes=notes)


def _extremes(values: Any) -> list[float]:
    return [values.min(), values.max(), values.mean()]


def _slashed(values: Sequence[float]) -> str:
    return "/".join(f"{value:.0f}" for value in values)


def _table(
    number: int, paper: Mapping[str, Any], here: Mapping[tuple[str, str], str], measured: Measured, orders: int
) -> PaperTable:
    """Tables 2 to 5: the paper's figure before the measured one."""
    published, scheme = paper[f"table{number}"], "one_vs_all" if number == 2 else "all_vs_all"
    rows = []
    for row in published:
        line = [f"{row['corpus']}({row['authors']})", row.get("combine", ""), row["update"]]
        values = measured.get((row["corpus"], row["authors"], scheme, row["update"], row.get("combine", "vote")))
        if values is None:
            rows.append([*line, f"{row['accuracy']:g}", _how_to_add(row), *[""] * 8])
        else:
            rows.append([*line, *_compared(row, values)])
    title = "Table 2, one vs. all" if number == 2 else f"Table {number}, all vs. all, {published[0]['corpus']}"
    headings = ["corpus", "combined", "update", "accuracy", "measured", "difference", "±", "F min", "measured"]
    headings += ["F max", "measured", "F", "measured", "difference", "P", "measured"]
    rows = [row + [""] * (len(headings) - len(row)) for row in rows]
    return PaperTable(
        title=f"{title}, {orders} order{'s' * (orders > 1)} of the examples",
        headings=headings,
        rows=rows,
        notes=verdicts(number, paper, measured),
    )


def _compared(row: Mapping[str, Any], values: Mapping[str, float]) -> list[str]:
    gap = values["accuracy"] - row["accuracy"]
    spread = f"{values['spread']:.1f}" if values["orders"] > 1 else ""
    return [
        *(f"{row['accuracy']:g}", f"{values['accuracy']:.1f}", f"{gap:+.1f}", spread),
        *(_least(row), _least(values), f"{row['f_max']:.2f}", f"{values['f_max']:.2f}"),
        *(f"{row['f']:.2f}", f"{values['f']:.2f}", f"{values['f'] - row['f']:+.2f}"),
        *(f"{row['precision']:.2f}", f"{values['precision']:.2f}"),
    ]


def _least(values: Mapping[str, float]) -> str:
    """The least F of an author; as in the paper, with the number of authors at 0."""
    return f"0 ({values['authors_at_0']:.0f})" if values["f_min"] == 0 else f"{values['f_min']:.2f}"


def _how_to_add(row: Mapping[str, Any]) -> str:
    return f"not here; bakeoff datasets add {_dataset_id(row['corpus'], row['authors'])} --from {_ARCHIVE}"
