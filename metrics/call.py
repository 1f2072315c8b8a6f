"""Call syntax for names with parameters: `rouge_n(n=2)`, `mkl_ssad(p=3.1623)`.

One small grammar serves metrics and systems alike: a name, then optional `key=value` pairs in parentheses.
A value is a Python literal (`2`, `0.5`, `None`, `True`, `'a b'`) or a bare word, which is a string.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CALL = re.compile(rf"\s*({_NAME.pattern})\s*(?:\((.*)\))?\s*", re.DOTALL)
_BARE_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_+.-]*")
_KEYWORDS: dict[str, Any] = {"True": True, "False": False, "None": None, "true": True, "false": False, "none": None}
_KEYWORDS |= {"inf": math.inf, "-inf": -math.inf}


class CallSyntaxError(ValueError):
    """The text is not of the form `name` or `name(key=value, ...)`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed name with its parameters; `str()` gives the canonical text, which parses back to the same call."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        inside = ",".join(f"{key}={format_value(value)}" for key, value in sorted(self.parameters.items()))
        return f"{self.name}({inside})"

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Call, (self.name, dict(self.parameters))


def parse_call(text: str) -> Call:
    """Read `name` or `name(key=value, ...)`."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise CallSyntaxError(f"cannot read {text!r}; write name or name(key=value,...)")
    name, inside = match.groups()
    parameters: dict[str, Any] = {}
    for part in split_list(inside or ""):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not _NAME.fullmatch(key):
            raise CallSyntaxError(f"cannot read {part.strip()!r} in {text!r}; write {name}(key=value,...)")
        if key in parameters:
            raise CallSyntaxError(f"{key!r} is given twice in {text!r}")
        parameters[key] = _parse_value(value.strip(), text)
    return Call(name, parameters)


def split_list(text: str) -> list[str]:
    """Split at commas outside brackets and quotes: `a(x=1,y=2),b` has two parts."""
    parts: list[str] = []
    depth, quote, start = 0, "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def format_value(value: Any) -> str:
    """The shortest text that `parse_call` reads back as the same value."""
    if isinstance(value, str) and _BARE_WORD.fullmatch(value) and value not in _KEYWORDS:
        return value
    return repr(value)


def _parse_value(text: str, whole: str) -> Any:
    if text in _KEYWORDS:
        return _KEYWORDS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        if _BARE_WORD.fullmatch(text):
            return text
    raise CallSyntaxError(f"cannot read the value {text!r} in {whole!r}; quote text that has blanks or signs")
