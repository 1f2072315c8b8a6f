"""Boards: ranks, ties, intervals, n/a last; a pure function of the answers."""

from __future__ import annotations

import pytest
from boards import TASK, TRUTHS, board, entrant

from harness.leaderboard import Entrant, make_board
from harness.tasks.verification import Truth


def test_best_first_and_absent_last_with_the_reason() -> None:
    made = board(Entrant(name="absent", reason="it fell over"), entrant("weak", 0.55), entrant("strong", 0.95))
    assert [standing.name for standing in made.standings] == ["strong", "weak", "absent"]
    assert [standing.rank for standing in made.standings] == [1, 2, None]
    assert made.standings[-1].reason == "it fell over"


def test_the_order_of_entrants_means_nothing() -> None:
    entrants = [entrant(name, skill) for name, skill in (("a", 0.9), ("b", 0.7), ("c", 0.5), ("d", 0.5))]
    assert board(*entrants) == board(*reversed(entrants))


def test_equal_scores_share_the_better_rank_and_the_group() -> None:
    one, other = entrant("one", 0.8), entrant("one", 0.8)
    other = Entrant(name="two", treated=other.treated)
    made = board(one, other, entrant("three", 0.5))
    assert [standing.rank for standing in made.standings] == [1, 1, 3]
    assert made.standings[0].group == made.standings[1].group == "a"
    assert made.standings[1].p_value == 1.0
    assert made.standings[2].group == "b"


def test_rank_intervals_hold_the_rank_and_separate_the_clearly_better() -> None:
    made = board(entrant("top", 0.98), entrant("mid", 0.75), entrant("low", 0.5))
    for standing in made.standings:
        low, high = standing.rank_interval
        assert low <= standing.rank <= high
    assert made.standings[0].rank_interval == (1, 1)


def test_every_score_has_interval_and_signature() -> None:
    for standing in board(entrant("a", 0.9), entrant("b", 0.6)).standings:
        for score in standing.scores:
            assert score.interval[0] <= score.value <= score.interval[1]
            assert score.signature.startswith(score.metric)


def test_an_undefined_primary_is_not_ranked() -> None:
    one_class = dict.fromkeys(TRUTHS, Truth(same=True))
    made = make_board(TASK, one_class, [entrant("a", 0.9)], dataset="d", title="D", data="d", metrics=["auc", "c_at_1"])
    (standing,) = made.standings
    assert standing.rank is None
    assert "one class" in standing.reason


@pytest.mark.parametrize("seed", range(3))
def test_no_difference_is_found_where_there_is_none(seed: int) -> None:
    made = board(*(entrant(f"s{n}", 0.7, seed) for n in range(4)))
    assert {standing.group for standing in made.standings} == {"a"}
