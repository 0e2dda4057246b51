"""Patterns that people's words are found by, in a YAML file beside the module that reads them.

An entry is a pattern, or a list of its alternatives, in which «name» stands for another entry of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from lang.deferred_re import Deferred

_PART = re.compile("«(\\w+)»")


class Listed(Deferred):
    """A pattern whose text is read at its first use."""

    def __init__(self, text: Callable[[], str], flags: int = 0) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name == "pattern":
            self.pattern = self._text()
            return self.pattern
        return super().__getattr__(name)


class Lists:
    """The patterns of one file. Raises KeyError at the first use of one that it lacks."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pattern(self, name: str, flags: int = 0) -> re.Pattern[str]:
        """The pattern of an entry."""
        return cast("re.Pattern[str]", Listed(lambda: self.text(name), flags))

    def text(self, name: str) -> str:
        """The text of the pattern of an entry."""
        return joined(read_yaml(self._path), name)


def lists_beside(module: str) -> Lists:
    """The patterns of the file that has the name of this module."""
    return Lists(Path(module).with_suffix(".yaml"))


def joined(entries: dict[str, Any], name: str) -> str:
    """The pattern of an entry, with the other entries that it names."""
    listed = entries[name]
    text = listed if isinstance(listed, str) else "|".join(listed)
    return _PART.sub(lambda found: joined(entries, found[1]), text)


@cache
def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file of the package, read once."""
    return dict(yaml.load(path.read_bytes(), yaml.CSafeLoader))
