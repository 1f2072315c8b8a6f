"""Finding tasks, systems and metrics by name.

Names come from the file system and from entry points (`bakeoff.systems`, `bakeoff.metrics`, `bakeoff.tasks`),
so listing imports nothing; a module is loaded when it is used.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import UnknownNameError, UsageError
from harness.records import SystemCall

if TYPE_CHECKING:
    from harness.task import System, Task
    from metrics import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemInfo:
    """A system as listed: known without being imported."""

    task: str
    name: str
    summary: str
    parameters: str
    module: str
    path: Path


def task_names() -> list[str]:
    """Every task, by file name and entry point."""
    folder = _package_folder("harness.tasks")
    built_in = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    return sorted(built_in | {point.name for point in entry_points(group="bakeoff.tasks")})


@cache
def get_task(name: str) -> Task[Any, Any, Any]:
    """The task of this name."""
    for point in entry_points(group="bakeoff.tasks"):
        if point.name == name:
            return point.load()  # type: ignore[no-any-return]
    if name not in task_names():
        raise UnknownNameError("task", name, task_names())
    return importlib.import_module(f"harness.tasks.{name}").task  # type: ignore[no-any-return]


def list_systems(task: str | None = None) -> list[SystemInfo]:
    """Every system, or those of one task, in order of name."""
    if task is not None and task not in task_names():
        raise UnknownNameError("task", task, task_names())
    found = [*_own_systems(), *_plugged_in_systems()]
    return sorted((info for info in found if task in (None, info.task)), key=lambda info: (info.task, info.name))


def _own_systems() -> Iterator[SystemInfo]:
    root = _package_folder("systems")
    for task in task_names():
        for path in sorted((root / task).glob("*.py")):
            if not path.stem.startswith("_"):
                yield _describe(task, path.stem, f"systems.{task}.{path.stem}", path)


def _plugged_in_systems() -> Iterator[SystemInfo]:
    """Entry points of the form `task.name = "package.module"`."""
    for point in entry_points(group="bakeoff.systems"):
        task, dot, name = point.name.partition(".")
        if not dot:
            raise UsageError(f"entry point {point.name!r} of bakeoff.systems must be named task.system")
        spec = importlib.util.find_spec(point.module)
        if spec is None or spec.origin is None:
            raise UsageError(f"entry point {point.name!r} names no module: {point.module}")
        yield _describe(task, name, point.module, Path(spec.origin))


def _describe(task: str, name: str, module: str, path: Path) -> SystemInfo:
    """Summary and parameters, read from the source without running it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    summary = (ast.get_docstring(tree) or "").split("\n")[0]
    parameters = ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == _class_name(name):
            parameters = ", ".join(_field_texts(node))
    return SystemInfo(task=task, name=name, summary=summary, parameters=parameters, module=module, path=path)


def _field_texts(node: ast.ClassDef) -> Iterator[str]:
    for item in node.body:
        if not (isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)):
            continue
        if item.value is None or item.target.id.startswith("_") or "init=False" in ast.unparse(item.value):
            continue
        yield f"{item.target.id}={ast.unparse(item.value)}"


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _package_folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(f"the package {package} is not installed; run pip install bakeoff")
    return Path(next(iter(spec.submodule_search_locations)))


def find_system(task: str, name: str) -> SystemInfo:
    """The listed system of this task and name."""
    known = {info.name: info for info in list_systems(task)}
    if name not in known:
        raise UnknownNameError(f"{task} system", name, known)
    return known[name]


def make_system(call: SystemCall) -> System[Any, Any, Any]:
    """A fresh system with its parameters set; unknown or ill-typed ones are refused by name."""
    info = find_system(call.task, call.name)
    made = getattr(importlib.import_module(info.module), _class_name(call.name))
    known = {f.name: f for f in fields(made) if f.init and not f.name.startswith("_")}
    for key, value in call.parameters.items():
        if key not in known:
            raise UnknownNameError(f"parameter of {call.name}", key, known)
        if not _fits(value, known[key].default):
            raise UsageError(f"{call.name}: {key} must be {type(known[key].default).__name__}, not {value!r}")
    try:
        return made(**dict(call.parameters))  # type: ignore[no-any-return]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{call.name}: {error}") from error


def _fits(value: Any, default: Any) -> bool:
    """Whether a parameter's value is of its default's type; what the default leaves open, the system checks."""
    if default is MISSING or default is None:
        return True
    return type(value) is type(default) or (isinstance(default, float) and type(value) is int)


def plugged_in_metrics() -> dict[str, Metric]:
    """Metrics of other packages, by the entry-point group `bakeoff.metrics`."""
    points: list[EntryPoint] = list(entry_points(group="bakeoff.metrics"))
    return {point.name: point.load() for point in points}


def get_metric(text: str) -> Metric:
    """The metric that a canonical text names."""
    import metrics

    try:
        call = metrics.parse_call(text)
        outside = plugged_in_metrics()
        if call.name in outside:
            return outside[call.name].with_(**call.parameters)
        return metrics.get(text)
    except metrics.MetricError as error:
        raise UsageError(str(error)) from error
    except metrics.CallSyntaxError as error:
        raise UsageError(str(error)) from error


def parse_system(task: str, text: str) -> SystemCall:
    """`name` or `name(key=value)` as a system of a task."""
    from metrics.call import CallSyntaxError, parse_call

    try:
        call = parse_call(text)
    except CallSyntaxError as error:
        raise UsageError(str(error)) from error
    find_system(task, call.name)
    return SystemCall(task=task, name=call.name, parameters=dict(call.parameters))
