"""The platform that a message says the database runs on."""

from __future__ import annotations

from collections.abc import Iterator

from services.planner.model import NamedObject
from services.planner.understand.text.word_lists import listed

# The kind of what is kept of it.
PLATFORM = "platform"
RDS, CLOUD = "rds", "cloud"
_PLATFORMS = {name: listed(f"ways.on_{name}") for name in (RDS, CLOUD)}


def platform_in(said: str) -> Iterator[NamedObject]:
    """The platform that a message names."""
    yield from (NamedObject(PLATFORM, name, said=True) for name, words in _PLATFORMS.items() if words.search(said))
