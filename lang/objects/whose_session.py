"""Rows about sessions: those of MySQL in the columns by which sessions are known, and whose session it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lang import deferred_re as re

Row = Mapping[str, str]
# What names the session of a row of the process list, and of a list of transactions.
_SESSION = ("processlist_id", "conn_id", "connection_id", "id")
_OF_TRANSACTION = ("trx_mysql_thread_id", "mysql_thread_id", "thread")
_STATEMENT = ("info", "trx_query", "processlist_info", "query")
_USER = ("user", "processlist_user", "usr")
# Seconds since the statement began, or since the last one where the session sleeps.
_AGE = ("time", "processlist_time", "trx_age")
_NOTHING = ("", "null")
_SLEEPS, _PENDING = "sleep", "pending"
# A session that works but waits for a lock says so.
_WAITS = ("waiting for", "lock")
# An object of this kind is what one row tells of a session: "18822>finance>reads", "87455>dev>idle>changed=0".
WHOSE = "whose"
_PARTED, _READS, _IDLE, _NO_ROLE, _CHANGED = ">", "reads", "idle", "-", "changed="
# The rows that the transaction of a session has changed so far.
_ROWS = ("trx_rows_modified", "rows_modified")
# A statement that reads; one that locks rows or calls what ends or changes something is none.
_SELECT = re.compile(r"^\s*(?:/\*.*?\*/\s*)?(?:select|table|values)\b", re.IGNORECASE | re.DOTALL)
_CHANGES = re.compile(r"\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\b(?:insert|delete|nextval|pg_\w+)\b", re.IGNORECASE)
_ROLE = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)


def as_session(row: Row) -> Row:
    """The row of a session or a transaction of MySQL, in common columns; any other row as it is.

    Who has an open transaction and no statement is idle in it, as who sleeps with one is.
    """
    command = _first(row, ("command", "processlist_command")).lower()
    thread = _first(row, _OF_TRANSACTION)
    number = thread or (_first(row, _SESSION) if command or "lock_status" in row else "")
    if not number.isdecimal() or "pid" in row:
        return row
    statement = _first(row, _STATEMENT)
    known = {"pid": number, "query": statement, "usename": _first(row, _USER), "state": _state(row, command, statement)}
    known |= {"age": _clock(_first(row, _AGE))}
    waits = {"wait_event_type": "Lock"} if _waits(row) else {}
    table = {"relation": row["object_name"]} if row.get("object_name") else {}
    others = {name: cell for name, cell in row.items() if name not in (*_STATEMENT, "command")}
    return {**others, **{name: cell for name, cell in known.items() if cell}, **waits, **table}


def _state(row: Row, command: str, statement: str) -> str:
    """What the session does, in the words that states have."""
    if any(name in row for name in _OF_TRANSACTION):
        idle = command == _SLEEPS or (not statement and not command and row.get("trx_state", "RUNNING") == "RUNNING")
        return "idle in transaction" if idle else "active"
    return "idle" if command == _SLEEPS else "active"


def _waits(row: Row) -> bool:
    state = _first(row, ("state", "processlist_state")).lower()
    waits = state.startswith(_WAITS[0]) and state.endswith(_WAITS[1])
    return waits or row.get("trx_state", "") == "LOCK WAIT" or row.get("lock_status", "").lower() == _PENDING


def _clock(seconds: str) -> str:
    """Seconds as a server that prints intervals has them; empty for anything else."""
    if not seconds.isdecimal():
        return ""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{days} days {hours:02}:{minutes:02}:{rest:02}" if days else f"{hours:02}:{minutes:02}:{rest:02}"


def _first(row: Row, names: tuple[str, ...]) -> str:
    """The first of these cells that has something in it."""
    cells = (row.get(name, "").strip() for name in names)
    return next((cell for cell in cells if cell.lower() not in _NOTHING), "")


class Whose(NamedTuple):
    """A session, the role that it is of, where it is known, and whether it only reads or is idle in a transaction.

    changed: how many rows its transaction has changed, where the row tells it.
    """

    session: str
    role: str = ""
    reads: bool = False
    idle: bool = False
    changed: str = ""


def whose_session(session: str, row: Row) -> Iterator[str]:
    """What the row of a session tells, as the name of an object."""
    role = row.get("usename", "")
    state = row.get("state", "active").lower()
    reads = state == "active" and only_reads(row.get("query", ""))
    does = _IDLE if state.startswith("idle in transaction") else _READS if reads else ""
    rows = next((cell for name in _ROWS if (cell := row.get(name, "")).isdecimal()), "")
    told = [each for each in (does, f"{_CHANGED}{rows}" if rows else "") if each]
    if session and (_ROLE.fullmatch(role) or told):
        yield _PARTED.join((session, role if _ROLE.fullmatch(role) else _NO_ROLE, *told))


def only_reads(statement: str) -> bool:
    """Whether a statement only reads, so that nothing but its result is lost when it ends."""
    return _SELECT.search(statement) is not None and _CHANGES.search(statement) is None


def whose_of(name: str) -> Whose:
    """What such a name stands for."""
    session, role, *more = (*name.split(_PARTED), "")
    changed = next((each.removeprefix(_CHANGED) for each in more if each.startswith(_CHANGED)), "")
    return Whose(session, "" if role == _NO_ROLE else role, _READS in more, _IDLE in more, changed)


def owner_of(sessions: Sequence[str], told: Sequence[str]) -> str:
    """The role of the only one of these sessions; empty where they are several or no row told it."""
    roles = {each.role for each in map(whose_of, told) if each.role and each.session in sessions}
    return roles.pop() if len(sessions) == len(roles) == 1 else ""
