"""Words around an output by which it is told apart; the lists are data, `marks.yaml` says what each is for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import yaml


class Marks(NamedTuple):
    """The lists of `marks.yaml`, in lower case."""

    foreign: tuple[str, ...]
    now: tuple[str, ...]
    cannot_tell: tuple[str, ...]
    firing: tuple[str, ...]
    resolved: tuple[str, ...]
    value: tuple[str, ...]
    beside: tuple[str, ...]
    commands: tuple[str, ...]


def _load() -> Marks:
    found = yaml.load(Path(__file__).with_name("marks.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return Marks(**{name: tuple(found[name]) for name in Marks._fields})


MARKS = _load()


def has_mark(words: str, marks: Iterable[str]) -> bool:
    """True if one of the marks stands in the words, in whatever case."""
    said = words.lower()
    return any(mark in said for mark in marks)
