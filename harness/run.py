"""Runs: one system's answers to one dataset, in a folder that is whole or absent.

    run.jsonl           an answer a line
    ir-metadata.yml     what produced it: system, parameters, seed, versions, time, memory
    score.json          after scoring

A run's identity is the hash of all it depends on, so equal identity means equal answers and nothing is run twice.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from harness import __version__
from harness.dataset import Dataset
from harness.errors import FileFaultError, InputError
from harness.files import atomic_folder, sha256_file, sha256_text
from harness.home import runs_folder
from harness.jsonl import write_rows
from harness.measure import measured
from harness.records import Progress, Resources, SystemCall, unheard
from harness.registry import find_system, make_system
from harness.task import AnswerError
from metrics.call import Call

ANSWERS = "run.jsonl"
METADATA = "ir-metadata.yml"
SCORE = "score.json"
_LIBRARIES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run that is wanted, known by what it depends on."""

    dataset: str
    system: SystemCall
    seed: int
    identity: str

    @property
    def label(self) -> str:
        """The system as the user writes it."""
        return str(Call(self.system.name, self.system.parameters))

    @property
    def folder(self) -> Path:
        """Where the run is kept."""
        return runs_folder() / self.dataset / f"{self.system.name}-{self.identity[:12]}"


def plan_run(dataset: Dataset, system: SystemCall, *, seed: int = 0) -> Plan:
    """Name a run before it exists."""
    call = str(Call(system.name, system.parameters))
    identity = sha256_text(dataset.id, dataset.fingerprint(), system.task, call, str(seed), code_version(system))
    return Plan(dataset=dataset.id, system=system, seed=seed, identity=identity)


def code_version(system: SystemCall) -> str:
    """Bakeoff's version and the hash of the system's source with what it shares with others."""
    path = find_system(system.task, system.name).path
    shared = sorted([*path.parent.glob("_*.py"), *(path.parent.parent / "text").rglob("*.py")])
    return f"{__version__}+{sha256_text(*(sha256_file(p) for p in (path, *shared)))[:12]}"


def produce(plan: Plan, dataset: Dataset, target: Path | None = None, *, on_progress: Progress = unheard) -> Path:
    """Run the system on the dataset and write the run; returns its folder."""
    with measured() as measurement:
        answers = answer_all(plan, dataset, on_progress)
    folder = target or plan.folder
    with atomic_folder(folder, replace=target is None) as partial:
        rows = ({"id": i, **dataset.task.answer_row(answers[i])} for i in _order(dataset) if i in answers)
        write_rows(partial / ANSWERS, rows)
        metadata = _metadata(plan, dataset, measurement.resources, sha256_file(partial / ANSWERS))
        (partial / METADATA).write_text(_to_yaml(metadata), encoding="utf-8")
    return folder


def _order(dataset: Dataset) -> list[str]:
    return list(dataset.inputs(dataset.evaluated))


def answer_all(plan: Plan, dataset: Dataset, on_progress: Progress = unheard) -> dict[str, Any]:
    """Fit and answer, once for a fixed split and once a fold otherwise; truths of tested problems stay away."""
    answers: dict[str, Any] = {}
    total = len(_order(dataset))
    for part in dataset.parts():
        on_progress(len(answers), total, f"{plan.label} on {dataset.id}")
        system = make_system(plan.system)
        system.fit(part.train, part.train_truths, seed=plan.seed)
        given = system.answer(part.test)
        stray = set(given) - set(part.test.ids)
        if stray:
            raise InputError(f"{plan.label} answered {min(stray)!r}, which it was not asked")
        answers.update(given)
    for identifier, answer in answers.items():
        try:
            dataset.task.answer(dataset.task.answer_row(answer))
        except AnswerError as error:
            raise InputError(f"{plan.label}, problem {identifier!r}: {error}") from error
    return answers


def is_whole(plan: Plan) -> bool:
    """Whether the planned run is there, is the planned one, and has every byte that was written."""
    if not (plan.folder / METADATA).is_file():
        return False
    facts = read_metadata(plan.folder).get("bakeoff", {})
    answers = plan.folder / ANSWERS
    return (
        facts.get("identity") == plan.identity
        and answers.is_file()
        and facts.get("answers sha256") == sha256_file(answers)
    )


def read_metadata(folder: Path) -> dict[str, Any]:
    """`ir-metadata.yml` of a run folder."""
    import yaml

    path = folder / METADATA
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FileFaultError(path, "not YAML; is this a run folder?") from error
    return content if isinstance(content, dict) else {}


def resources_of(folder: Path) -> Resources | None:
    """What the run took, where its metadata tell."""
    facts = read_metadata(folder).get("bakeoff", {}).get("resources") if (folder / METADATA).is_file() else None
    return Resources(**facts) if facts else None


def _metadata(plan: Plan, dataset: Dataset, resources: Resources, answers_hash: str) -> dict[str, Any]:
    info = find_system(plan.system.task, plan.system.name)
    return {
        "tag": plan.label,
        "actor": {"team": "bakeoff"},
        "data": {"test collection": {"name": dataset.id}},
        "research goal": {"description": dataset.task.summary},
        "method": {"name": plan.label, "description": info.summary},
        "implementation": {"source": {"module": info.module}},
        "platform": {
            "software": {"libraries": [f"{name}=={_version(name)}" for name in _LIBRARIES]},
            "python": platform.python_version(),
            "machine": platform.machine(),
        },
        "bakeoff": {
            "identity": plan.identity,
            "dataset fingerprint": dataset.fingerprint(),
            "system": plan.system.name,
            "parameters": dict(plan.system.parameters),
            "seed": plan.seed,
            "code version": code_version(plan.system),
            "answers sha256": answers_hash,
            "resources": asdict(resources),
        },
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _to_yaml(content: Mapping[str, Any]) -> str:
    import yaml

    return str(yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True))
