"""ROUGE-1.5.5 as a program: the same options, the same files, the same text printed, without Perl.

Differences, all of them on bad input: where ROUGE-1.5.5 goes on with a guess (an unknown option, an EVAL id given
twice, a value that is no number) or stops half-way, this program prints one line and computes nothing; and a model
without tokens scores 0 in ROUGE-W, where ROUGE-1.5.5 dies of a division by zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from pathlib import Path
from typing import Any

import numpy as np

from metrics.metric import MetricError
from metrics.rouge.configuration import Evaluation, read_configuration, read_list, text_reader
from metrics.rouge.encoding import Encoded, Integers, encode_texts
from metrics.rouge.options import USAGE, Options, RougeProgramError, parse_options
from metrics.rouge.scoring import Counts, Floats, Measure, combine, count, jackknifed, rates

_LINE, _DOTS = "-" * 45, "." * 45


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """What the program printed, and its exit code."""

    stdout: str
    stderr: str
    exit_code: int


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Encoded pairs of a peer and its models, with the system and evaluation of each."""

    encoded: Encoded
    systems: list[str]
    evaluations: list[str]


def run(argv: Sequence[str], cwd: Path) -> ProgramResult:
    """Run the program with these arguments in this directory."""
    try:
        options = parse_options(argv)
        if options is None:
            return ProgramResult(stdout=USAGE, stderr="", exit_code=0)
        evaluations = _evaluations(options, cwd)
        systems = _systems(evaluations, options)
        pairs = _encode(evaluations, systems, options)
        lines = list(_report(pairs, systems, options))
        warnings = list(_missing_peers(evaluations, systems)) if options.measures else []
    except MetricError as error:
        code = error.exit_code if isinstance(error, RougeProgramError) else 255
        return ProgramResult(stdout="", stderr=f"rouge: {error}\n", exit_code=code)
    return ProgramResult(stdout="".join(f"{line}\n" for line in lines), stderr="".join(warnings), exit_code=0)


def _evaluations(options: Options, cwd: Path) -> list[Evaluation]:
    if options.list_format is None:
        return read_configuration(Path(options.config), cwd)
    return read_list(Path(options.config), cwd, options.list_format, options.system or "X")


def _systems(evaluations: list[Evaluation], options: Options) -> list[str]:
    if options.system is not None:
        return [options.system]
    return sorted({peer for evaluation in evaluations for peer in evaluation.peers})


def _missing_peers(evaluations: list[Evaluation], systems: list[str]) -> Iterator[str]:
    for system in systems:
        for evaluation in evaluations:
            if system not in evaluation.peers:
                yield (
                    f"*ROUGE Warning: test instance for peer {system} does not exist for evaluation {evaluation.id}\n"
                )


def _encode(evaluations: list[Evaluation], systems: list[str], options: Options) -> _Pairs:
    read = text_reader()
    texts: list[bytes] = []
    peers: list[int] = []
    references: list[int] = []
    starts = [0]
    names: list[tuple[str, str]] = []
    for evaluation in evaluations:
        models = range(len(texts), len(texts) + len(evaluation.models))
        texts += [read(path, evaluation.format) for path in evaluation.models.values()]
        for system in systems:
            if system in evaluation.peers:
                peers.append(len(texts))
                texts.append(read(evaluation.peers[system], evaluation.format))
                references += models
                starts.append(len(references))
                names.append((system, evaluation.id))
    encoded = encode_texts(texts, _integers(peers), _integers(references), _integers(starts), options.settings)
    return _Pairs(encoded, [system for system, _ in names], [evaluation for _, evaluation in names])


def _integers(values: list[int]) -> Integers:
    return np.array(values, dtype=np.int64)


def _report(pairs: _Pairs, systems: list[str], options: Options) -> Iterator[str]:
    """The printed lines: per system, per measure, the average, then with `-d` each evaluation."""
    counts = count(pairs.encoded, [measure for _, measure in options.measures])
    values = {name: _values(pairs.encoded, measure, counts[measure], options) for name, measure in options.measures}
    for system in systems:
        rows = [row for row, other in enumerate(pairs.systems) if other == system]
        as_strings = sorted(rows, key=lambda row: pairs.evaluations[row])
        to_print = sorted(rows, key=lambda row: _print_order(pairs.evaluations[row]))
        averages = _averages({name: table[as_strings] for name, table in values.items()}, options)
        for name, table in values.items():
            yield _LINE
            yield from (f"{system} {name} {text}" for text in averages[name])
            if options.each:
                yield _DOTS
                for row in to_print:
                    recall, precision, f = (_shown(value, options) for value in table[row].tolist())
                    evaluation = f"{pairs.evaluations[row]}.{system}"
                    yield f"{system} {name} Eval {evaluation} R:{recall} P:{precision} F:{f}"


def _values(encoded: Encoded, measure: Measure, counts: Counts, options: Options) -> Floats:
    """A row per pair: recall, precision and F, or with `-t 1` and `-t 2` the counts of model, peer and hits."""
    if options.jackknife:
        return np.column_stack(jackknifed(encoded, measure, counts, options.combine, options.alpha))
    combined = combine(encoded.starts, counts, options.combine)
    if options.unit == 0:
        return np.column_stack(rates(measure, combined, options.alpha))
    return np.column_stack([combined.model, combined.peer, combined.hits])


def _averages(values: dict[str, Floats], options: Options) -> dict[str, list[str]]:
    """The lines between the rules, for one system's rows in the order of its evaluations' ids as strings."""
    if options.unit == 2:
        return {name: [_count_line(table)] for name, table in values.items()}
    from metrics.rouge.resampling import interval, resampled_sums, token_rates

    if not values:
        return {}
    sums = resampled_sums(np.concatenate(list(values.values()), axis=1), options.resamples)
    lines: dict[str, list[str]] = {}
    for place, (name, table) in enumerate(values.items()):
        own = sums[:, 3 * place : 3 * place + 3]
        samples = token_rates(own, options.alpha) if options.unit == 1 else own / max(len(table), 1)
        lines[name] = []
        for letter, column in zip("RPF", samples.T, strict=True):
            mean, low, high = interval(column, options.confidence)
            level = f"({options.confidence_text}%-conf.int. {low:.5f} - {high:.5f})"
            lines[name].append(f"Average_{letter}: {mean:.5f} {level}")
    return lines


def _count_line(table: Floats) -> str:
    sums = np.cumsum(np.vstack([np.zeros(3), table]), axis=0)[-1]
    model, peer, hits = (int(value) for value in sums)  # W's counts lose their fractions
    return f"M_count: {model} P_count: {peer} H_count: {hits}"


def _shown(value: float, options: Options) -> str:
    return f"{value:.5f}" if options.unit == 0 else f"{value:.15g}"


_LEADING_NUMBER = re.compile(r"[0-9]+")


def _compare(first: str, second: str) -> int:
    """The order in which evaluations are printed: by leading numbers where both have one, else as strings."""
    numbers = [_LEADING_NUMBER.match(text) for text in (first, second)]
    if numbers[0] and numbers[1] and int(numbers[0][0]) != int(numbers[1][0]):
        return -1 if int(numbers[0][0]) < int(numbers[1][0]) else 1
    return (first > second) - (first < second)


_print_order: Callable[[str], Any] = cmp_to_key(_compare)
