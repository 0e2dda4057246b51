"""How much code a plain turn passes through stays within what `tests/benchmarks/turn_trace.py` allows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.benchmarks.turn_trace import FLOORS, traced


@pytest.mark.slow
def test_a_plain_turn_passes_few_files_and_calls() -> None:
    """Files, changes of file, the share of calls that convert, and the calls of services are within their limits."""
    figures: dict[str, Any] = traced().figures()
    found = {**figures, "rpcs": sum(figures["rpcs"].values())}
    assert {name: found[name] for name, most in FLOORS.items() if found[name] > most} == {}
    assert figures["rpcs"] == {"Decide": 1, "Diagnose": 1, "Respond": 1}
