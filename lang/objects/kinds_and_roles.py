"""Objects of somebody's system in what was seen: which session, table, slot it is, and its role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from lang.objects.scan_keys import KEY, plain_tables
from lang.objects.server_work import role_by_column, role_by_statement
from lang.objects.whose_session import WHOSE, owner_of

PID = "pid"
# Sessions that are ended for what they do, not for being in the way.
DDL_PID, AUTOVACUUM_PID = "ddl_pid", "autovacuum_pid"
CHILD, PARENT, FK_COLUMN = "child", "parent", "fk_column"
# The user whose connections stand out where no application is named.
USER = "user"
# The standbys that commits wait for, as the setting has them, and one standby.
SYNC_NAMES, STANDBY, APP, ROLE = "sync_names", "standby", "app", "role"
# All of them that are known, as one list.
STANDBYS = "standbys"
# A prepared transaction; what its manager calls it may be anything but a text of SQL.
GID, _GID = "gid", re.compile(r"[^\s',]+")
# Parts of the name of a column or signal, and the kind of object that it holds; the first that fits counts.
_KINDS = (
    ("child_table", CHILD),
    ("parent_table", PARENT),
    ("foreign_table", PARENT),
    ("referenced", PARENT),
    ("fk_column", FK_COLUMN),
    ("slot", "slot"),
    (GID, GID),
    ("indexrelname", "index"),
    ("index", "index"),
    ("sequence", "seq"),
    ("synchronous_standby_names", SYNC_NAMES),
    ("subscription", "subscription"),
    ("subname", "subscription"),
    ("application", "app"),
    ("relname", "table"),
    ("relation", "table"),
    ("table", "table"),
    ("mount", "mount"),
    ("pid", "pid"),
    ("blocked_by", "blocker"),
    ("usename", ROLE),
    ("datname", "database"),
)
# Sessions that hold others up, by the name of the column or signal; other numbers are those of who waits.
_CULPRITS = ("blocker", "blocking", "blocked_by", "root", "holder", "idle")
_PAIR = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z_]\w*+)\s*+=\s*([^,|]+)")
_SAID = re.compile(
    r"(?<![A-Za-z_])(pid|slot|table|index|gid|复制槽|槽|表|索引|进程|会话)(?![A-Za-z_])\s*(?:是|为|叫|号|named|called|[:：])?\s*"
    r"[\"\'“‘`]?([A-Za-z_][\w.$]*[_.\d][\w.$]*|\d{2,7}(?![\w.%]))"
)
_SAID_KINDS = {"复制槽": "slot", "槽": "slot", "表": "table", "索引": "index", "进程": "pid", "会话": "pid"}
_IDENTIFIER = re.compile(r"(?<![\w.-])[A-Za-z]\w*(?:[_-]\w+)+", re.ASCII)
# The setting with several standbys: "FIRST 1 (node2, node3)", "node2, node3".
_SYNC_LIST = re.compile(r"(?:(?:FIRST|ANY) )?\d* *\(?([\w-]+(?: *, *[\w-]+)*)\)?", re.IGNORECASE | re.ASCII)
_NAME = re.compile(r"[A-Za-z_/][\w.$/:-]*")
# Columns of what is sent to standbys: the application there is a standby.
_REPLICATES = ("sync_state", "flush_lag", "replay_lag", "write_lag", "sent_lsn", "flush_lsn", "replay_lsn")
# What a column of flags holds.
_NO_NAMES = frozenset(("yes", "no", "on", "off", "t", "f", "true", "false", "none", "null", "logical", "physical"))
# The role of what holds others up or is abandoned, where a role is a word.
HOLDS = "holds"
_WAITING = ("waits", "head", "last")
_IDLE = "idle in transaction"


class Role(StrEnum):
    """What is known of an object beside its name."""

    UNKNOWN = ""
    # A session that changes the form of a table.
    DDL = "ddl"
    # A session that waits for a lock; whether others wait for it is not known.
    WAITS = "waits"
    # One that waits and that others wait for, and one that waits with nobody behind it.
    HEAD = "head"
    LAST = "last"
    # The table that a foreign key refers to.
    PARENT = "parent"
    # A session or sender that takes a backup.
    BACKUP = "backup"
    # Work of the server itself: a worker of autovacuum, what sends WAL to a standby or subscriber, and what replays it.
    AUTOVACUUM = "autovacuum"
    SENDER = "sender"
    APPLIER = "applier"
    # In good order: an active slot.
    FINE = "fine"
    # A session that the others wait for in the end, and one that is idle in a transaction, whoever waits for it.
    ROOT = "root"
    IDLE = "idle"


SERVERS = (Role.AUTOVACUUM, Role.SENDER, Role.APPLIER)
# What waits itself is not what holds the others up.
_WAITERS = (Role.WAITS, Role.HEAD, Role.LAST)
_BEHIND_OTHERS = (Role.DDL, Role.HEAD, Role.LAST, *SERVERS)
_ENDED_AS = {Role.DDL: DDL_PID, Role.AUTOVACUUM: AUTOVACUUM_PID}


class Seen(NamedTuple):
    """An object: its kind, its name as it was seen, and whether it is what holds others up or is abandoned.

    said: a person named it in words of their own, not only by an output.
    """

    kind: str
    name: str
    culprit: bool = False
    role: Role = Role.UNKNOWN
    said: bool = False


def object_of(kind: str, name: str, role: str, said: bool) -> Seen:
    """An object as a contract has it: `holds` stands in the place of a role; an unknown role tells nothing."""
    culprit = role in (HOLDS, Role.ROOT, Role.IDLE)
    return Seen(kind, name, culprit, Role(role) if role in list(Role) else Role.UNKNOWN, said)


def role_told(seen: Seen) -> str:
    """The role of an object as a contract has it."""
    known = seen.role in (Role.DDL, Role.ROOT, Role.IDLE)
    return HOLDS if seen.culprit and not known else str(seen.role)


def later_role(before: str, after: str) -> str:
    """The role of an object that was told twice: the last one holds, and idle and in the way is the root.

    What is of the server stays that, and a DDL stays one while it waits.
    """
    if (before == Role.DDL and after in _WAITING) or before in SERVERS:
        return before
    if {before, after} == {HOLDS, Role.IDLE} or (before == Role.ROOT and after in (HOLDS, Role.IDLE)):
        return Role.ROOT
    return after or before


def is_object(name: str) -> bool:
    """True if a column or signal of this name holds an object."""
    return kind_of(name) != ""


def kind_of(name: str) -> str:
    """The kind of object that a column or signal holds; empty if it holds none."""
    lower = name.lower()
    return next((kind for part, kind in _KINDS if part in lower), "")


def replicates(names: Iterable[str]) -> bool:
    """True if columns or signals of these names tell of what is sent to standbys."""
    return any(part in name for name in names for part in _REPLICATES)


def is_name(kind: str, value: str) -> bool:
    """True if a value can name an object of this kind; flags and numbers other than of sessions cannot."""
    if kind in ("pid", "blocker"):
        return value.isdecimal() and int(value) > 1
    if kind == SYNC_NAMES and _SYNC_LIST.fullmatch(value):
        return True
    if kind == GID:
        return _GID.fullmatch(value) is not None
    return _NAME.fullmatch(value) is not None and value.lower() not in _NO_NAMES


def objects_in(words: str) -> Iterator[Seen]:
    """The objects that words or values name: first by `name = value` as in what was read, then as in "pid 4711"."""
    idle = _IDLE in words.lower()
    pairs = _PAIR.findall(words)
    to_standbys = replicates(name for name, _ in pairs)
    for name, value in pairs:
        kind = STANDBY if to_standbys and kind_of(name) == APP else kind_of(name)
        if kind and is_name(kind, value.strip().strip("{}")):
            held = idle or any(part in name.lower() for part in _CULPRITS)
            role = _role_by_name(name.lower(), words) if kind == PID else Role.UNKNOWN
            held = held and role not in SERVERS
            yield Seen("pid" if kind == "blocker" else kind, value.strip().strip("{}"), held, role)
    for said, name in _SAID.findall(words):
        kind = _SAID_KINDS.get(said, said)
        if name.isdecimal() is (kind == "pid"):
            yield Seen(kind, name, idle)


def _role_by_name(column: str, words: str) -> Role:
    """The role of the session in a column or signal, by its name or by the statement beside it."""
    told = role_by_column(column) or (role_by_statement(words) if column == PID else "")
    by_name = Role.DDL if column == DDL_PID else Role.ROOT if "root" in column else Role.UNKNOWN
    return Role(told) if told else by_name


def identifiers_in(words: str) -> tuple[str, ...]:
    """The identifiers of several parts in words, such as `standby_02`."""
    return tuple(dict.fromkeys(_IDENTIFIER.findall(words)))


def names_to_bind(seen: Iterable[Seen]) -> Mapping[str, str]:
    """The name that fills each kind of blank, where one object fits."""
    return {kind: names[0] for kind, names in candidates(seen).items() if len(names) == 1}


def candidates(seen: Iterable[Seen]) -> Mapping[str, tuple[str, ...]]:
    """The names that fit each kind of blank: of those that hold others up, else of those said, else of all.

    A session to end must hold others up, and a role be that of one; the root of a queue goes before who is in the way,
    and that before who is only idle. What is in good order is nothing to act on, and neither is the parent of a foreign
    key beside another table.
    """
    found: dict[str, list[Seen]] = {}
    for each in seen:
        if each.kind == PID and each.role in _ENDED_AS:
            found.setdefault(_ENDED_AS[each.role], []).append(each)
        elif each.role is not Role.FINE and (each.kind not in (PID, ROLE) or each.culprit):
            found.setdefault(each.kind, []).append(each)
    names = {kind: _nearest(objects) for kind, objects in found.items()}
    tables = {"table": plain_tables(names["table"])} if "table" in names else {}
    return _with_scanned_table(_with_owner({**names, **_listed_standbys(names), **tables}))


def _with_owner(names: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The names with the role of the one session in the way, where its own row told it."""
    owner = owner_of(names.get(PID, ()), names.get(WHOSE, ()))
    return {ROLE: (owner,), **names} if owner else names


def _listed_standbys(names: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The standbys that commits may wait for, where one is known beside those they wait for now; `pg-b` is `pg_b`."""
    lists = (found[1] for each in names.get(SYNC_NAMES, ()) if (found := _SYNC_LIST.fullmatch(each)))
    waited_for = [name.strip() for each in lists for name in each.split(",")]
    known = dict.fromkeys(each.replace("-", "_") for each in (*waited_for, *names.get(STANDBY, ())))
    others = known.keys() - {each.replace("-", "_") for each in waited_for}
    return {STANDBYS: (", ".join(known),)} if others else {}


def _with_scanned_table(names: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The names with the table of the one scan whose filter is known, where several tables fit."""
    keys = names.get(KEY, ())
    several = len(names.get("table", ())) != 1
    return {**names, "table": (keys[0].partition(" ")[0],)} if len(keys) == 1 and several else names


def _nearest(objects: list[Seen]) -> tuple[str, ...]:
    objects = [each for each in objects if each.role is not Role.PARENT] or objects
    held = _first_held([each for each in objects if each.culprit])
    said = [each.name for each in objects if each.said]
    return tuple(dict.fromkeys(held or said or [each.name for each in objects]))


def _first_held(held: list[Seen]) -> list[str]:
    ranks = [(each.role is Role.ROOT) - (each.role is Role.IDLE) for each in held]
    return [each.name for each, rank in zip(held, ranks, strict=True) if rank == max(ranks)]


def merged(seen: Iterable[Seen]) -> tuple[Seen, ...]:
    """Each object once, in the order in which it was first seen, with all that is known of it; the last role holds."""
    found: dict[tuple[str, str], Seen] = {}
    for each in seen:
        key = (each.kind, each.name)
        before = found.get(key, each)
        new = "" if before.role in (Role.DDL, *_WAITERS) and each.role is Role.UNKNOWN else role_told(each)
        role = later_role(role_told(before), new)
        culprit = (before.culprit or each.culprit) and role not in _BEHIND_OTHERS
        found[key] = Seen(*key, culprit, Role.UNKNOWN if role == HOLDS else Role(role), before.said or each.said)
    return tuple(found.values())
