"""How much a property is tried with: everything beside the slow tests, a part of it in `make test`."""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

_FULL, _FAST = 100, 25
_FEWEST = 5


def load_profile(slow_tests_run: bool) -> None:
    """Loads hypothesis' settings for the run; what is drawn is the same each time."""
    if not slow_tests_run:
        _draw_nothing_from_the_code()
    full = hypothesis.settings.get_profile("ci")
    hypothesis.settings.register_profile("full", full, max_examples=_FULL)
    hypothesis.settings.register_profile("fast", full, max_examples=_FAST)
    hypothesis.settings.load_profile("full" if slow_tests_run else "fast")


def _draw_nothing_from_the_code() -> None:
    """Keeps hypothesis from parsing the code for constants to try.

    That took two seconds in each worker, and made what is drawn depend on the modules that others had imported.
    """
    assert hasattr(providers, "is_local_module_file")
    providers.is_local_module_file = lambda path: False


def examples(full: int) -> int:
    """`full` where the slow tests run, else a quarter of it; at least five either way. Use: `max_examples=...`."""
    return max(min(full, _FEWEST), full * hypothesis.settings().max_examples // _FULL)


def one_in(fast: int) -> int:
    """The step of a slice over cases: `fast` in `make test`, 1 beside the slow tests."""
    return 1 if hypothesis.settings().max_examples == _FULL else fast


def every(fast: int) -> pytest.MarkDecorator:
    """Gives a test `every`, the step of a slice over its inputs: `fast` in `make test`, 1 beside the slow tests."""
    return pytest.mark.parametrize("every", [fast, pytest.param(1, marks=pytest.mark.slow)])
