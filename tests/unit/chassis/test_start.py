from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from services.chassis.server import pause_garbage_collection


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_garbage_is_searched_for_once_a_start_is_over() -> None:
    """While a process starts nothing is searched for garbage; from then on all is that is new."""
    with pause_garbage_collection() as sweep:
        assert not gc.isenabled()
        sweep()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0


def test_a_start_that_fails_leaves_the_search_as_it_was() -> None:
    """A start that was broken off does not leave a process that keeps its garbage."""
    with pytest.raises(ZeroDivisionError), pause_garbage_collection():
        raise ZeroDivisionError
    assert gc.isenabled()
