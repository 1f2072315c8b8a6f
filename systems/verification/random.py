"""A random score for each problem: what guessing achieves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth


@dataclass(kw_only=True)
class Random(System[Problem, Truth, Answer]):
    """Uniform in [0, 1), drawn from seed and problem id alone: the order of the problems does not matter."""

    _seed: int = field(default=0, init=False, repr=False)

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Only the seed is of use."""
        del problems, truths
        self._seed = seed

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """A hash of seed and id, as a number."""
        return {problem.id: Answer(value=_uniform(self._seed, problem.id)) for problem in problems}


def _uniform(seed: int, identifier: str) -> float:
    drawn = blake2b(f"{seed} {identifier}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(drawn, "big") >> 11) / (1 << 53)
