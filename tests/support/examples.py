"""How many examples a property is tried with: all of them beside the slow tests, a quarter in `make test`."""

from __future__ import annotations

import hypothesis

_FULL, _FAST = 100, 25
_FEWEST = 10


def load_profile(slow_tests_run: bool) -> None:
    """Loads hypothesis' settings for the run; what is drawn is the same each time."""
    full = hypothesis.settings.get_profile("ci")
    hypothesis.settings.register_profile("full", full, max_examples=_FULL)
    hypothesis.settings.register_profile("fast", full, max_examples=_FAST)
    hypothesis.settings.load_profile("full" if slow_tests_run else "fast")


def examples(full: int) -> int:
    """`full` where the slow tests run, else a quarter of it; at least ten either way. Use: `max_examples=...`."""
    return max(min(full, _FEWEST), full * hypothesis.settings().max_examples // _FULL)
