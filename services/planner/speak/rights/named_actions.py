"""The actions that words name, with those that have a name only beside another: "drop the slot or cap it"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lang import deferred_re as re
from services.planner.treatment.actions import actions_in

_FILE = Path(__file__).with_name("comparison.yaml")


@cache
def _content() -> Mapping[str, Any]:
    content: Mapping[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return content


@cache
def _names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((action, _any_of(words)) for action, words in _content()["names"].items())


def _any_of(words: list[str]) -> re.Pattern[str]:
    parts = (rf"(?<![a-z_]){re.escape(each)}(?![a-z_])" for each in words)
    return re.compile("|".join(parts), re.IGNORECASE)


def named_in(words: str) -> tuple[str, ...]:
    """The names of the actions that words name, each once."""
    own = [action for action, pattern in _names() if pattern.search(words)]
    if "kill_os" in own:
        return (*own, *(each for each in actions_in(words) if each != "terminate"))
    return tuple(dict.fromkeys((*own, *actions_in(words))))


def weight_of(action: str) -> int:
    """How much is at stake by an action alone, from 0 (nothing is lost) to 4 (never)."""
    weights: Mapping[int, list[str]] = _content()["weights"]
    return next((int(weight) for weight, actions in weights.items() if action in actions), 2)
