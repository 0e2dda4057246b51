"""The form of a question: what kind of answer it wants, and of what it asks for a restart."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from services.planner.understand.text.messages import read

_FILE = Path(__file__).with_name("forms.yaml")
_MARKS = ("?", "？")
_RESTART, _PROTESTS, _BARE = "restart", "protests", "bare"


class Form(StrEnum):
    """What a question wants to know of what it is about."""

    LONG = "long"
    MUCH = "much"
    WHY = "why"
    HOW = "how"
    WHICH = "which"
    WHETHER = "whether"
    WHAT = "what"


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    listed: Mapping[str, list[str]] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return {name: re.compile("|".join(f"(?:{each})" for each in parts)) for name, parts in listed.items()}


def forms_of(words: str) -> frozenset[Form]:
    """The forms in which words ask; empty where they ask in none that is known. A mark alone wants a yes or a no."""
    return forms_worded(words) or frozenset([Form.WHETHER] if words.rstrip().endswith(_MARKS) else ())


@lru_cache(maxsize=4096)
def forms_worded(words: str) -> frozenset[Form]:
    """The forms in which words ask by more than a mark."""
    said = read(words).normal
    return frozenset(form for form in Form if _patterns()[form].search(said))


def agree(asked: frozenset[Form], known: frozenset[Form]) -> bool:
    """Whether an answer to a question in one of the known forms may be one to what is asked.

    What is asked in no known form agrees with all; so does a bare "what". What is lost answers whether anything is.
    """
    wanted = asked | {Form.WHAT} if Form.WHETHER in asked else asked
    return asked <= {Form.WHAT} or not known or bool(wanted & known)


@lru_cache(maxsize=4096)
def restarted(words: str) -> frozenset[str]:
    """What words would restart, as kinds of thing; empty where they name no restart, or none of anything."""
    said = read(words).normal
    if not _patterns()[_RESTART].search(said):
        return frozenset()
    kinds = (name for name in _patterns() if name.startswith(f"{_RESTART}_"))
    return frozenset(name for name in kinds if _patterns()[name].search(said))


def is_bare(words: str) -> bool:
    """Whether words only want the answer to another question in a word: "yes or no?"."""
    return _patterns()[_BARE].search(words.lower()) is not None


def protests(words: str) -> bool:
    """Whether words that look like a question object to what was said, or quote it, and want no answer."""
    return _patterns()[_PROTESTS].search(words.lower()) is not None
