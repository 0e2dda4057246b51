"""Cases that share a test are as good as tests of their own."""

from __future__ import annotations

import pytest

from tests.support.cases import for_each


def test_every_case_is_tried_and_each_that_fails_is_named() -> None:
    """A case that fails keeps no other from being tried; the failure names those that failed, by value or by id."""
    tried = []

    @for_each("letter", [pytest.param("a", id="first"), "b"])
    @for_each(("number", "most"), [(1, 2), (3, 2), (5, 4)])
    def check(letter: str, number: int, most: int) -> None:
        tried.append((letter, number))
        assert letter != "b" or number <= most

    with pytest.raises(ExceptionGroup) as raised:
        check()
    assert tried == [(letter, number) for letter in "ab" for number in (1, 3, 5)]
    assert "1 of 2 cases failed: 'b'" in str(raised.value)
    assert "2 of 3 cases failed: 3, 2; 5, 4" in str(raised.value.exceptions[0])


def test_what_a_test_does_not_take_is_refused() -> None:
    """A name that the test does not take, or no case at all, is a mistake at once."""
    with pytest.raises(AssertionError):
        for_each("other", [1])(lambda letter: None)
    with pytest.raises(AssertionError):
        for_each("letter", [])
