"""PAN 2018 and 2019 attribution: a folder of `answers-<problem>.json`, a `ground-truth.json` in each problem's folder.

The id of a text is `<problem>/<unknown-text>`: file names recur in every problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import FileFaultError
from harness.formats.jsonlines import answers_format
from harness.jsonl import MAX_LINE, Row
from harness.records import Entry, Fault
from harness.task import AnswerFormat, Policy, TruthFormat

_ANSWERS = "answers-*.json"
_TRUTHS = "*/ground-truth.json"
PAN18 = Policy(
    name="pan18",
    summary="as the evaluators of PAN 2018 and 2019: the first duplicate wins, a missing text is <UNK>",
    actions={
        "missing": "unanswered",
        "unknown": "ignore",
        "duplicate": "first",
        "wrong_type": "unanswered",
        "nan": "keep",
        "bad_line": "refuse",
        "blank_line": "ignore",
        "encoding": "refuse",
    },
)


def _load(path: Path) -> Any:
    if path.stat().st_size > MAX_LINE:
        raise FileFaultError(path, f"larger than {MAX_LINE >> 20} MB; is this the right file?")
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileFaultError(path, f"byte {error.start} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise FileFaultError(path, f"not JSON ({getattr(error, 'msg', 'nested too deeply')})") from error


def _read_answers(folder: Path) -> Iterator[Entry]:
    """The position in its file stands for a line number."""
    for path in sorted(folder.glob(_ANSWERS)):
        problem = path.stem.removeprefix("answers-")
        try:
            rows = _load(path)
        except FileFaultError as error:
            yield Entry(line=1, fault=Fault(kind="bad_line", message=str(error), line=1))
            continue
        for number, row in enumerate(rows if isinstance(rows, list) else [rows], start=1):
            if not isinstance(row, dict) or not isinstance(row.get("unknown-text"), str):
                message = f"{path.name}: entry {number} has no unknown-text"
                yield Entry(line=number, fault=Fault(kind="bad_line", message=message, line=number))
            else:
                yield Entry(
                    line=number, id=f"{problem}/{row['unknown-text']}", row={"author": row.get("predicted-author")}
                )


def _read_truths(folder: Path) -> Iterator[tuple[int, Row]]:
    for path in sorted(folder.glob(_TRUTHS)):
        problem, content = path.parent.name, _load(path)
        rows = content.get("ground_truth") if isinstance(content, dict) else None
        if not isinstance(rows, list):
            raise FileFaultError(path, 'no list "ground_truth"')
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, dict) or not isinstance(row.get("unknown-text"), str):
                raise FileFaultError(path, f"entry {number} has no unknown-text")
            yield number, {"id": f"{problem}/{row['unknown-text']}", "author": row.get("true-author"), "set": problem}


ANSWERS_JSONL = answers_format(PAN18)
ANSWERS = AnswerFormat(
    name="pan18",
    summary="PAN 2018/19: a folder of answers-<problem>.json",
    recognises=lambda head: False,
    is_folder=lambda folder: any(folder.glob(_ANSWERS)),
    read=_read_answers,
    write=None,
    policy=PAN18,
)
TRUTHS = TruthFormat(
    name="pan18",
    recognises=lambda head: False,
    is_folder=lambda folder: any(folder.glob(_TRUTHS)),
    read=_read_truths,
)
