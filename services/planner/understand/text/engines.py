"""Which database the person says is theirs."""

from __future__ import annotations

from functools import cache

from lang.terms import Terms
from lang.tokens import read_text
from services.planner.model import SessionView, Speaker

_NAMES = {
    "postgresql": ("postgresql", "postgres", "pg", *(f"pg{version}" for version in range(9, 20))),
    "mysql": ("mysql", "mariadb", "innodb", "percona"),
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
# Names that machines bear as well: db1, db2.
_OF_MACHINES = ("db2",)
# What stands beside the name of a database that is not the one in trouble.
_ELSEWHERE = ("从", "迁移", "迁过来", "同步到", "以前", "之前", "原来", "换到", "导到", "另外")
_ELSEWHERE_EN = ("from", "migrated", "used to", "moved", "formerly", "before", "sync to", "copied to", "cdc")
_DENIED = ("不是", "不用", "没有", "并非", "not", "isn't", "no", "rather than", "instead of")


def find_engine(message: str) -> str:
    """The one database that a message names as its own; empty if it names none, several, or one elsewhere."""
    text = read_text(message)
    found = [match for match in _terms().find(text) if match.payload not in ("elsewhere", "denied")]
    marks = {match.payload: match.first for match in _terms().find(text) if match.payload in ("elsewhere", "denied")}
    if "elsewhere" in marks:
        return ""
    denied = {match.payload for match in found if "denied" in marks and 0 < match.first - marks["denied"] <= _NEAR}
    named = {match.payload for match in found} - denied
    return named.pop() if len(named) == 1 else ""


def engine_in_case(message: str, view: SessionView) -> str:
    """The database that a message of this case names; what machines are called too is one once the database is known."""
    found = find_engine(message)
    if found not in _OF_MACHINES:
        return found
    told = (each.text for each in view.history if each.speaker is Speaker.USER)
    return "" if view.evidence or any(find_engine(each) not in ("", *_OF_MACHINES) for each in told) else found


_NEAR = 2


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for engine, names in _NAMES.items():
        for name in names:
            terms.add(name, engine)
    for word in (*_ELSEWHERE, *_ELSEWHERE_EN):
        terms.add(word, "elsewhere")
    for word in _DENIED:
        terms.add(word, "denied")
    return terms
