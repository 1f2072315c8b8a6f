"""Made-up entrants and the boards of them."""

from __future__ import annotations

import random

from harness.check import Treated
from harness.leaderboard import Board, Entrant, make_board
from harness.registry import get_task
from harness.task import LENIENT
from harness.tasks.verification import Answer, Truth

TASK = get_task("verification")
TRUTHS = {f"p{n:03d}": Truth(same=n % 2 == 0) for n in range(120)}


def entrant(name: str, skill: float, seed: int = 0) -> Entrant:
    chooser = random.Random(f"{name}{seed}")
    answers = {}
    for identifier, truth in TRUTHS.items():
        right = chooser.random() < skill
        answers[identifier] = Answer(value=0.5 + (0.4 if truth.same == right else -0.4) * chooser.random())
    return Entrant(name=name, treated=Treated(answers=answers, policy=LENIENT))


def board(*entrants: Entrant) -> Board:
    metrics = ["c_at_1", "auc", "brier"]
    return make_board(TASK, TRUTHS, entrants, dataset="d", title="D", data="d/test@0", metrics=metrics)
