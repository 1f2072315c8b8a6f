"""Splitting prepared bytes into words, compiled by numba. Imported only to encode texts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metrics.rouge.kernels import Ints, Tokens, compiled, table_size

_Bytes = npt.NDArray[np.uint8]
_BLANK = ord(" ")


@compiled
def split_words(text: _Bytes, line_break: int) -> tuple[Tokens, Ints, Ints]:
    """For each word its number among the distinct words, 0 for a line break; and where each distinct word stands.

    Words are what stands between blanks and line breaks.
    """
    most = _count_words(text, line_break)
    places, count = np.empty(len(text), np.int32), 0
    starts, ends, hashes, distinct = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64), 0
    table = np.zeros(table_size(most), np.int32)
    position = 0
    while position < len(text):
        if text[position] == _BLANK or text[position] == line_break:
            if text[position] == line_break:
                places[count] = 0
                count += 1
            position += 1
            continue
        start, mixed = position, np.int64(0)
        while position < len(text) and text[position] != _BLANK and text[position] != line_break:
            mixed = (mixed ^ text[position]) * 1099511628211  # the multiplier of the FNV hash
            position += 1
        slot = (mixed ^ (mixed >> 29)) & (len(table) - 1)
        while table[slot] != 0:
            known = table[slot] - 1
            if hashes[known] == mixed and _same(text, starts[known], ends[known], start, position):
                break
            slot = (slot + 1) & (len(table) - 1)
        if table[slot] == 0:
            starts[distinct], ends[distinct], hashes[distinct] = start, position, mixed
            distinct += 1
            table[slot] = distinct
        places[count] = table[slot]
        count += 1
    return places[:count].copy(), starts[:distinct].copy(), ends[:distinct].copy()


@compiled
def _count_words(text: _Bytes, line_break: int) -> int:
    count, inside = 0, False
    for byte in text:
        letter = byte != _BLANK and byte != line_break
        count += letter and not inside
        inside = letter
    return count


@compiled
def _same(text: _Bytes, start: int, end: int, other_start: int, other_end: int) -> bool:
    if end - start != other_end - other_start:
        return False
    offset = 0
    while offset < end - start and text[start + offset] == text[other_start + offset]:
        offset += 1
    return offset == end - start
