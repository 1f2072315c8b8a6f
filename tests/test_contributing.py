"""The examples of CONTRIBUTING.md, run as they stand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.records import Document
from harness.tasks.verification import Problem

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    module = type(sys)("by_length")
    monkeypatch.setitem(sys.modules, "by_length", module)
    exec(EXAMPLES[0], module.__dict__)
    text = Document(id="d", text="x" * 1000)
    problem = Problem(id="p", known=(text,), questioned=text)
    system = module.ByLength(scale=1000)
    system.fit([], [], seed=0)
    assert system.answer([problem])["p"].value == 0.5


def test_the_metric() -> None:
    space: dict = {}
    exec(EXAMPLES[1], space)
    assert space["decided"]([0.5, 0.6, 0.1, 0.5]) == 0.5
    assert space["decided"].resampled((np.array([0.5, 0.6]),), np.array([[1.0, 3.0]]))[0] == 0.75


def test_there_are_no_other_examples() -> None:
    assert len(EXAMPLES) == 2
