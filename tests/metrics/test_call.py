"""Call syntax: what is printed parses back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.call import Call, CallSyntaxError, parse_call, split_list

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)


@given(NAMES, st.dictionaries(NAMES, VALUES, max_size=4))
def test_the_canonical_text_parses_back(name: str, parameters: dict) -> None:
    call = Call(name, parameters)
    assert parse_call(str(call)) == call
    assert str(parse_call(str(call))) == str(call)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("spgk", {}),
        ("spgk()", {}),
        ("spgk(d=2)", {"d": 2}),
        (" mkl_ssad( p = 3.1623 , kernel=bow ) ", {"p": 3.1623, "kernel": "bow"}),
        ("mkl_ssad(p=inf)", {"p": float("inf")}),
        ("x(a='b,c', d=(1, 2))", {"a": "b,c", "d": (1, 2)}),
        ("x(flag=true, none=None)", {"flag": True, "none": None}),
    ],
)
def test_what_people_write(text: str, parameters: dict) -> None:
    assert parse_call(text).parameters == parameters


@pytest.mark.parametrize("text", ["", "2x", "x(", "x(1)", "x(a=)", "x(a=1,a=2)", "x(a=b c)", "x y"])
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(CallSyntaxError):
        parse_call(text)


def test_lists_split_outside_brackets_and_quotes() -> None:
    assert split_list("a(x=1,y=2), b ,, c(z='p,q')") == ["a(x=1,y=2)", "b", "c(z='p,q')"]
