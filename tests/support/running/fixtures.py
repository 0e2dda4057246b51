"""One running dbdiag of each kind for all tests of a worker that do not break it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.running.processes import Running, embedded, separate


@pytest.fixture(scope="session")
def embedded_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the embedded dbdiag keeps its data and its log."""
    return tmp_path_factory.mktemp("embedded")


@pytest.fixture(scope="session")
def embedded_dbdiag(embedded_folder: Path) -> Iterator[Running]:
    """All in one process, as `dbdiag up` runs it, with the shipped library."""
    with embedded(embedded_folder) as running:
        yield running


@pytest.fixture(scope="session")
def separate_dbdiag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Every service as a process of its own; a test that stops one of them heals it."""
    with separate(tmp_path_factory.mktemp("separate")) as running:
        yield running


@pytest.fixture(
    params=[
        pytest.param("embedded_dbdiag", id="embedded"),
        pytest.param("separate_dbdiag", id="separate", marks=pytest.mark.slow),
    ]
)
def dbdiag(request: pytest.FixtureRequest) -> Running:
    """A running dbdiag, in one process and as separate processes: the same cases hold for both."""
    running: Running = request.getfixturevalue(request.param)
    return running
