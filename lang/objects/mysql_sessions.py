"""Rows of MySQL about sessions, in the columns by which sessions are known: pid, state, query, who waits."""

from __future__ import annotations

from collections.abc import Mapping

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
