"""The states, wait events and commands that views of a server show, and what they mean: a glossary in YAML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from lang import deferred_re as re
from services.planner.model import Text

_FILES = {each: Path(__file__).with_name(f"states.{each}.yaml") for each in ("postgresql", "mysql")}
# What is written in more than one word, or in two cases, is no plain word.
_OWN = re.compile(r"[ _]|[a-z][A-Z]|[A-Z]{2}")


class State(NamedTuple):
    """A state: the columns that show it, how it is written, what it means."""

    state_id: str
    columns: tuple[str, ...]
    words: tuple[str, ...]
    text: Text


class Seen(NamedTuple):
    """A state in a text: as it is written there, and where."""

    state: State
    words: str
    at: int


@cache
def states(engine: str) -> tuple[State, ...]:
    """The states of an engine; of all where there are none of that name."""
    files = [_FILES[engine]] if engine in _FILES else [*_FILES.values()]
    entries = [item for each in files for item in yaml.load(each.read_bytes(), yaml.CSafeLoader).items()]
    return tuple(
        State(name, tuple(each["columns"]), tuple(each["words"]), Text(each["zh"], each["en"]))
        for name, each in entries
    )


def state_named(state_id: str) -> State | None:
    """The state with this id."""
    return next((each for name in _FILES for each in states(name) if each.state_id == state_id), None)


def states_in(text: str, engine: str, shown: str = "") -> list[Seen]:
    """The states that a text names, in its order, the longest name of a place.

    shown: outputs of the case; a plain word is the name of a state only where these have it, or the text its column.
    """
    found: list[Seen] = []
    for state in states(engine):
        for words in state.words:
            for match in _word(words).finditer(text):
                if _OWN.search(words) or _is_of_column(state, text, match[0], shown):
                    found.append(Seen(state, match[0], match.start()))
    longest = sorted(found, key=lambda each: (each.at, -len(each.words)))
    return [each for place, each in enumerate(longest) if not any(_covers(other, each) for other in longest[:place])]


def _covers(one: Seen, other: Seen) -> bool:
    return one.at <= other.at and other.at + len(other.words) <= one.at + len(one.words)


def _is_of_column(state: State, text: str, words: str, shown: str) -> bool:
    named = any(each in text.lower() for each in state.columns if "_" in each)
    return named or _word(words).search(shown) is not None


@cache
def _word(words: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(each) for each in words.split())
    flags = re.ASCII if words[0].isupper() and not _OWN.search(words) else re.ASCII | re.IGNORECASE
    return re.compile(rf"(?<![\w.`-]){spaced}(?![\w-])|(?<=`){spaced}(?=`)", flags)
