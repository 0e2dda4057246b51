"""Sizes of directories that are told by their path: "705G /data/pg_wal", "/data/pg_wal is 705 GB"."""

from __future__ import annotations

from re import Match

from lang import deferred_re as re
from lang.cues import word_set

_SIZE = r"\d[\d.]*\s?[KMGTP](?:i?B)?\b"
_PATH = r"(?<![\w/])(?P<{0}>(?:/[\w.-]+)*/)(?=pg_wal\b|pg_xlog\b|pgsql_tmp\b)"
_AFTER = re.compile(rf"{_SIZE}\s+(?:(?:in|at|of|for|under)\s+)?{_PATH.format('path')}", re.IGNORECASE)
_BEFORE = re.compile(
    rf"{_PATH.format('path')}\w+\s*(?:is|has|holds|takes|:|=|有|是|占)?\s*(?=(?:at\s+)?{_SIZE})", re.IGNORECASE
)


def name_directories(said: str) -> str:
    """The text, as long as before, with the directories of a server that have a size by their own names alone."""
    for form in (_AFTER, _BEFORE):
        said = form.sub(lambda found: _without_path(found), said)
    return said


def tells_contents(name: str) -> bool:
    """False for a directory whose size tells nothing of what it is named after: one of slots holds no WAL."""
    return word_set("bookkeeping").isdisjoint(name.lower().split("_"))


def _without_path(found: Match[str]) -> str:
    first, last = found.start("path") - found.start(), found.end("path") - found.start()
    return found[0][:first] + " " * (last - first) + found[0][last:]
