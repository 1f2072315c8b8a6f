"""What the author of a Usenet post wrote: without quotes, attribution lines, signature and uuencoded files."""

from __future__ import annotations

import re

_ENCODED = re.compile(r"^begin [0-7]{3,4} \S.*?(?:^end$\n?|\Z)", re.MULTILINE | re.DOTALL)
_SIGNATURE = re.compile(r"^--[ \t]*$.*", re.MULTILINE | re.DOTALL)
_COLON = r":(?![-'^]?[()DP])"  # not a smiley
_QUOTE = re.compile(rf"\s*(?:[A-Za-z]{{0,4}}>|[|}}]|{_COLON})")
_MAYBE_QUOTE = re.compile(r"\s*[#%]")
"""Signs that also open lines of code: a quote only if the next or the last line has one too."""
_SAYS = re.compile(r"\b(?:(?:writes?|wrote)[\s:;.,>-]*|(?:said|says)\s*(?::|\.\.)[\s.>-]*)$", re.IGNORECASE)
_SOURCE = re.compile(
    r"\s*(?:In\s+(?:article|message|an? (?:earlier|previous|recent) (?:article|message|post)\w*)\b.*[<@]|"
    r"In\s+article:?\s+\d|In\s+<\S+@\S+|From article\b|On \S.*\d\d.*@)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[<>@]|\barticle\b", re.IGNORECASE)


def own_words(body: str) -> str:
    """A post's body with its author's own words alone."""
    text = _SIGNATURE.sub("", _ENCODED.sub("", body))
    lines = [line.rstrip() for line in text.split("\n")]
    quoted = _quoted(lines)
    dropped = [quote or said for quote, said in zip(quoted, _attributions(lines, quoted), strict=True)]
    kept = "\n".join(line for line, drop in zip(lines, dropped, strict=True) if not drop)
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n")


def _quoted(lines: list[str]) -> list[bool]:
    maybe = [_MAYBE_QUOTE.match(line) is not None for line in lines]
    beside = [before or after for before, after in zip([False, *maybe[:-1]], [*maybe[1:], False], strict=True)]
    return [
        _QUOTE.match(line) is not None or (one and run) for line, one, run in zip(lines, maybe, beside, strict=True)
    ]


def _attributions(lines: list[str], quoted: list[bool]) -> list[bool]:
    """Lines such as `In article <…> x@y (Name) writes:`, which may wrap: they name the author that is answered."""
    found = [False] * len(lines)
    for place, line in enumerate(lines):
        if quoted[place] or not line.strip():
            continue
        source, says = _SOURCE.match(line) is not None, _SAYS.search(line) is not None
        if source:
            found[place] = True
            follows = place + 1
            if not says and follows < len(lines) and _SAYS.search(lines[follows]):
                found[follows] = True
        elif says and (_PLACE.search(line) or _is_before_quote(place, lines, quoted)):
            found[place] = True
            if place and "@" in lines[place - 1]:
                found[place - 1] = True
    return found


def _is_before_quote(place: int, lines: list[str], quoted: list[bool]) -> bool:
    after = next((n for n in range(place + 1, len(lines)) if lines[n].strip()), None)
    return after is not None and quoted[after]
