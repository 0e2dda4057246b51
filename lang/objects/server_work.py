"""Sessions of the server itself, by their columns, rows and words: nobody's DDL, whatever stands in the same row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

# The roles under which they are kept.
AUTOVACUUM, SENDER, APPLIER = "autovacuum", "sender", "applier"
# Parts of the names of columns that hold such a session.
_COLUMNS = (("autovacuum_pid", AUTOVACUUM), ("vacuum_pid", AUTOVACUUM), ("walsender", SENDER), ("active_pid", SENDER))
_TYPES = {"autovacuum worker": AUTOVACUUM, "walsender": SENDER}
# The user as which MySQL shows the threads that replay on a replica.
_REPLAYS = "system user"
_AUTOVACUUM = re.compile(r"(?:^|=)\s*autovacuum:", re.IGNORECASE)
_SENDER = re.compile(r"(?:^|=)\s*START_REPLICATION\b", re.IGNORECASE)
# "the autovacuum on events, pid 9120", with no other statement between, and "9120 is the autovacuum".
_BEFORE = _LISTED.pattern("before", re.IGNORECASE)
_AFTER = _LISTED.pattern("after", re.IGNORECASE)


def role_by_column(column: str) -> str:
    """The role of the session in a column or signal of this name; empty if the name tells none."""
    return next((role for part, role in _COLUMNS if part in column.lower()), "")


def role_by_statement(words: str) -> str:
    """The role of a session with this statement, or with these values of one row; empty if they tell none."""
    return AUTOVACUUM if _AUTOVACUUM.search(words) else SENDER if _SENDER.search(words) else ""


def role_by_row(row: Mapping[str, str], statement: str) -> str:
    """The role of the session that a row is about; empty if it tells none."""
    if row.get("usename", "").lower() == _REPLAYS:
        return APPLIER
    return _TYPES.get(row.get("backend_type", "").lower(), "") or role_by_statement(statement)


def workers_said(text: str) -> Iterator[tuple[str, str]]:
    """The sessions that words call an autovacuum or a walsender, with their roles."""
    for found in (*_BEFORE.finditer(text), *_AFTER.finditer(text)):
        yield found["pid"], AUTOVACUUM if found["worker"].lower().startswith("auto") else SENDER
