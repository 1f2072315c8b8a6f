"""JSON lines: where lines end, what a row must be, and that only ids stay in memory."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import jsonl
from harness.errors import FileFaultError, InputError
from harness.jsonl import Table, dump_row, read_lines, read_rows, write_rows

TEXTS = st.text(st.characters(codec="utf-8"))
LINE_SEPARATORS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r"


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_lines_end_at_line_feed_and_nowhere_else(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": f"a{c}b", "text": f"x{c}y"} for c in LINE_SEPARATORS]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8", newline="")
    assert [row for _, row in read_rows(path)] == rows
    assert len(Table(path)) == len(rows)


def test_bom_and_crlf_are_not_part_of_a_row(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", b'\xef\xbb\xbf{"id": "a"}\r\n{"id": "b"}')
    assert list(read_rows(path)) == [(1, {"id": "a"}), (2, {"id": "b"})]
    assert dict(Table(path)) == {"a": {"id": "a"}, "b": {"id": "b"}}


def test_offsets_point_at_the_line(tmp_path: Path) -> None:
    path = write(tmp_path / "rows", "ä\r\nbc\n\nd".encode())
    assert list(read_lines(path)) == [(1, 0, "ä".encode()), (2, 4, b"bc"), (3, 7, b""), (4, 8, b"d")]


@pytest.mark.parametrize(
    "line, said",
    [
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b'{"id": "a", "text": "\x00"}', "not JSON"),
        (b"\x00\x00\x00", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"id": "a", "n": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"id": "a", "text": "\xe9"}', "byte 21 is not UTF-8"),
        (b'{"id": "\xe9"}', "byte 8 is not UTF-8"),
        (b"[1]", "not a JSON object"),
        (b'{"id": 7}', '"id"'),
        (b'{"name": "a"}', '"id"'),
        (b'{"id": "a", "text": "\\ud800"}', "surrogate"),
        (b'{"id": "\\uDFFF"}', "surrogate"),
    ],
)
def test_a_bad_line_is_named_by_file_and_line(tmp_path: Path, line: bytes, said: str) -> None:
    path = write(tmp_path / "rows.jsonl", b'{"id": "first"}\n' + line + b"\n")
    with pytest.raises(FileFaultError) as caught:
        list(read_rows(path))
    message = str(caught.value)
    assert message.startswith(f"{path}, line 2: ")
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize("line", [b'{"id": "\xe9"}', b"{", b'{"text": "a"}', b'{"id": "first"}'])
def test_a_table_names_bad_lines_too(tmp_path: Path, line: bytes) -> None:
    path = write(tmp_path / "rows.jsonl", b'{"id": "first"}\n' + line + b"\n")
    with pytest.raises(FileFaultError, match="line 2: "):
        Table(path)


def test_a_whole_surrogate_pair_is_a_character(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", b'{"id": "a", "text": "\\ud83d\\ude00"}\n')
    assert Table(path)["a"]["text"] == "😀"


def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tracemalloc

    path = tmp_path / "huge.jsonl"
    with path.open("wb") as out:
        out.write(b'{"id": "a"}\n')
        out.truncate(1 << 30)  # sparse: a gigabyte of NUL in one line
    monkeypatch.setattr(jsonl, "MAX_LINE", 1 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(FileFaultError, match="line 2: longer than 1 MB; is this the right file"):
            list(read_rows(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


def test_the_real_limit_is_tens_of_megabytes() -> None:
    assert 16 << 20 <= jsonl.MAX_LINE <= 128 << 20


@pytest.mark.parametrize("name", ["absent.jsonl", "folder"])
def test_what_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=f"cannot read .*{name}"):
        list(read_rows(tmp_path / name))


def test_equal_ids_are_refused_by_line(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", b'{"id": "a"}\n{"x": 1, "id": "b"}\n{"id": "a"}\n')
    with pytest.raises(FileFaultError, match="line 3: id 'a' occurs twice"):
        Table(path)


def test_floats_keep_every_digit() -> None:
    assert json.loads(dump_row({"value": 0.49999999999999994}))["value"] != 0.5
    with pytest.raises(ValueError):
        dump_row({"value": float("nan")})


@given(st.lists(st.tuples(TEXTS, TEXTS), unique_by=lambda pair: pair[0], max_size=8))
def test_whatever_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    rows = [{"id": identifier, "text": text} for identifier, text in pairs]
    assert write_rows(path, rows) == len(rows)
    assert [row for _, row in read_rows(path)] == rows
    table = Table(path)
    assert [table[identifier] for identifier in table] == rows
    assert list(table) == [identifier for identifier, _ in pairs]


def test_ids_are_opaque(tmp_path: Path) -> None:
    ids = ["EN04", "EN4", "en04", " EN04", "04", "4", 'q"uote', "back\\slash", *string.punctuation]
    write_rows(tmp_path / "rows.jsonl", ({"id": identifier} for identifier in ids))
    assert list(Table(tmp_path / "rows.jsonl")) == ids
