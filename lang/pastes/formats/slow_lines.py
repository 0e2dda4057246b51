"""The lines by which servers and applications log a statement that took long: how long, and the statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.pastes.durations import duration_in

# Where a statement begins, and what follows it in a log entry.
_STATEMENT = re.compile(
    r"\b(?:select\s[\s\S]*?\bfrom\s|update\s+\S+\s[\s\S]*?\bset\s|insert\s+into\s|delete\s+from\s|with\s+\w+\s+as\s*\()",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\n\s*(?:\S.*?(?:DETAIL|详细信息|描述)[:：]|[A-Z][\w ]+\(cost=)[\s\S]*|['\"]\s*$|\s+\[params.*$")
# So much may stand before a statement in a line that only reports how long it took.
_LONGEST_HEAD, _MOST_WORDS = 80, 8
_WORD = re.compile(r"[^\W\d_]+")
_STOPS = (",", "，", "。", "；")


class Slow(NamedTuple):
    """A statement and how long it took, as text."""

    duration: str = ""
    query: str = ""


NOT_SLOW = Slow()


def slow_entry(entry: Sequence[str]) -> Slow:
    """The statement that an entry of a log reports as slow, with how long it took; empty for another entry."""
    text = "\n".join(entry)
    found = _STATEMENT.search(text)
    took = duration_in(text[: found.start()]) if found else ""
    return Slow(took, " ".join(_AFTER.sub("", text[found.start() :]).split())) if found and took else NOT_SLOW


def slow_line(line: str) -> Slow:
    """The same of a line without a time, which begins with hardly more than how long a statement took."""
    found = _STATEMENT.search(line)
    head = line[: found.start()] if found else ""
    plain = len(head) <= _LONGEST_HEAD and not any(stop in head for stop in _STOPS)
    return slow_entry((line,)) if head and plain and len(_WORD.findall(head)) <= _MOST_WORDS else NOT_SLOW
