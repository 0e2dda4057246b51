"""The things of a system that people want to see: `looks/*.yaml` has what they are called and the way to each.

A thing `is` something in words and has names in both languages (`en`, `zh`). Its way in a database or on a platform is
a statement (`run`; of `kind` sh where it is a command) or is only told; `until` has the statement of versions before
another one, `who` may run it (`who.yaml`), and `en`, `zh` how the output is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from services.planner.model import NamedObject, Text
from services.planner.understand.text.word_lists import listed
from services.planner.ways.named_by import Names, names_of

_FOLDER = Path(__file__).with_name("looks")
_WHO = Path(__file__).with_name("who.yaml")
# The kind of what is kept of it.
PLATFORM = "platform"
RDS, CLOUD = "rds", "cloud"
_PLATFORMS = {name: listed(f"ways.on_{name}") for name in (RDS, CLOUD)}


class Way(NamedTuple):
    """How a thing is seen: a statement or command, before which version which, who may run it, and how it is read."""

    run: str
    kind: str
    until: Mapping[str, str]
    who: str
    read: Text
    told: Text


class Look(NamedTuple):
    """A thing that people want to see, in words, with the way to it by database and by platform."""

    key: str
    is_: Text
    names: Names
    ways: Mapping[str, Way]


@cache
def looks() -> Mapping[str, Look]:
    """All things by their keys, in the order of files and lines."""
    found: dict[str, Look] = {}
    for path in sorted(_FOLDER.glob("*.yaml")):
        for key, each in yaml.load(path.read_bytes(), yaml.CSafeLoader).items():
            ways = {place: _way(way) for place, way in each.items() if place not in ("is", "en", "zh")}
            found[key] = Look(key, Text(**each["is"]), names_of(*each["en"], *each["zh"]), ways)
    return found


def _way(each: Mapping[str, Any]) -> Way:
    until = {str(version): str(run) for version, run in each.get("until", {}).items()}
    told, read = Text(**each.get("told", {})), Text(en=each.get("en", ""), zh=each.get("zh", ""))
    return Way(each.get("run", ""), each.get("kind", "sql"), until, each.get("who", "any"), read, told)


@cache
def who_may() -> Mapping[str, Text]:
    """Who may look, in words, by the names that ways use."""
    return {name: Text(**text) for name, text in yaml.load(_WHO.read_bytes(), yaml.CSafeLoader).items()}


def way_to(look: Look, engine: str, platform: str) -> Way | None:
    """The way to a thing: that of the platform where it has one of its own, else that of the database."""
    places = (platform, "cloud") if platform else ()
    return next((look.ways[each] for each in (*places, engine) if each in look.ways), None)


def platform_in(said: str) -> Iterator[NamedObject]:
    """The platform that a message names."""
    yield from (NamedObject(PLATFORM, name, said=True) for name, words in _PLATFORMS.items() if words.search(said))
