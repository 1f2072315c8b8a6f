"""The options of ROUGE-1.5.5, parsed as its command line does: one letter each, flags may share a dash.

Parsing ends at the first argument that is no option, so `rouge config.xml -a` asks for a system called "-a".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metrics.metric import MetricError
from metrics.rouge.scoring import Combine, Measure
from metrics.rouge.settings import TextSettings

_FLAGS = "adhHjmsuUvx"
_WITH_VALUE = "cebl23nrwfptz"
FORMATS = ("SPL", "SEE")

USAGE = """\
usage: rouge [options] <configuration file> [<system id>]

  -a          evaluate all systems (else name one after the file)
  -n N        ROUGE-1 to ROUGE-N          -x          leave out ROUGE-L
  -w WEIGHT   ROUGE-W                     -2 GAP      ROUGE-S with at most GAP words between (negative: any)
  -u          ROUGE-SU in place of S      -U          ROUGE-S and ROUGE-SU
  -m          stem                        -s          remove stop words
  -l WORDS    cut texts after words       -b BYTES    cut texts after bytes
  -f A|B      sum over models, or best    -p ALPHA    weight of precision in F, from 0 to 1
  -t 0|1|2    average over evaluations, over tokens, or raw counts
  -c PERCENT  confidence level            -r SAMPLES  bootstrap samples
  -d          print every evaluation      -z SPL|SEE  the file is a list: peer model1 model2 ... on a line
  -j          jackknife (not in ROUGE-1.5.5): average over leaving out each model in turn
  -e DIR, -v  accepted, without effect    -h, -H      this text
"""


class RougeProgramError(MetricError):
    """The program cannot do what its arguments ask; `exit_code` is what it ends with."""

    def __init__(self, message: str, exit_code: int = 255) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run of the program computes and prints."""

    config: str
    system: str | None
    """`None` evaluates all systems."""
    list_format: str | None
    """The format of the texts where the configuration is a plain list."""
    measures: tuple[tuple[str, Measure], ...]
    """With the names to print, which repeat `-w` and `-2` as they were written."""
    settings: TextSettings
    combine: Combine
    alpha: float
    unit: Literal[0, 1, 2]
    """`-t`: average over evaluations (0) or over tokens (1), or give raw counts (2)."""
    confidence: float
    confidence_text: str
    resamples: int
    each: bool
    jackknife: bool


def parse_options(arguments: Sequence[str]) -> Options | None:
    """The options of a run, or `None` where only the usage is asked for."""
    given, rest = _split(arguments)
    if "h" in given or "H" in given or not arguments:
        return None
    if "3" in given:
        raise RougeProgramError("-3 (basic elements) is not supported; use -n, -w or -2")
    if len(rest) == 0:
        raise RougeProgramError("no configuration file is named; see -h")
    if len(rest) > 2:
        raise RougeProgramError(f"too many arguments after the configuration file: {' '.join(rest[1:])}")
    list_format = given.get("z")
    if list_format is not None and list_format not in FORMATS:
        raise RougeProgramError(f"unknown input format {list_format!r} after -z; known: {', '.join(FORMATS)}")
    system = None if "a" in given else rest[1] if len(rest) == 2 else None
    if system is None and list_format is not None:
        system = rest[1] if len(rest) == 2 else "X"
    if system is None and "a" not in given:
        raise RougeProgramError("name a system after the configuration file, or use -a to evaluate all systems")
    return _checked(given, rest[0], system, list_format)


def _split(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Options by letter, and the arguments after them."""
    given: dict[str, str] = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        argument = rest.pop(0)
        if argument == "--":
            break
        letters = argument[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in _FLAGS:
                given[letter] = ""
            elif letter in _WITH_VALUE:
                if not letters and not rest:
                    raise RougeProgramError(f"option -{letter} needs a value; see -h")
                given[letter] = letters or rest.pop(0)
                letters = ""
            else:
                raise RougeProgramError(f"unknown option: {letter}; see -h")
    return given, rest


def _checked(given: dict[str, str], config: str, system: str | None, list_format: str | None) -> Options:
    confidence, alpha = _number(given, "c", "95"), _number(given, "p", "0.5")
    resamples, unit = _integer(given, "r", "1000"), _integer(given, "t", "0")
    if not 0 <= confidence <= 100:
        raise RougeProgramError(f"-c must be between 0 and 100, not {given['c']}")
    if not 0 <= alpha <= 1:
        raise RougeProgramError(f"-p must be between 0 and 1, not {given['p']}")
    if resamples < 1:
        raise RougeProgramError(f"-r must be at least 1, not {given['r']}")
    if unit not in (0, 1, 2):
        raise RougeProgramError(f"-t must be 0, 1 or 2, not {given['t']}")
    if "j" in given and unit != 0:
        raise RougeProgramError("-j averages scores, so it goes with -t 0 only")
    combine = given.get("f", "A")
    if combine not in ("A", "B"):
        raise RougeProgramError(f"-f must be A or B, not {combine}")
    return Options(
        config=config,
        system=system,
        list_format=list_format,
        measures=_measures(given),
        settings=_settings(given),
        combine="A" if combine == "A" else "B",
        alpha=alpha,
        unit=0 if unit == 0 else 1 if unit == 1 else 2,
        confidence=confidence,
        confidence_text=given.get("c", "95"),
        resamples=resamples,
        each="d" in given,
        jackknife="j" in given,
    )


def _measures(given: dict[str, str]) -> tuple[tuple[str, Measure], ...]:
    named = [(f"ROUGE-{n}", Measure(kind="N", n=n)) for n in range(1, _integer(given, "n", "0") + 1)]
    if "x" not in given:
        named.append(("ROUGE-L", Measure(kind="L")))
    if "w" in given:
        weight = _number(given, "w", "")
        if not weight > 0:
            raise RougeProgramError(f"-w must be greater than 0, not {given['w']}")
        named.append((f"ROUGE-W-{given['w']}", Measure(kind="W", weight=weight)))
    if "2" in given:
        gap = _integer(given, "2", "")
        text = "*" if gap < 0 else given["2"]
        if "u" not in given:
            named.append((f"ROUGE-S{text}", Measure(kind="S", gap=gap)))
        if "u" in given or "U" in given:  # -u wins over -U, as it does in ROUGE-1.5.5
            named.append((f"ROUGE-SU{text}", Measure(kind="SU", gap=gap)))
    return tuple(named)


def _settings(given: dict[str, str]) -> TextSettings:
    limits = {letter: _integer(given, letter, "0") for letter in "lb"}
    if limits["l"] and limits["b"]:
        raise RougeProgramError("limit the length in words (-l) or in bytes (-b), not both")
    for letter, limit in limits.items():
        if limit < 0:
            raise RougeProgramError(f"-{letter} must not be negative, it is {limit}")
    return TextSettings(stem="m" in given, stop="s" in given, words=limits["l"] or None, bytes=limits["b"] or None)


def _number(given: dict[str, str], letter: str, default: str) -> float:
    text = given.get(letter, default)
    try:
        return float(text)
    except ValueError:
        raise RougeProgramError(f"-{letter} needs a number, not {text!r}") from None


def _integer(given: dict[str, str], letter: str, default: str) -> int:
    text = given.get(letter, default)
    try:
        return int(text)
    except ValueError:
        raise RougeProgramError(f"-{letter} needs a whole number, not {text!r}") from None
