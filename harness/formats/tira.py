"""TIRA's task directory: `README.md` with its front matter, `inputs/` and `truths/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from harness import __version__
from harness.jsonl import Row, write_rows
from harness.task import Export, Release

_IMAGE = f"bakeoff:{__version__}"
_COMMAND = "bakeoff evaluate -i $inputDataset -r $inputRun -o $outputDir"
_MAX_MB = 75
"""Largest file that TIRA takes unless told otherwise."""
_BASELINE = (
    "`tira-cli dataset-submission --dry-run --skip-baseline` accepts this directory as it is. For a baseline that TIRA "
    "runs, set `baseline.link` (a folder with a Dockerfile) and `baseline.command` in the front matter."
)


def exporter(
    *,
    input_row: Callable[[Sequence[Any]], Callable[[Any], Row]],
    truth_row: Callable[[Any], Row],
    truth_field: str,
    answer_field: str,
) -> Export:
    """An export of self-contained input rows; truths stay in a folder of their own, or away altogether.

    `input_row` sees all problems and says how one becomes a row: TIRA wants the same fields in every row.
    """

    def export(folder: Path, release: Release) -> None:
        row_of = input_row(release.problems)
        inputs = folder / "inputs" / "inputs.jsonl"
        write_rows(inputs, ({"id": problem.id, **row_of(problem)} for problem in release.problems))
        fields = ["id", *sorted(row_of(release.problems[0]))]
        configs = [_config("inputs", release.split)]
        tira = _description(_format(inputs, len(release.problems), required_fields=fields), answer_field)
        if release.truths is not None:
            truths = folder / "truths" / "truths.jsonl"
            write_rows(truths, ({"id": i, **truth_row(truth)} for i, truth in release.truths.items()))
            configs.append(_config("truths", release.split))
            tira |= _judging(_format(truths, len(release.truths), id_field="id", value_field=truth_field))
        (folder / "README.md").write_text(_readme(release, configs, tira), encoding="utf-8")

    return export


def _description(input_format: Row, answer_field: str) -> Row:
    """What a participant needs. The baseline's command must be named, even as nothing, or TIRA stops."""
    answers = {"name": "*.jsonl", "config": {"id_field": "id", "value_field": answer_field}}
    return {
        "default_upload_name": "answers.jsonl",
        "resolve_inputs_to": "inputs",
        "input_format": input_format,
        "baseline": {"command": None, "format": answers},
    }


def _judging(truth_format: Row) -> Row:
    """What the organiser needs: the truths, and bakeoff as the evaluator, in an image of its version."""
    return {
        "resolve_truths_to": "truths",
        "truth_format": truth_format,
        "evaluator": {"image": _IMAGE, "command": _COMMAND},
    }


def _format(path: Path, rows: int, **config: Any) -> Row:
    """TIRA's check of a JSONL file, told where this one is shorter or larger than it takes for granted."""
    megabytes = path.stat().st_size // (1 << 20) + 1
    if rows < 2:
        config["minimum_lines"] = rows
    if megabytes > _MAX_MB:
        config["max_size_mb"] = megabytes
    return {"name": "*.jsonl", "config": config}


def _readme(release: Release, configs: list[Row], tira: Row) -> str:
    import yaml

    front = yaml.safe_dump({"configs": configs, "tira_configs": tira}, sort_keys=False, allow_unicode=True)
    what = f"{release.dataset}, {release.split} split, {len(release.problems)} problems."
    how = _BASELINE if release.truths is not None else "The truths stay with the organiser."
    return f"---\n{front}---\n\n# {release.title}\n\n{what}\n\n{how}\n"


def _config(name: str, split: str) -> Row:
    return {"config_name": name, "data_files": [{"split": split, "path": [f"{name}/*.jsonl"]}]}
