"""Folds for a corpus without a test split.

Problems that share a text must never stand on both sides, or a system could look the answer up. They go into
the same fold. Where sharing ties most of the corpus together (PAN 2014 English novels: 57 texts in 100 problems),
folds are cut across and each problem names its `near` ones, which are left out of training when it is tested.
Where problems are pairs of what was dealt to folds, each names the folds it is `barred` from training for.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.jsonl import Row

MOST = 0.75
"""Share of the problems that one fold may hold: with more, there would be too few left to learn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A problem as far as folds are concerned."""

    id: str
    texts: frozenset[str]
    stratum: str
    fold: int | None = None
    barred: tuple[int, ...] = ()


def assign_folds(members: Sequence[Member], count: int, *, seed: int = 0) -> Iterator[Row]:
    """Rows of `folds.jsonl`, in the members' order; folds that the corpus says itself are taken as they are."""
    if members and members[0].fold is not None:
        for member in members:
            yield {"id": member.id, "fold": member.fold, **({"barred": list(member.barred)} if member.barred else {})}
        return
    groups = _tied_together(members)
    near: Mapping[str, list[str]] = {}
    if len(groups) < len(members) and max(map(len, groups)) > MOST * len(members):
        near = _neighbours(members)
        groups = [[member] for member in members]
    fold_of = _spread(groups, min(count, len(groups)), seed)
    for member in members:
        row: Row = {"id": member.id, "fold": fold_of[member.id]}
        if near:
            row["near"] = near[member.id]
        yield row


def _tied_together(members: Sequence[Member]) -> list[list[Member]]:
    """Connected components under "shares a text"."""
    parent = list(range(len(members)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first_with: dict[str, int] = {}
    for index, member in enumerate(members):
        for text in member.texts:
            parent[root(index)] = root(first_with.setdefault(text, index))
    groups: dict[int, list[Member]] = defaultdict(list)
    for index, member in enumerate(members):
        groups[root(index)].append(member)
    return list(groups.values())


def _neighbours(members: Sequence[Member]) -> dict[str, list[str]]:
    holders: dict[str, set[str]] = defaultdict(set)
    for member in members:
        for text in member.texts:
            holders[text].add(member.id)
    return {member.id: sorted(set().union(*(holders[t] for t in member.texts)) - {member.id}) for member in members}


def _spread(groups: list[list[Member]], count: int, seed: int) -> dict[str, int]:
    """Largest group first, each to the fold that has fewest of its strata, then fewest problems."""
    shuffled = sorted(groups, key=lambda group: group[0].id)
    random.Random(seed).shuffle(shuffled)
    shuffled.sort(key=len, reverse=True)
    sizes = [0] * count
    strata: list[dict[str, int]] = [defaultdict(int) for _ in range(count)]
    fold_of: dict[str, int] = {}
    for group in shuffled:
        fold = min(range(count), key=lambda f: (sum(strata[f][m.stratum] for m in group), sizes[f], f))
        sizes[fold] += len(group)
        for member in group:
            strata[fold][member.stratum] += 1
            fold_of[member.id] = fold
    return fold_of
