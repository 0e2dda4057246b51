"""That the person's database is one that the library does not cover."""

from __future__ import annotations

from services.planner.model import EngineGap
from services.planner.speak.voice import Voice

_ENGINES = {
    "postgresql": "PostgreSQL",
    "mysql": "MySQL",
    "oracle": "Oracle",
    "sqlserver": "SQL Server",
    "mongodb": "MongoDB",
    "redis": "Redis",
    "tidb": "TiDB",
    "oceanbase": "OceanBase",
    "db2": "Db2",
    "sqlite": "SQLite",
    "clickhouse": "ClickHouse",
    "elasticsearch": "Elasticsearch",
    "dameng": "达梦",
}
# Databases that a shipped library is for.
_SHIPPED = ("postgresql", "mysql")


def render_engine_gap(gap: EngineGap, voice: Voice) -> str:
    """That the library is for another database than the person's, and how to start with theirs where there is one."""
    covered = voice.listed(_ENGINES.get(engine, engine) for engine in gap.covered)
    named = _ENGINES.get(gap.named, gap.named)
    phrase = "other_engine_shipped" if gap.named in _SHIPPED else "other_engine"
    return voice.say(phrase, named=named, covered=covered, library=gap.named)
