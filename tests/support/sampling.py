"""Which cases of a parametrised test `make test` runs: each costs a conversation, a server or much reading."""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Iterable

import pytest

# Of so many cases one is in `make test`; of every test at least one.
_CASES_FOR_ONE = 4
_READING = ("analyst", "engine", "gateway", "knowledge", "lang", "matcher", "planner")
_SAMPLED_FOLDERS = ("tests/integration/", *(f"tests/unit/{room}/" for room in _READING))


def leave_most_cases_to_slow(items: Iterable[pytest.Item]) -> None:
    """Marks as slow what is not in the sample of its test; the sample depends on the names of the cases only."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if _is_sampled(item) and item.get_closest_marker("slow") is None:
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        cases.sort(key=lambda case: zlib.crc32(case.nodeid.encode()))
        for case in cases[math.ceil(len(cases) / _CASES_FOR_ONE) :]:
            case.add_marker(pytest.mark.slow)


def _is_sampled(item: pytest.Item) -> bool:
    return item.nodeid.startswith(_SAMPLED_FOLDERS) or item.get_closest_marker("sampled") is not None
