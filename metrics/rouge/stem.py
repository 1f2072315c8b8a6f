"""The stemmer of ROUGE-1.5.5: WordNet's exceptions first, else a Porter stemmer with a step 4 of its own.

Two differences from the published Porter (1980) algorithm matter. In step 4, after the first suffix has been
tried, "-ment" is tried on whatever is left, then "-ent" or "-(s|t)ion": `governmental` loses both "-al" and
"-ment", and `agreement`, whose "-ement" may not go, still loses "-ent". And tokens of up to three characters
are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from metrics.rouge.data import exceptions

_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_MEASURE_ABOVE_0 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}").match
_MEASURE_ABOVE_1 = re.compile(f"(?:{_CONSONANTS})?(?:{_VOWELS}{_CONSONANTS}){{2}}").match
_MEASURE_IS_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?").fullmatch
_HAS_VOWEL = re.compile(f"(?:{_CONSONANTS})?[aeiouy]").match
_ENDS_CVC = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]").fullmatch
_DOUBLE_CONSONANT = re.compile(r".*([^aeiouylsz])\1").fullmatch

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = ["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous"]
_STEP_4 += ["ive", "ize"]


def _longest_first(suffixes: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(suffixes, key=len, reverse=True))


_SUFFIXES_2, _SUFFIXES_3, _SUFFIXES_4 = (_longest_first(step) for step in (_STEP_2, _STEP_3, _STEP_4))


@lru_cache(maxsize=1 << 18)
def stem(token: str) -> str:
    """The stem of a lower-case token under `-m`."""
    if len(token) <= 3:
        return token
    exception = exceptions().get(token)
    return porter(token) if exception is None else exception


def porter(word: str) -> str:
    """The modified Porter stemmer alone, without the exception table."""
    if word.startswith("y"):  # a first y is a consonant: hide it from the vowel patterns
        return "y" + _steps("Y" + word[1:])[1:]
    return _steps(word)


def _steps(word: str) -> str:
    word = _step_1(word)
    for suffixes, replacements in ((_SUFFIXES_2, _STEP_2), (_SUFFIXES_3, _STEP_3)):
        if word.endswith(suffixes):
            rest, suffix = _split_suffix(word, suffixes)
            if _MEASURE_ABOVE_0(rest):
                word = rest + replacements[suffix]
    return _step_5(_step_4(word))


def _split_suffix(word: str, suffixes: tuple[str, ...]) -> tuple[str, str]:
    """The word without the first of these suffixes that it has, which it must have, and that suffix."""
    for suffix in suffixes:
        if word.endswith(suffix):
            break
    return word[: -len(suffix)], suffix


def _step_1(word: str) -> str:
    """Plurals, -ed, -ing, and a final y."""
    if word.endswith("s"):
        if word.endswith(("sses", "ies")):
            word = word[:-2]
        elif not word.endswith("ss"):
            word = word[:-1]
    if word.endswith("eed"):
        if _MEASURE_ABOVE_0(word[:-3]):
            word = word[:-1]
    elif word.endswith(("ed", "ing")):
        rest = word[:-2] if word.endswith("ed") else word[:-3]
        if _HAS_VOWEL(rest):
            word = _repair(rest)
    if word.endswith("y") and _HAS_VOWEL(word[:-1]):
        word = word[:-1] + "i"
    return word


def _repair(word: str) -> str:
    """What remains after -ed or -ing, made into a word again: hop(p), fil(e), conflat(e)."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _DOUBLE_CONSONANT(word):
        return word[:-1]
    return word + "e" if _ENDS_CVC(word) else word


def _step_4(word: str) -> str:
    if word.endswith(_SUFFIXES_4):
        rest, _ = _split_suffix(word, _SUFFIXES_4)
        if _MEASURE_ABOVE_1(rest):
            word = rest
    if word.endswith("ment") and _MEASURE_ABOVE_1(word[:-4]):
        word = word[:-4]
    if word.endswith("ent"):
        return word[:-3] if _MEASURE_ABOVE_1(word[:-3]) else word
    if word.endswith(("sion", "tion")) and _MEASURE_ABOVE_1(word[:-3]):
        return word[:-3]
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _MEASURE_ABOVE_1(rest) or (_MEASURE_IS_1(rest) and not _ENDS_CVC(rest)):
            word = rest
    if word.endswith("ll") and _MEASURE_ABOVE_1(word):
        word = word[:-1]
    return word
