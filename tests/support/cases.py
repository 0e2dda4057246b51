"""Many small cases in one test: a test of its own costs more than most of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

_SHOWN = 5
Ids = Sequence[str] | Callable[[Any], object] | None
Case = tuple[str, dict[str, Any]]


def for_each(
    names: str | Sequence[str], values: Iterable[Any], ids: Ids = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test: all cases are tried, and each that fails is named.

    For tests whose fixtures no case changes.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = [_case(wanted, each, ids, place) for place, each in enumerate(values)]
    assert listed, "no cases"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def try_all(**fixtures: Any) -> None:
            failed = [(name, error) for name, given in listed if (error := _failure(test, fixtures | given))]
            for name, error in failed:
                error.add_note(f"case: {name}")
            if failed:
                told = "; ".join(name for name, _ in failed)
                raise ExceptionGroup(f"{len(failed)} of {len(listed)} cases failed: {told}", _shown(failed))

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in wanted]
        assert len(left) + len(wanted) == len(signature.parameters), f"{test.__name__} does not take {wanted}"
        try_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return try_all

    return decorate


def _shown(failed: list[tuple[str, Exception]]) -> list[Exception]:
    return [error for _, error in failed[:_SHOWN]]


def _failure(test: Callable[..., None], arguments: dict[str, Any]) -> Exception | None:
    try:
        test(**arguments)
    except pytest.fail.Exception as failure:
        return AssertionError(str(failure))
    except Exception as error:
        return error
    return None


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
