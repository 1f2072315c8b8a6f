"""TIRA's task directory: `README.md` with its front matter, `inputs/` and `truths/`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.jsonl import Row, write_rows
from harness.task import Export, Release

_COMMAND = "bakeoff evaluate -i $inputDataset -r $inputRun -o $outputDir"


def exporter(
    *,
    input_row: Callable[[Any], Row],
    truth_row: Callable[[Any], Row],
    truth_field: str,
    answer_field: str,
) -> Export:
    """An export of self-contained input rows; truths stay in a folder of their own, or away altogether."""

    def export(folder: Path, release: Release) -> None:
        fields = sorted(input_row(release.problems[0]))
        rows = ({"id": problem.id, **input_row(problem)} for problem in release.problems)
        write_rows(folder / "inputs" / "inputs.jsonl", rows)
        if release.truths is not None:
            truths = ({"id": i, **truth_row(truth)} for i, truth in release.truths.items())
            write_rows(folder / "truths" / "truths.jsonl", truths)
        readme = _readme(release, ["id", *fields], truth_field, answer_field)
        (folder / "README.md").write_text(readme, encoding="utf-8")

    return export


def _readme(release: Release, fields: list[str], truth_field: str, answer_field: str) -> str:
    import yaml

    configs = [_config("inputs")]
    tira: dict[str, Any] = {
        "default_upload_name": "answers.jsonl",
        "resolve_inputs_to": "inputs",
        "input_format": {"name": "*.jsonl", "config": {"required_fields": fields}},
        "baseline": {"format": {"name": "*.jsonl", "config": {"id_field": "id", "value_field": answer_field}}},
    }
    if release.truths is not None:
        configs.append(_config("truths"))
        tira["resolve_truths_to"] = "truths"
        tira["truth_format"] = {"name": "*.jsonl", "config": {"id_field": "id", "value_field": truth_field}}
        tira["evaluator"] = {"command": _COMMAND}
    front = yaml.safe_dump({"configs": configs, "tira_configs": tira}, sort_keys=False)
    count = len(release.problems)
    return f"---\n{front}---\n\n# {release.title}\n\n{release.dataset}, {release.split} split, {count} problems.\n"


def _config(name: str) -> dict[str, Any]:
    return {"config_name": name, "data_files": [{"split": "test", "path": [f"{name}/*.jsonl"]}]}
