"""Whether words about something done before say that the trouble began with it, or are only a remark."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from re import Pattern

import yaml

from lang import deferred_re as re

_FILE = Path(__file__).with_name("beginnings.yaml")
_SENTENCE_END = re.compile("[.。!！?？;；\n](?=\\s|$|[^\\x00-\\x7f])")
# What the trouble began with is told in the same sentence, or in the next one.
_SENTENCES = 2


def says_it_began(message: str, words: str) -> bool:
    """True if words about a thing, or what follows them, say that the trouble began with it."""
    told = _told_of(message, words)
    return bool(_pattern("began").search(told)) and not _pattern("not_began").search(told)


def is_remark(words: str) -> bool:
    """True if words only say what somebody thinks of a kind of thing, or of what was said: "I hate migrations"."""
    return _pattern("remark").search(words) is not None


def _told_of(message: str, words: str) -> str:
    """The words and the rest of their sentence, with the next one."""
    start = max(message.find(words), 0)
    ends = [each.end() for each in _SENTENCE_END.finditer(message, start + len(words))]
    return message[start : ends[:_SENTENCES][-1] if len(ends) >= _SENTENCES else len(message)]


@cache
def _pattern(name: str) -> Pattern[str]:
    return re.compile("(?i)" + "|".join(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)[name]))
