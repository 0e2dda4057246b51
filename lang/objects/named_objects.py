"""Objects of somebody's system that a whole message names: in its words, its statements and its pasted output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from lang import deferred_re as re
from lang.cues import load_lexicon
from lang.listed import lists_beside
from lang.objects import PID, Role, Seen, is_name, kind_of, objects_in
from lang.objects.blockers_said import blockers_said, queue_said
from lang.objects.kinds_and_roles import (
    APP,
    CHILD,
    FK_COLUMN,
    PARENT,
    ROLE,
    SERVERS,
    STANDBY,
    SYNC_NAMES,
    USER,
    merged,
    replicates,
)
from lang.objects.lock_queue import (
    WAITS_FOR,
    LockQueue,
    blockers_in,
    busiest,
    is_blockers,
    lock_queue,
    oldest_free,
    role_in_the_way,
    session_of,
    time_taken,
    waits,
    waits_told,
)
from lang.objects.scan_keys import CATALOG, KEY, scan_keys_in, statement_key
from lang.objects.server_work import role_by_column, role_by_row, role_by_statement, workers_said
from lang.objects.servers_and_clients import standbys_said
from lang.objects.settings_in_files import FileSettings
from lang.objects.settings_said import SETTING, settings_shown, settings_told
from lang.objects.tables_said import changed_tables, foreign_keys_in, sides_of
from lang.objects.whose_session import WHOSE, as_session, whose_session
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns, KnownView, server_columns
from lang.pastes.model import Table

_LISTED = lists_beside(__file__)

_STATES = frozenset(("active", "idle", "idle in transaction", "idle in transaction (aborted)"))
# A list of indexes has the method of each.
_FOR_DDL = "AccessExclusiveLock"
_INDEX_LIST, _DEFINITION = "btree", "indexdef"
# By this rows of sessions are known without a heading.
_SESSIONS = KnownView(
    {name: name for name in ("pid", "state", "blocked_by", "pg_blocking_pids", "query")},
    (frozenset(("pid", "state")),),
    {"state": _STATES},
)
_IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)?"
# "events 表", "the events table": the name before its kind.
_NAMED_BEFORE = _LISTED.pattern("named_before")
# "表 events": the name after its kind, where no other word can stand.
_NAMED_AFTER = re.compile(rf"(?<!锁)(表|索引)\s*(?:是|叫|名是?|[:：])?\s*({_IDENTIFIER})(?![A-Za-z0-9_(])")
_KINDS_BEFORE = {"表": "table", "索引": "index", "槽": "slot"}
_SELECTED = re.compile(rf"\b(?:from|join|update)\s+(?:only\s+)?({_IDENTIFIER})", re.IGNORECASE | re.ASCII)
_SELECTS = re.compile(r"\b(?:select\b.+\bfrom|update\s+\S+\s+set)\b", re.IGNORECASE | re.DOTALL)
# "loaded 300 M rows into events", "给 orders 加一列", "ran analyze on events".
_FILLED = _LISTED.pattern("filled", re.IGNORECASE | re.ASCII)
_SCANNED = re.compile(rf"\bScan(?: Backward)?(?: using \S+)? on ({_IDENTIFIER})")
# What a statement or its plan calls a table for short: "Seq Scan on customers c  (cost=", "from orders o join".
_ALIAS = _LISTED.pattern("alias", re.ASCII)
_INDEX = _LISTED.pattern("index", re.IGNORECASE | re.ASCII)
_SLOT_CALL = re.compile(r"pg_drop_replication_slot\(\s*'([^']+)'")
_GID_CALL = re.compile(r"(?:rollback|commit)\s+prepared\s+'([^']+)'", re.IGNORECASE)
_DDL = re.compile(r"^\s*(?:alter|create|drop|truncate|reindex|cluster|vacuum\s+full|refresh)\b", re.IGNORECASE)
# A person says it of the one session that is named, unless that holds the statement up.
_DDL_SAID = re.compile(r"\b(?:alter\s+table|create\s+index|truncate|reindex|refresh\s+materialized)\b", re.IGNORECASE)
_HOLDING = re.compile(r"block|hold|in the way|idle|stuck behind|behind|挡|占着|持有|堵|后面|空闲", re.IGNORECASE)
# "the old value was standby1", where standbys are spoken of.
_OLD_VALUE = _LISTED.pattern("old_value", re.IGNORECASE)
_OF_STANDBYS = re.compile(r"同步|异步|备库|\bsync|\basync|standby|replica", re.IGNORECASE)
_BACKUP = re.compile(r"sending backup|base_?backup|pg_dump|basebackup", re.IGNORECASE)
_STATEMENTS = frozenset(
    ("query", "current_query", "statement", "info", "command", "sql", "q", "stmt", "query_text", "sql_text", "left")
)
_OF_TABLES = ("table", CHILD, PARENT)
_NO_NAMES, _NO_TABLES, _PLACES = "before_a_kind", "after_a_verb", "no_objects"


@lru_cache(maxsize=32)
def objects_named(message: str) -> tuple[Seen, ...]:
    """The objects that a message names, each once; what is known of one in several places is put together."""
    lines = split_lines(message)
    found, told, filed = list[Seen](), list[str](), FileSettings()
    for block in find_blocks(lines, _known()):
        text = "\n".join(lines.lines[block.first : block.last])
        told += [text] if block.kind in ("prose", "query") else []
        settings = [Seen(*each) for each in settings_told(text)] if block.kind in ("prose", "query") else []
        found += filed.sort(block.kind, text, settings)
        if block.kind == "prose":
            found += [
                each._replace(said=True) for each in _in_words(text) if each.name.lower() not in _no_names(_PLACES)
            ]
        elif block.table is not None and not _SCANNED.search(text):
            found += _in_table(block.table)
        else:
            found += _in_statement(text)
    short = {name for each in _ALIAS.findall(message) for name in each} - {*_SCANNED.findall(message)}
    named = (each for each in found if each.name not in short or each.kind not in _OF_TABLES)
    keys = (*scan_keys_in(message), statement_key([("\n".join(told), 1.0)]))
    return merged((*named, *filed.in_effect(found), *(Seen(KEY, key) for key in keys if key)))


def filter_key(messages: Sequence[str]) -> str:
    """What the slow statement filters by, where the first of some messages lists indexes; the latest that tells it."""
    if _INDEX_LIST not in messages[0]:
        return ""
    return next((each.name for told in messages for each in objects_named(told) if each.kind == KEY), "")


def tables_in(message: str) -> tuple[Table, ...]:
    """The tables that a message shows."""
    return tuple(block.table for block in find_blocks(split_lines(message), _known()) if block.table is not None)


@cache
def _known() -> KnownColumns:
    return KnownColumns.of((), server_columns(), views=(_SESSIONS,))


@cache
def _no_names(place: str) -> frozenset[str]:
    """The words that name nothing at a place."""
    words = load_lexicon("objects")
    return frozenset(map(str, (*words[place], *words[_PLACES])))


def _in_words(text: str) -> Iterator[Seen]:
    objects = tuple(objects_in(text))
    sessions = {each.name for each in objects if each.kind == PID}
    alters = len(sessions) == 1 and _DDL_SAID.search(text) and not _HOLDING.search(text)
    for each in objects:
        yield each._replace(role=Role.DDL) if alters and each.kind == PID and not each.culprit else each
    yield from (*queue_said(text), *blockers_said(text))
    yield from (Seen(PID, name, role=Role(role)) for name, role in workers_said(text))
    yield from (Seen(STANDBY, name) for name in standbys_said(text))
    if _OF_STANDBYS.search(text):
        yield from (Seen(SYNC_NAMES, next(filter(None, found))) for found in _OLD_VALUE.findall(text))
    for name, word in _NAMED_BEFORE.findall(text):
        if name.lower() not in _no_names(_NO_NAMES):
            yield Seen(_KINDS_BEFORE.get(word, word), name)
    for kind, name in _NAMED_AFTER.findall(text):
        if name.lower() not in _no_names(_NO_NAMES) | _no_names(_NO_TABLES):
            yield Seen(_KINDS_BEFORE[kind], name)
    for found in _FILLED.finditer(text):
        if (name := found[1] or found[2] or found[3]).lower() not in _no_names(_NO_TABLES):
            yield Seen("table", name)
    yield from _in_statement(text)


def _in_statement(text: str) -> Iterator[Seen]:
    if not _SCANNED.search(text):  # The arrows of a plan refer to nothing.
        yield from foreign_keys_in(text)
    selected = _SELECTED.findall(text) if _SELECTS.search(text) else ()
    for name in (*changed_tables(text), *selected, *_SCANNED.findall(text)):
        if name.lower() not in _no_names(_NO_TABLES) and not name.lower().startswith(CATALOG):
            yield Seen("table", name)
    yield from (Seen("index", name) for name in _INDEX.findall(text) if name.lower() not in _no_names(_NO_TABLES))
    for kind, call in (("slot", _SLOT_CALL), ("gid", _GID_CALL)):
        yield from (Seen(kind, name, culprit=True) for name in call.findall(text))


def _in_table(table: Table) -> Iterator[Seen]:
    named = [dict(zip(map(str.lower, table.columns), map(str.strip, row), strict=False)) for row in table.rows]
    rows = list(map(as_session, named))
    yield from (Seen(SETTING, each) for each in settings_shown(rows if table.form == "rows" else ()))
    queue = lock_queue(rows)
    busy = (row for row in rows if not waits(row) and row.get("state", "active") == "active")
    if key := statement_key((_statement_in(row), time_taken(row)) for row in busy):
        yield Seen(KEY, key)
    yield from (Seen(WAITS_FOR, each) for each in waits_told(rows, queue))
    for row in rows:
        yield from _in_row(row, queue)
    for name in _alone_in_the_way(rows, queue):
        yield Seen(PID, name, culprit=True)
        yield from (each for row in rows if session_of(row) == name for each in _whose(row))
    for column, kind in (("application_name", APP), ("usename", USER)):
        if name := busiest(rows, column, table.left_out):
            yield Seen(kind, name, culprit=True)


def _whose(row: Mapping[str, str]) -> Iterator[Seen]:
    """The role and the application of a session in the way."""
    for column, kind in (("usename", ROLE), ("application_name", APP)):
        if is_name(kind, row.get(column, "")):
            yield Seen(kind, row[column], culprit=True)


def _alone_in_the_way(rows: Sequence[Mapping[str, str]], queue: LockQueue) -> list[str]:
    """The only session on a table that others wait for which does not wait itself, where the rows tell no blockers."""
    if queue.told:
        return []
    waiting = {table for row in rows if waits(row) for table in _tables_of(row)}
    free = {session_of(row) for row in rows if not waits(row) and waiting & _tables_of(row)} - {""}
    alone = next(iter(free)) if len(free) == 1 else oldest_free(rows)
    return [alone] if alone else []


def _tables_of(row: Mapping[str, str]) -> set[str]:
    """The tables that the statement of a row names."""
    statement = " ".join(cell for name, cell in row.items() if _is_statement(name))
    named = {each.name for each in _in_statement(statement) if each.kind == "table"}
    return named | ({row["relation"]} if row.get("relation") else set())


def _in_row(row: Mapping[str, str], queue: LockQueue) -> Iterator[Seen]:
    statement = _statement_in(row)
    culprit, role = _standing(row, statement, queue)
    yield from (Seen(WHOSE, each) for each in whose_session("" if waits(row) else session_of(row), row))
    kinds = {name: kind for name in row if (kind := kind_of(name)) and not is_blockers(name)}
    kinds = {} if _DEFINITION in row else kinds  # A list of indexes names all that there are.
    kinds |= {"waiter": PID} if is_name(PID, row.get("waiter", "")) else {}
    if replicates(row):
        kinds = {name: STANDBY if kind == APP else kind for name, kind in kinds.items()}
    if row.get("sync_state", "").lower() in ("sync", "quorum") and is_name(APP, row.get("application_name", "")):
        yield Seen(SYNC_NAMES, row["application_name"])
    refers = PARENT in kinds.values()
    for name, kind in kinds.items():
        if _is_statement(name) or not is_name(kind, row[name]):
            continue
        if kind == PARENT or (refers and kind in ("table", CHILD)):
            yield from sides_of("" if kind == PARENT else row[name], "", row[name] if kind == PARENT else "")
        else:
            other = kind == PID and row[name] != session_of(row)
            held = culprit and kind in (PID, "slot", "gid", ROLE, APP) and not other
            standing = Role(role_by_column(name)) if other else role
            yield Seen(kind, row[name], held, standing if held or standing is not Role.IDLE else Role.UNKNOWN)
    if refers and is_name(FK_COLUMN, row.get("column_name", "")):
        yield Seen(FK_COLUMN, row["column_name"])
    theirs = " ".join(cell for name, cell in row.items() if _is_statement(name) and is_blockers(name))
    alters = _DDL.search(theirs) is not None
    roots = (name for name in blockers_in(row) if name not in queue.waiting)
    role = Role.DDL if alters else Role(role_by_statement(theirs)) or role_in_the_way(row)
    yield from (Seen(PID, name, role not in (Role.DDL, Role.HEAD, *SERVERS), role) for name in roots)
    yield from _in_statement(statement)


def _statement_in(row: Mapping[str, str]) -> str:
    """The statement of the session in a row."""
    return " ".join(cell for name, cell in row.items() if _is_statement(name) and not is_blockers(name))


def _is_statement(column: str) -> bool:
    return column in _STATEMENTS or column.endswith(("_query", "_statement")) or "statement" in column


def _standing(row: Mapping[str, str], statement: str, queue: LockQueue) -> tuple[bool, Role]:
    """Whether a row's session, slot or transaction holds others up or is abandoned, and its role."""
    if "idle in transaction" in row.get("state", "").lower():
        return True, Role.ROOT if session_of(row) in queue.blocking else Role.IDLE
    active = row.get("active", "").lower()
    if active in ("f", "false", "no", "t", "true", "yes"):
        return active[0] in "fn", Role.UNKNOWN if active[0] in "fn" else Role.FINE
    if server := role_by_row(row, statement):
        return False, Role(server)
    if _DDL.search(statement) or "ddl_pid" in row or (row.get("mode") == _FOR_DDL and waits(row)):
        return False, Role.DDL
    if _BACKUP.search(statement):
        return False, Role.BACKUP
    if (session := session_of(row)) in queue.blocking:
        return session not in queue.waiting, Role.HEAD if session in queue.waiting else Role.UNKNOWN
    waiting = Role.LAST if queue.told else Role.WAITS
    return "gid" in row, waiting if session and session in queue.waiting else Role.UNKNOWN
