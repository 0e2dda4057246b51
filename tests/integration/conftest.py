"""A running dbdiag, in one process and as separate processes: the same cases hold for both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.processes import Running, embedded, separate

_WAYS = {"embedded": embedded, "separate": separate}


@pytest.fixture(scope="session", params=sorted(_WAYS))
def dbdiag(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One dbdiag for all tests that do not break it."""
    with _WAYS[request.param](tmp_path_factory.mktemp(request.param)) as running:
        yield running
