"""One house for all conversations of a worker that do not change it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.talks import House, house


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with the shipped library, and nothing to look at."""
    with house(tmp_path_factory.mktemp("house")) as opened:
        yield opened
