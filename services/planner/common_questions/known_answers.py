"""The common questions of the field with their answers, by the keys that their entries have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from services.planner.model import Text

FOLDER = Path(__file__).with_name("entries")


# Files about one engine alone; in the others an entry names the engine that it holds for, if it does not hold for all.
_OF_ENGINE = ("mysql",)


class KnownAnswer(NamedTuple):
    """A common question: its key, how it may be asked, the answer, and the engine, where it is about no other."""

    key: str
    asked: Text
    answer: Text
    engine: str = ""


@cache
def known_answers() -> dict[str, KnownAnswer]:
    """All common questions by their keys, in the order of files and lines."""
    found: dict[str, KnownAnswer] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        for key, entry in yaml.load(path.read_bytes(), yaml.CSafeLoader).items():
            engine = path.stem if path.stem in _OF_ENGINE else entry.get("engine", "")
            found[key] = KnownAnswer(key, Text(**entry["asked"]), Text(**entry["answer"]), engine)
    return found
