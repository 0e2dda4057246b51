"""Which database the person says is theirs."""

from __future__ import annotations

from functools import cache, lru_cache

from lang import deferred_re as re
from lang.terms import Found, Terms
from lang.tokens import Kind, Text, read_text
from services.planner.model import SessionView, Speaker

_NAMES = {
    "postgresql": ("postgresql", "postgres", "pg", *(f"pg{version}" for version in range(9, 20))),
    "mysql": (
        "mysql",
        "mysqld",
        "mariadb",
        "innodb",
        "percona",
        *(f"mysql{version}" for version in (5, 57, 8, 80, 84, 9)),
    ),
    "oracle": ("oracle", "ora-00018", "ora-00020"),
    "sqlserver": ("sql server", "mssql", "sqlserver"),
    "mongodb": ("mongodb", "mongo"),
    "redis": ("redis",),
    "tidb": ("tidb",),
    "oceanbase": ("oceanbase",),
    "db2": ("db2",),
    "sqlite": ("sqlite",),
    "clickhouse": ("clickhouse",),
    "elasticsearch": ("elasticsearch",),
    "dameng": ("达梦", "dm8"),
}
# What only the clients of one database print.
_PRINTED = {"mysql": ("mysql> ", "MariaDB [", "INNODB MONITOR OUTPUT"), "postgresql": ("postgres=# ", "postgres=> ")}
# Names that machines bear as well: db1, db2.
_OF_MACHINES = ("db2",)
# What stands before or after the name of a database that is not the one in trouble, and how near.
_BEFORE = (
    "从",
    "同步到",
    "以前",
    "之前",
    "原来",
    "导到",
    "另外",
    "from",
    "used to",
    "formerly",
    "sync to",
    "copied to",
    "cdc",
)
_AFTER = ("迁移", "迁过来", "before")
_DENIED = ("不是", "不用", "没有", "并非", "not", "isn't", "no", "rather than", "instead of")
_SHOWN = ("语句", "命令", "statement", "statements", "query", "sql", "syntax")
_MARKS = {"before": _BEFORE, "after": _AFTER, "denied": _DENIED, "shown": _SHOWN}
_NEAR = 3
# What only asks whether something is of a database: "that's postgres, isn't it?", "你这是给 pg 的吧".
_ASKED = re.compile(r"[^.。!！?？;；\n]*[?？]|[^.。!！?？;；\n，,]*[吧吗](?=[.。!！;；\n，,]|$)")
# Words that have a mark in them and are none.
_REPLICA, _REPLICAS = "replica", ("从库", "从机", "从节点", "主从")


def find_engine(message: str) -> str:
    """The one database that a message names as its own; empty if it names none, several, or one elsewhere."""
    told = _ASKED.sub("", message)
    standing = _standing(told if _standing(told) else message)
    # Beside the person's own database one whose statements were shown is another: "我们是 MySQL，你给的 pg 语句跑不了".
    beside = ("denied", "shown") if "own" in standing.values() else ("denied",)
    named = {name for name, how in standing.items() if how not in beside}
    found = named.pop() if len(named) == 1 else ""
    return found if standing.get(found) in ("own", "shown") else ""


def engine_in_case(said: str, message: str, view: SessionView) -> str:
    """The database that a message of this case names as its own, or shows by its pastes; said: it without these.

    Another one than was told, and that the library is for, is that of somebody else, unless the message says that the
    first was wrong; what machines are called too is no database once one is known.
    """
    found = find_engine(said) or _engine_of_paste(message)
    told = [find_engine(each.text) for each in view.history if each.speaker is Speaker.USER]
    known = [each for each in told if each and each not in _OF_MACHINES]
    if found in _OF_MACHINES:
        return "" if view.evidence or known else found
    return (
        found
        if not known or known[-1] != view.engine or found == known[-1] or _standing(said).get(known[-1]) == "denied"
        else ""
    )


def _engine_of_paste(message: str) -> str:
    """The database that only one client or command can have printed this; empty if it may be any."""
    return next((engine for engine, marks in _PRINTED.items() if any(mark in message for mark in marks)), "")


@lru_cache(maxsize=64)
def _standing(message: str) -> dict[str, str]:
    """The databases that a message names: as its `own`, `elsewhere`, `denied`, or of statements that were `shown`."""
    text = read_text(message)
    matches = _terms().find(text)
    replicas = {match.first for match in matches if match.payload == _REPLICA}
    marks = [match for match in matches if match.payload in _MARKS and match.first not in replicas]
    standing: dict[str, str] = {}
    for match in matches:
        if match.payload not in (*_MARKS, _REPLICA):
            apart = [(mark.payload, match.first - mark.first) for mark in marks if not _is_parted(text, mark, match)]
            near = [kind for kind, words in apart if 0 < (-words if kind in ("after", "shown") else words) <= _NEAR]
            how = next((kind for kind in ("denied", "shown") if kind in near), "elsewhere" if near else "own")
            standing[match.payload] = "denied" if standing.get(match.payload) == "denied" else how
    return standing


def _is_parted(text: Text, one: Found[str], other: Found[str]) -> bool:
    """Whether a pause stands between two names: "it reads from the replica, mysql 8" comes from no MySQL."""
    first, last = sorted((one, other), key=lambda each: each.first)
    return any(token.kind in (Kind.COMMA, Kind.STOP) for token in text.tokens[first.last : last.first])


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for word in _REPLICAS:
        terms.add(word, _REPLICA)
    for engine, names in _NAMES.items():
        for name in names:
            terms.add(name, engine)
    for mark, words in _MARKS.items():
        for word in words:
            terms.add(word, mark)
    return terms
