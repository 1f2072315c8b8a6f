"""The union longest common subsequence of ROUGE-L and ROUGE-W, compiled by numba. Imported only to score.

Each sentence of a reference is compared with each sentence of the peer; a token is hit if it lies on any of the
subsequences found. L is the case in which a run of k matches weighs k.

The table of two sentences is kept small without changing what its trace finds. A token that the other sentence
lacks only passes on the best value before it, and a second such token in a row passes on the same again: each run
of them shrinks to one. (To one, not to none: it ends a run of matches, and the trace may go along it.)
"""

from __future__ import annotations

import numpy as np

from metrics.rouge.kernels import Bools, Floats, Ints, Tokens, compiled

_ABSENT_HERE, _ABSENT_THERE = np.int32(-1), np.int32(-2)
"""Stand for tokens that the other sentence lacks; unlike each other, so that they never match."""


@compiled
def union_hits(
    whole: Tokens,
    whole_texts: Ints,
    lines: Tokens,
    sentences: Ints,
    texts: Ints,
    peers: Ints,
    references: Ints,
    starts: Ints,
    vocabulary: int,
    powers: Floats,
) -> Floats:
    """Per reference: the number of tokens hit, and the hits with a run of k weighing `powers[k]`.

    Subsequences are those of `lines`; the counts that clip the hits are those of `whole`.
    """
    hit = np.zeros(len(lines), np.bool_)
    marks = np.full((2, vocabulary), -1, np.int64)
    left = np.zeros((2, vocabulary), np.int64)
    results = np.zeros((len(references), 2))
    stamp = 0
    for pair in range(len(peers)):
        peer = peers[pair]
        for row in range(starts[pair], starts[pair + 1]):
            reference = references[row]
            hit[sentences[texts[reference]] : sentences[texts[reference + 1]]] = False
            stamp = _find(lines, sentences, texts, peer, reference, powers, marks, stamp, hit)
            for side, text in enumerate((peer, reference)):
                for token in whole[whole_texts[text] : whole_texts[text + 1]]:
                    left[side, token] += 1
            for sentence in range(texts[reference], texts[reference + 1]):
                span = slice(sentences[sentence], sentences[sentence + 1])
                _add_survivors(lines[span], hit[span], left, powers, results[row])
            for side, text in enumerate((peer, reference)):
                for token in whole[whole_texts[text] : whole_texts[text + 1]]:
                    left[side, token] = 0
    return results


@compiled
def _find(
    lines: Tokens,
    sentences: Ints,
    texts: Ints,
    peer: int,
    reference: int,
    powers: Floats,
    marks: Ints,
    stamp: int,
    hit: Bools,
) -> int:
    """Set `hit` for the reference's tokens on a common subsequence; return the last stamp used in `marks`."""
    longest = len(powers)
    rows, columns = np.empty(longest, np.int32), np.empty(longest, np.int32)
    row_places, column_places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    cells, runs = np.zeros(1), np.zeros(longest, np.int64)
    for theirs in range(texts[peer], texts[peer + 1]):
        their_tokens = lines[sentences[theirs] : sentences[theirs + 1]]
        stamp += 1
        their_stamp = stamp
        for token in their_tokens:
            marks[0, token] = their_stamp
        for ours in range(texts[reference], texts[reference + 1]):
            our_tokens = lines[sentences[ours] : sentences[ours + 1]]
            height = _shrink(our_tokens, marks[0], their_stamp, _ABSENT_THERE, rows, row_places)
            if height == 0 or (height == 1 and rows[0] == _ABSENT_THERE):
                continue
            stamp += 1
            for token in our_tokens:
                marks[1, token] = stamp
            width = _shrink(their_tokens, marks[1], stamp, _ABSENT_HERE, columns, column_places)
            size = (height + 1) * (width + 1)
            if size > len(cells):
                cells = np.zeros(2 * size)
            table = cells[:size].reshape(height + 1, width + 1)
            _fill(rows[:height], columns[:width], powers, table, runs)
            _trace(rows[:height], columns[:width], table, row_places, hit[sentences[ours] :])
    return stamp


@compiled
def _shrink(tokens: Tokens, mark: Ints, stamp: int, absent: np.int32, kept: Tokens, places: Ints) -> int:
    """Copy the tokens to `kept` and their positions to `places`, one `absent` for each run the other side lacks."""
    size = 0
    for position in range(len(tokens)):
        token = tokens[position]
        if mark[token] != stamp:
            if size > 0 and kept[size - 1] == absent:
                continue
            token = absent
        kept[size], places[size] = token, position
        size += 1
    return size


@compiled
def _fill(rows: Tokens, columns: Tokens, powers: Floats, table: Floats, runs: Ints) -> None:
    """The best weights; `runs[j]` is the length of the run of matches that ends at this row and column."""
    table[0] = 0.0
    runs[: len(columns) + 1] = 0
    for i in range(1, len(rows) + 1):
        table[i, 0] = 0.0
        above_left = 0
        for j in range(1, len(columns) + 1):
            above = runs[j]
            if rows[i - 1] == columns[j - 1]:
                # In this order, as ROUGE-1.5.5 adds: another order rounds otherwise and can change the trace.
                table[i, j] = (table[i - 1, j - 1] + powers[above_left + 1]) - powers[above_left]
                runs[j] = above_left + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
                runs[j] = 0
            above_left = above


@compiled
def _trace(rows: Tokens, columns: Tokens, table: Floats, places: Ints, hit: Bools) -> None:
    """Walk back from the end: a match is taken, else the reference's token is dropped unless that loses weight."""
    i, j = len(rows), len(columns)
    while i > 0 and j > 0:
        if rows[i - 1] == columns[j - 1]:
            hit[places[i - 1]] = True
            i -= 1
            j -= 1
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1


@compiled
def _add_survivors(tokens: Tokens, hit: Bools, left: Ints, powers: Floats, sums: Floats) -> None:
    """Add the hits of a sentence that both texts' remaining counts still cover, plain and weighted by runs.

    A run counts its survivors and is added when its last token survives; else it goes on into the next run.
    """
    run = 0
    for position in range(len(tokens)):
        token = tokens[position]
        if not hit[position] or left[0, token] == 0 or left[1, token] == 0:
            continue
        left[0, token] -= 1
        left[1, token] -= 1
        sums[0] += 1.0
        run += 1
        if position + 1 == len(tokens) or not hit[position + 1]:
            sums[1] += powers[run]
            run = 0
