"""Whose session it is, by its row: the role that it is of, and whether it only reads or is idle in a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lang import deferred_re as re

Row = Mapping[str, str]
# An object of this kind is what one row tells of a session: "18822>finance>reads", "87455>dev>idle>changed=0".
WHOSE = "whose"
_PARTED, _READS, _IDLE, _NO_ROLE, _CHANGED = ">", "reads", "idle", "-", "changed="
# The rows that the transaction of a session has changed so far.
_ROWS = ("trx_rows_modified", "rows_modified")
# A statement that reads; one that locks rows or calls what ends or changes something is none.
_SELECT = re.compile(r"^\s*(?:/\*.*?\*/\s*)?(?:select|table|values)\b", re.IGNORECASE | re.DOTALL)
_CHANGES = re.compile(r"\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\b(?:insert|delete|nextval|pg_\w+)\b", re.IGNORECASE)
_ROLE = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)


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
