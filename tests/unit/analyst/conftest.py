"""Data that several tests of the analyst ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.game_flow import write


@pytest.fixture(scope="session")
def games_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games company's data, written once."""
    return write(tmp_path_factory.mktemp("games") / "games.duckdb")
