"""What the tables of `multiclass_eg` say in words: which claims of the paper hold on the measured figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Key = tuple[str, str, str, str, str]
"""Corpus and number of authors as the paper names them, scheme, update, combination."""
Measured = Mapping[Key, Mapping[str, float]]
ZERO_DIAGONAL = "rows, zero diagonal"


def verdicts(number: int, paper: Mapping[str, Any], measured: Measured) -> list[str]:
    """The notes of Table 2, or of one of Tables 3 to 5; none where nothing is measured."""
    scheme = "one_vs_all" if number == 2 else "all_vs_all"
    pairs = {
        key: (row["accuracy"], measured[key])
        for row in paper[f"table{number}"]
        if (key := _key(row, scheme)) in measured
    }
    if not pairs:
        return []
    theirs, ours = (
        float(np.mean(values)) for values in zip(*((a, m["accuracy"]) for a, m in pairs.values()), strict=True)
    )
    notes = [
        f"Accuracy on average over the {len(pairs)} measured rows: paper {theirs:.1f}, here {ours:.1f}. "
        "The corpus is another one, so that the differences say little; the order of the variants says more."
    ]
    if number == 2:
        return [*notes, _above_the_majority(measured), *_ultraconservative(measured)]
    corpus = paper[f"table{number}"][0]["corpus"]
    sizes = list(dict.fromkeys(key[1] for key in pairs))
    return [
        *notes,
        _same_order(pairs, sizes),
        _rows_preferred(corpus, sizes, measured),
        _diagonal(corpus, sizes, measured),
    ]


def _key(row: Mapping[str, Any], scheme: str) -> Key:
    return row["corpus"], row["authors"], scheme, row["update"], row.get("combine", "vote")


def _above_the_majority(measured: Measured) -> str:
    """Of one vs. all, which the claim is about."""
    leads = {key: v["accuracy"] - v["largest_share"] for key, v in measured.items() if key[2] == "one_vs_all"}
    least = min(leads, key=lambda key: leads[key])
    verdict = "holds" if leads[least] > 0 else "does not hold"
    return (
        f"“In all cases accuracies noticeably higher than the baseline” of the most frequent author {verdict} here: "
        f"the least lead is {leads[least]:+.1f} ({least[0]}({least[1]}), {least[3]})."
    )


def _ultraconservative(measured: Measured) -> list[str]:
    gains = {
        f"{key[0]}({key[1]})": values["accuracy"] - measured[*key[:3], "naive", "vote"]["accuracy"]
        for key, values in measured.items()
        if key[2:4] == ("one_vs_all", "ultraconservative")
    }
    worst = min(gains, key=lambda name: gains[name])
    better = sum(gain > 0 for gain in gains.values())
    verdict = "holds" if better > len(gains) / 2 and gains[worst] > -2 else "does not hold"
    notes = [
        "“In most cases ultraconservative learning gives a slight improvement, and never significantly reduces "
        f"accuracy” {verdict} here: better in {better} of {len(gains)} corpora, at worst {gains[worst]:+.1f} ({worst})."
    ]
    two = [f"{name} {gain:+.1f}" for name, gain in gains.items() if name.endswith("(2)")]
    if two:
        notes.append(
            "“For two classes all algorithms are identical” does not hold in the paper's own table; here "
            f"ultraconservative less naive is {', '.join(two)}. "
            "One vs. all has two models, which the naive update changes one by one."
        )
    return notes


def scale_matters(plain: Sequence[tuple[float, float]]) -> str:
    """What the same comparison gives on plain relative frequencies: (naive, ultraconservative) for each corpus."""
    better = sum(ours > naive for naive, ours in plain)
    naive, ultraconservative = (float(np.mean(side)) for side in zip(*plain, strict=True))
    return (
        "The verdict on ultraconservative learning depends on the scale of the features, which the paper does not "
        f"give: on plain relative frequencies it is better in {better} of {len(plain)} corpora "
        f"({ultraconservative:.1f} against {naive:.1f} on average, one order of the examples)."
    )


def _same_order(pairs: Mapping[Key, tuple[float, Mapping[str, float]]], sizes: Sequence[str]) -> str:
    """Rank correlation of the variants within each corpus: across corpora it would be that of their sizes."""
    from scipy.stats import spearmanr

    found = []
    for size in sizes:
        theirs, ours = zip(*((a, m["accuracy"]) for key, (a, m) in pairs.items() if key[1] == size), strict=True)
        found.append(f"{spearmanr(theirs, ours).statistic:.2f} ({size} authors)")
    return f"Rank correlation of the nine variants' accuracies, paper and here: {', '.join(found)}."


def _rows_preferred(corpus: str, sizes: Sequence[str], measured: Measured) -> str:
    leads, firsts = [], 0
    for size in sizes:
        others = {
            f"{key[3]} by {key[4]}": values["accuracy"]
            for key, values in measured.items()
            if key[:3] == (corpus, size, "all_vs_all") and key[3] not in ("rows", ZERO_DIAGONAL)
        }
        best = max(others, key=lambda name: others[name])
        rows = measured[corpus, size, "all_vs_all", "rows", "vote"]["accuracy"]
        firsts += rows > others[best]
        leads.append(f"{rows:.1f} against {others[best]:.1f} of {best} ({size} authors)")
    verdict = "holds" if firsts > len(sizes) / 2 else "does not hold"
    return f"“Update by rows is usually preferred to other variants” {verdict} here: {', '.join(leads)}."


def _diagonal(corpus: str, sizes: Sequence[str], measured: Measured) -> str:
    figures, below = [], 0
    for size in sizes:
        least, most = (measured[corpus, size, "all_vs_all", ZERO_DIAGONAL, c]["accuracy"] for c in ("min", "max"))
        below += least < most
        figures.append(f"min {least:.1f}, max {most:.1f} ({size} authors)")
    return (
        "Vote, min and max are one for rows, and the same as the ultraconservative one vs. all: the models of a row "
        "start equal and are always updated together. The paper has min below the others. An empty diagonal counted as "
        f"0 may be why: {', '.join(figures)}; that puts min below max in {below} of {len(sizes)} here."
    )
