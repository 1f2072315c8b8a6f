"""Folds: every problem once, shared texts on one side, classes balanced, the same every time."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

from harness.corpora.folds import MOST, Member, assign_folds

MEMBERS = st.lists(
    st.tuples(st.frozensets(st.integers(0, 60), min_size=1, max_size=3), st.sampled_from("YN")), min_size=1, max_size=60
).map(lambda rows: [member(n, texts, stratum) for n, (texts, stratum) in enumerate(rows)])


def member(number: int, texts: object, stratum: str = "Y") -> Member:
    return Member(id=f"p{number:03d}", texts=frozenset(map(str, texts)), stratum=stratum)  # type: ignore[call-overload]


@given(MEMBERS, st.integers(2, 10))
def test_no_text_is_on_both_sides(members: list[Member], count: int) -> None:
    rows = {row["id"]: row for row in assign_folds(members, count)}
    assert list(rows) == [m.id for m in members]
    assert {row["fold"] for row in rows.values()} <= set(range(count))
    for one in members:
        for other in members:
            if one.texts & other.texts and rows[one.id]["fold"] != rows[other.id]["fold"]:
                assert other.id in rows[one.id]["near"]


@given(MEMBERS, st.integers(2, 10))
def test_folds_are_numbered_without_gaps_and_leave_something_to_learn_from(members: list[Member], count: int) -> None:
    sizes = Counter(row["fold"] for row in assign_folds(members, count))
    assert sorted(sizes) == list(range(len(sizes)))
    if len(members) > 1 and len({text for m in members for text in m.texts}) > 1:
        assert max(sizes.values()) <= max(MOST * len(members), 1)


@given(MEMBERS)
def test_the_same_every_time_and_in_any_order(members: list[Member]) -> None:
    once = list(assign_folds(members, 5))
    assert once == list(assign_folds(members, 5))
    turned = {row["id"]: row["fold"] for row in assign_folds(members[::-1], 5)}
    if all(len(m.texts) == 1 and not m.texts & o.texts for m in members for o in members if m is not o):
        assert turned == {row["id"]: row["fold"] for row in once}


def test_classes_and_sizes_are_even_where_nothing_is_shared() -> None:
    members = [member(n, [n], "YN"[n % 2]) for n in range(100)]
    per_fold: dict[int, Counter[str]] = defaultdict(Counter)
    for m, row in zip(members, assign_folds(members, 10), strict=True):
        per_fold[row["fold"]][m.stratum] += 1
        assert "near" not in row
    assert len(per_fold) == 10
    assert all(counts == {"Y": 5, "N": 5} for counts in per_fold.values())


def test_problems_that_share_a_text_go_together_through_others() -> None:
    chain = [member(0, [1, 2]), member(1, [2, 3]), member(2, [3, 4]), *(member(n, [10 + n]) for n in range(3, 30))]
    rows = list(assign_folds(chain, 5))
    assert len({row["fold"] for row in rows[:3]}) == 1
    assert all("near" not in row for row in rows)


def test_a_corpus_tied_together_is_cut_across_and_names_the_near() -> None:
    ring = [member(n, [n, (n + 1) % 20]) for n in range(20)]
    rows = list(assign_folds([*ring, member(20, [99])], 10))
    assert max(Counter(row["fold"] for row in rows).values()) <= 3
    assert rows[5]["near"] == ["p004", "p006"]
    assert rows[20]["near"] == []
