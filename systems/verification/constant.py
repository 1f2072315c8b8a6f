"""The same answer to every problem: by default the commoner class of the training problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.errors import NeedsTrainingError
from harness.task import System
from harness.tasks.verification import Answer, Problem, Truth


@dataclass(kw_only=True)
class Constant(System[Problem, Truth, Answer]):
    """`value` is the answer; without it, 1 if at least half of the training problems are "same", else 0."""

    value: float | None = None
    _answer: float | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.value is not None and not 0 <= self.value <= 1:
            raise ValueError(f"value must lie in [0, 1], not {self.value!r}")
        self._answer = self.value

    def fit(self, problems: Sequence[Problem], truths: Sequence[Truth], *, seed: int) -> None:
        """Count the classes, unless the value is given."""
        del problems, seed
        if self.value is None and not len(truths):
            raise NeedsTrainingError("constant without a value")
        if self.value is None:
            self._answer = float(2 * sum(truth.same for truth in truths) >= len(truths))

    def answer(self, problems: Sequence[Problem]) -> Mapping[str, Answer]:
        """The one value for all."""
        if self._answer is None:
            raise NeedsTrainingError("constant without a value")
        return {problem.id: Answer(value=float(self._answer)) for problem in problems}
