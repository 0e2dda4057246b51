"""Data that several tests of the analyst ask about."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.data.game_flow import write
from tests.support.running.forked_children import forking


@pytest.fixture(scope="package", autouse=True)
def forked_children() -> Iterator[None]:
    """The analyst's children are forked; tests/integration/test_ask.py starts them as dbdiag does."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "create_subprocess_exec", forking(asyncio.create_subprocess_exec))
        yield


@pytest.fixture(scope="session")
def games_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games company's data, written once."""
    return write(tmp_path_factory.mktemp("games") / "games.duckdb")
