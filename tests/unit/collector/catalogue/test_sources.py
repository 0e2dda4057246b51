"""The catalogue's lists of what a check on a host may read and run are those of the executors."""

from __future__ import annotations

from services.collector.catalogue.schema import SOURCES
from services.collector.executors.host import proc


def test_each_source_of_the_catalogue_has_its_reader() -> None:
    """A check can name exactly the sources that the executor of hosts reads."""
    assert set(SOURCES) == proc.SOURCES.keys()
