"""Messages for people: a key and its details, rendered from the tables `messages.yaml` of the rooms.

A table maps each key to its text in every language; `{name}` in a text is replaced by the detail of that name. Keys are
unique over all tables. A key is `<reason>` or `<reason>.<variant>`; the reason is the stable, machine-readable part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]
Detail: TypeAlias = "str | int | float | tuple[Detail, ...] | Message"

_HOUSE = Path(__file__).parents[2]
_TABLES = ("services/*/messages.yaml", "*/messages.yaml")
_KEY = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")
_JOINED = {"en": ", ", "zh": "、"}
_EMPTY = {"en": "none", "zh": "无"}


@dataclass(frozen=True)
class Message:
    """A text for a person, not yet in any language.

    A detail is a text, a number, a tuple of details (joined), or another message (rendered in the same language).
    """

    key: str
    details: Mapping[str, Detail] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The part of the key that callers may rely on."""
        return self.key.partition(".")[0]

    def text(self, language: str = "en") -> str:
        """The message in a language; English where the table has no such language."""
        texts = table().get(self.key)
        if texts is None:
            return self._bare()
        wanted: Language = "zh" if language == "zh" else "en"
        return texts[wanted].format_map({name: _shown(value, wanted) for name, value in self.details.items()})

    def _bare(self) -> str:
        """A message of a newer peer, whose key this build does not know."""
        return " ".join([self.key, *(f"{name}={_shown(value, 'en')}" for name, value in self.details.items())])


def is_key(text: str) -> bool:
    """True if a text has the form of a key."""
    return _KEY.fullmatch(text) is not None


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """All texts: key -> language -> text. Raises ValueError if two tables have the same key."""
    import yaml

    found: dict[str, Mapping[str, str]] = {}
    for path in sorted({path for pattern in _TABLES for path in _HOUSE.glob(pattern)}):
        entries: dict[str, Mapping[str, str]] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) or {}
        twice = sorted(entries.keys() & found.keys())
        if twice:
            raise ValueError(f"reading {path}: {', '.join(twice)} is in another table as well")
        found |= entries
    return found


def map_texts(message: Message, change: Callable[[str], str]) -> Message:
    """The message with each text among its details changed, as redaction does."""
    return Message(message.key, {name: _changed(value, change) for name, value in message.details.items()})


def to_plain(message: Message) -> dict[str, Any]:
    """A message as JSON data: `{"key", "details"}`, nested messages likewise."""
    return {"key": message.key, "details": {name: _plain(value) for name, value in message.details.items()}}


def from_plain(data: Mapping[str, Any]) -> Message:
    """The message of `to_plain`. Raises KeyError or TypeError for other data."""
    return Message(data["key"], {name: _detail(value) for name, value in data["details"].items()})


def _shown(value: Detail, language: Language) -> str:
    if isinstance(value, Message):
        return value.text(language)
    if isinstance(value, tuple):
        return _JOINED[language].join(_shown(item, language) for item in value) or _EMPTY[language]
    return str(value)


def _changed(value: Detail, change: Callable[[str], str]) -> Detail:
    if isinstance(value, Message):
        return map_texts(value, change)
    if isinstance(value, tuple):
        return tuple(_changed(item, change) for item in value)
    return change(value) if isinstance(value, str) else value


def _plain(value: Detail) -> Any:
    if isinstance(value, Message):
        return to_plain(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _detail(value: Any) -> Detail:
    if isinstance(value, Mapping):
        return from_plain(value)
    return tuple(_detail(item) for item in value) if isinstance(value, list) else value
