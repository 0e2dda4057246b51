"""Many small cases in one test: a test of its own costs more than most of them."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from tests.support.examples import one_in

_SHOWN = 5
Ids = Sequence[str] | Callable[[Any], object] | None
Case = tuple[str, dict[str, Any]]
Test = Callable[..., Any]


def for_each(
    names: str | Sequence[str], values: Iterable[Any], ids: Ids = None, every: int = 1
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, in one test: all cases are tried, and each that fails is named.

    For tests whose fixtures no case changes. every: of so many cases `make test` tries one.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = [_case(wanted, each, ids, place) for place, each in enumerate(values)][:: one_in(every)]
    assert listed, "no cases"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in wanted]
        assert len(left) + len(wanted) == len(signature.parameters), f"{test.__name__} does not take {wanted}"
        wrap = _in_turn if asyncio.iscoroutinefunction(test) else _one_by_one
        try_all = functools.wraps(test)(wrap(test, listed))
        try_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return try_all

    return decorate


def _one_by_one(test: Test, listed: list[Case]) -> Test:
    def try_all(**fixtures: Any) -> None:
        failures = _Failures(len(listed))
        for name, given in listed:
            with failures.of(name):
                test(**fixtures, **given)
        failures.tell()

    return try_all


def _in_turn(test: Test, listed: list[Case]) -> Test:
    async def try_all(**fixtures: Any) -> None:
        failures = _Failures(len(listed))
        for name, given in listed:
            with failures.of(name):
                await test(**fixtures, **given)
        failures.tell()

    return try_all


class _Failures:
    """The cases that failed."""

    def __init__(self, cases: int) -> None:
        self._cases = cases
        self._errors: dict[str, Exception] = {}

    def of(self, name: str) -> _Kept:
        return _Kept(name, self._errors)

    def tell(self) -> None:
        """Fails where a case did, with all of their names and the first few errors."""
        if self._errors:
            told = f"{len(self._errors)} of {self._cases} cases failed: {'; '.join(self._errors)}"
            raise ExceptionGroup(told, list(self._errors.values())[:_SHOWN])


class _Kept:
    """Keeps the failure of a case for later."""

    def __init__(self, name: str, errors: dict[str, Exception]) -> None:
        self._name, self._errors = name, errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, Exception | pytest.fail.Exception):
            return False
        kept = error if isinstance(error, Exception) else AssertionError(str(error))
        kept.add_note(f"case: {self._name}")
        self._errors[self._name] = kept
        return True


def _case(wanted: list[str], given: Any, ids: Ids, place: int) -> Case:
    """The name of a case and its arguments."""
    name = None
    if isinstance(given, ParameterSet):
        assert not given.marks, "a case has no marks of its own"
        name, given = given.id, given.values if len(wanted) > 1 else given.values[0]
    several = tuple(given) if len(wanted) > 1 else (given,)
    if name is None:
        name = _named(several, ids, place)
    return str(name), dict(zip(wanted, several, strict=True))


def _named(several: tuple[Any, ...], ids: Ids, place: int) -> str:
    if ids is None:
        return ", ".join(map(repr, several))
    if callable(ids):
        return "-".join(str(ids(each)) for each in several)
    return ids[place]
