"""Laws of the expression language: what is not known decides nothing, and sizes and intervals are numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.expressions import NotInLanguage, Reads, Row, Scope, Value, parse
from tests.support.cases import for_each

VALUES = st.one_of(st.none(), st.integers(-50, 50).map(float), st.booleans())
TRUTHS = (True, False, None)


def row(**cells: Value) -> Row:
    return cells


def value_of(text: str, *reads: tuple[Row, ...], elapsed: float = 0.0, key: tuple[str, ...] = ()) -> Value:
    return parse(text).value(Scope.of(Reads(reads, elapsed, key), {}))


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_any_is_never_certain_beyond_what_the_known_rows_say(values: list[Value]) -> None:
    """`any` is true with one true row, unknown with an unknown one beside false ones, else false; `all` is its dual."""
    rows = tuple(row(v=value) for value in values)
    held = [None if value is None else float(value) > 0 for value in values]
    expected = True if True in held else None if None in held else False
    assert value_of("any(v > 0)", rows) is expected
    assert value_of("not all(not v > 0)", rows) is expected


@for_each("left", TRUTHS)
@for_each("right", TRUTHS)
def test_and_is_the_dual_of_or(left: Value, right: Value) -> None:
    """De Morgan holds for the unknown too."""
    cells = row(a=left, b=right)
    assert value_of("a and b", (cells,)) == value_of("not (not a or not b)", (cells,))


def test_no_rows_hold_for_all_and_for_none() -> None:
    """Over no rows `any` is false and `all` true."""
    assert value_of("any(v > 0)", ()) is False
    assert value_of("all(v > 0)", ()) is True


@for_each(
    ("text", "expected"),
    [
        ("1 GB", 1024.0**3),
        ("1.5 kB", 1536.0),
        ("5 min", 300.0),
        ("10 ms", 0.01),
        ("2 h + 1 d", 93600.0),
        ("'1 GB'", "1 GB"),
    ],
)
def test_sizes_and_intervals_are_bytes_and_seconds(text: str, expected: Value) -> None:
    """A number with a unit is in the base unit; in quotes it stays a text."""
    assert value_of(text) == expected


def test_a_text_is_never_more_than_a_number() -> None:
    """Comparing a text with `>` is unknown, so it can neither confirm nor deny."""
    assert value_of("any(v > 5)", (row(v="many"),)) is None


def test_absent_tells_an_empty_column_from_a_missing_one() -> None:
    """A column without a value is absent; one that the output does not have is unknown."""
    assert value_of("absent(v)", (row(v=None),)) is True
    assert value_of("absent(v)", (row(v=1.0),)) is False
    assert value_of("absent(v)", (row(w=1.0),)) is None


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.floats(1, 1e4))
def test_a_rise_needs_two_reads_and_a_rate_their_distance(first: int, second: int, elapsed: float) -> None:
    """`rise` is the difference of the same row, unknown with one read; `elapsed` is unknown without a distance."""
    now, then = (row(k="a", v=float(second)),), (row(k="a", v=float(first)),)
    assert value_of("any(rise(v) > 0)", now, key=("k",)) is None
    assert value_of("rise(v)", then, now, key=("k",)) == second - first
    assert value_of("elapsed()", then, now, key=("k",)) is None
    assert value_of("elapsed()", then, now, elapsed=elapsed, key=("k",)) == elapsed


def test_names_compared_with_texts_are_listed() -> None:
    """A cell that is compared with a text must not be read as a number or a truth before."""
    assert parse("any(kind == 't' or size > 1 GB) and has(line, 'x')").texts == {"kind", "line"}


@for_each("text", ["import os", "a.b", "f(x)", "x[0]", "lambda: 1", "1 +", "b'1'"])
def test_everything_else_is_refused(text: str) -> None:
    """A text outside the language is an error that names its problem."""
    with pytest.raises(NotInLanguage):
        parse(text)
