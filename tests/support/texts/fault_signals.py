"""What shows each fault of the lab, read as a read-only role with pg_monitor would."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, LiteralString

import psycopg


class Reader:
    """One read-only connection. Statistics are read afresh by every statement."""

    def __init__(self, dsn: str) -> None:
        self._connection = psycopg.connect(dsn, autocommit=True, application_name="reader")

    def one(self, statement: LiteralString) -> Any:
        """The first value of the first row."""
        row = self._connection.execute(statement).fetchone()
        assert row is not None
        return row[0]

    def rate(self, statement: LiteralString, seconds: float = 0.7) -> float:
        """How fast a counter rises, a second."""
        began, before = time.monotonic(), self.one(statement)
        time.sleep(seconds)
        return float((self.one(statement) or 0) - (before or 0)) / (time.monotonic() - began)

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()


WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
OLDEST_WAIT = "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(waitstart)), 0)::float FROM pg_locks"
ROOTS = """SELECT coalesce(array_agg(DISTINCT b ORDER BY b), '{}') FROM pg_stat_activity a,
 unnest(pg_blocking_pids(a.pid)) b WHERE cardinality(pg_blocking_pids(b)) = 0"""
SEQ_READ = "SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = "


def _setting(reader: Reader, name: LiteralString, value: str) -> bool:
    return str(reader.one("SELECT setting FROM pg_settings WHERE name = '" + name + "'")) == value


def _lock_chain(reader: Reader) -> bool:
    """One root, the same in two reads, and a wait that grows."""
    first, oldest = reader.one(ROOTS), reader.one(OLDEST_WAIT)
    time.sleep(0.3)
    return len(first) == 1 and reader.one(ROOTS) == first and reader.one(OLDEST_WAIT) > oldest + 0.2


def _hot_row(reader: Reader) -> bool:
    """Waiters always, and a root that changes."""
    roots = set()
    waiting = 0
    for _ in range(6):
        waiting = max(waiting, reader.one(WAITING))
        roots |= set(reader.one(ROOTS))
        time.sleep(0.1)
    return waiting >= 5 and len(roots) >= 2


def _top_statement(reader: Reader, text: LiteralString) -> bool:
    """Whether the statement with this text is called now."""
    calls = "SELECT sum(calls) FROM pg_stat_statements WHERE query LIKE '%" + text + "%'"
    return reader.rate(calls) > 5


def _tiny_commits(reader: Reader) -> bool:
    seen = 0
    for _ in range(20):
        seen += reader.one(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event IN ('WALWrite', 'WalSync', 'WALInsert')"
        )
        time.sleep(0.02)
    return seen / 20 > 3


def _burden(mark: bytes = b"faultlab.host_load") -> Path | None:
    """The folder under /proc of a process that burdens the host."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "cmdline").read_bytes():
                return folder
        except OSError:
            continue
    return None


def _host_cpu(_: Reader) -> bool:
    """A process that uses much of a core."""
    folder = _burden()
    if folder is None:
        return False

    def ticks() -> int:
        return int((folder / "stat").read_text().rsplit(")", 1)[1].split()[11])

    before = ticks()
    time.sleep(1)
    return ticks() - before > 20


def _host_io(_: Reader) -> bool:
    """A process that writes some ten megabytes a second, or more."""
    folder = _burden()
    if folder is None:
        return False

    def written() -> int:
        return int((folder / "io").read_text().split("write_bytes: ")[1].split()[0])

    before = written()
    time.sleep(2)
    return written() - before > 20_000_000


def _host_descriptors(_: Reader) -> bool:
    """A process near its limit of open files, with more and more of them."""
    return _opens_more(3895)


def _opens_more(least: int) -> bool:
    folder = _burden()
    if folder is None or (before := len(list((folder / "fd").iterdir()))) < least:
        return False
    time.sleep(1.2)
    return len(list((folder / "fd").iterdir())) > before


def _host_threads(_: Reader) -> bool:
    """A process of thousands of threads."""
    folder = _burden()
    return folder is not None and len(list((folder / "task").iterdir())) > 2000


def _counted(file: str, name: str) -> int:
    """A counter of /proc by its name: one a line, or in the columns below a heading."""
    lines = [line.split() for line in Path(f"/proc/{file}").read_text().splitlines()]
    for heading, values in zip(lines, [*lines[1:], []], strict=True):
        if heading[0] == name:
            return int(heading[1])
        if name in heading and values and heading[0] == values[0]:
            return int(values[heading.index(name)])
    raise LookupError(f"/proc/{file} counts no {name}")


def _risen(file: str, name: str, seconds: float = 1.0) -> int:
    before = _counted(file, name)
    time.sleep(seconds)
    return _counted(file, name) - before


def _host_memory(_: Reader) -> bool:
    """A process of some hundred megabytes that grows."""
    folder = _burden(b"faultlab.host_memory")

    def pages() -> int:
        # It is killed now and then, as what leaks is.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return int((folder / "statm").read_text().split()[1]) if folder else 0
        return 0

    before = pages()
    time.sleep(1.5)
    return before > 60_000 and pages() > before + 500


def _close_wait(_: Reader) -> bool:
    """Hundreds of sockets whose other side hung up."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(line.split()[3] == "08" for line in lines) > 500


def _jvm(*marks: str) -> bool:
    """Whether a dump of the burdened JVM's threads has all of these in it."""
    folder = _burden(b"Burden.java")
    if folder is None:
        return False
    dump = subprocess.run(["jstack", folder.name], capture_output=True, text=True, check=False).stdout
    return all(mark in dump for mark in marks)


def _collections(column: str) -> bool:
    """Whether the burdened JVM collects several times a second."""
    folder = _burden(b"Burden.java")
    if folder is None:
        return False
    command = ["jstat", "-gcutil", folder.name, "1000", "2"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    counts = [int(line.split()[said[0].split().index(column)]) for line in said[1:]]
    return len(counts) == 2 and counts[1] - counts[0] >= 3


SIGNALS: dict[str, Callable[[Reader], bool]] = {
    "lock_chain": lambda r: r.one(WAITING) >= 5 and _lock_chain(r),
    "blocked_ddl": lambda r: (
        r.one(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation' AND mode = 'AccessExclusiveLock'"
        )
        >= 1
        and r.one(WAITING) >= 7
    ),
    "deadlocks": lambda r: r.rate("SELECT sum(deadlocks) FROM pg_stat_database", 1.5) > 0.5,
    "hot_row": _hot_row,
    "orphaned_prepared": lambda r: (
        r.one("SELECT count(*) FROM pg_prepared_xacts") == 1
        and r.one(WAITING) >= 2
        and r.one("SELECT bool_or(0 = ANY(pg_blocking_pids(pid))) FROM pg_stat_activity")
    ),
    "error_retries": lambda r: r.rate("SELECT xact_rollback FROM pg_stat_database WHERE datname = 'shop'", 1.5) > 20,
    "connection_exhaustion": lambda r: (
        r.one("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'") >= 90
    ),
    "connection_leak": lambda r: (
        r.one("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'order-api' AND state = 'idle'") >= 60
    ),
    "connection_churn": lambda r: r.rate("SELECT sessions FROM pg_stat_database WHERE datname = 'shop'", 1.5) > 20,
    "missing_index": lambda r: r.rate(SEQ_READ + "'orders'", 1.5) > 200_000,
    "stale_statistics": lambda r: (
        r.one("SELECT count(*) FROM pg_stat_user_tables WHERE n_mod_since_analyze > 10000 AND relname = 'visits'") == 1
        and r.one(
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%visits%' "
            "AND pid <> pg_backend_pid() AND clock_timestamp() - query_start > interval '2 seconds'"
        )
        >= 1
    ),
    "small_work_mem": lambda r: (
        _setting(r, "work_mem", "64")
        and r.rate("SELECT temp_bytes FROM pg_stat_database WHERE datname = 'shop'", 2) > 5e6
    ),
    "long_query": lambda r: (
        r.one(
            "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0) FROM pg_stat_activity "
            "WHERE state = 'active' AND backend_type = 'client backend' AND wait_event IS NULL"
        )
        > 3
    ),
    "n_plus_one": lambda r: (
        r.rate("SELECT sum(calls) FROM pg_stat_statements WHERE query LIKE 'SELECT email FROM customers%'") > 1000
    ),
    "large_offset": lambda r: _top_statement(r, "OFFSET $1"),
    "big_scan": lambda r: r.rate("SELECT blks_read FROM pg_stat_database WHERE datname = 'shop'", 2) > 5000,
    "small_shared_buffers": lambda r: _setting(r, "shared_buffers", "128"),
    "useless_indexes": lambda r: (
        r.one("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == 1
        and r.one("SELECT count(*) - count(DISTINCT (indrelid, indkey::text)) FROM pg_index WHERE indrelid > 16000")
        >= 1
    ),
    "foreign_key_without_index": lambda r: r.rate(SEQ_READ + "'basket_lines'", 1.5) > 100_000,
    "many_partitions": lambda r: (
        r.one("SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('readings')") == 800
        and _top_statement(r, "FROM readings")
    ),
    "slow_trigger": lambda r: r.rate("SELECT sum(total_time) FROM pg_stat_user_functions", 2) > 100,
    "temp_tables": lambda r: _top_statement(r, "CREATE TEMP TABLE scratch"),
    "sequence_exhaustion": lambda r: (
        r.one(
            "SELECT coalesce(max(last_value::float / max_value), 0) FROM pg_sequences "
            "WHERE data_type = 'integer'::regtype"
        )
        > 0.99
    ),
    "held_xmin": lambda r: (
        r.one("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND backend_xmin IS NOT NULL")
        >= 1
        and r.one("SELECT coalesce(max(n_dead_tup), 0) FROM pg_stat_user_tables WHERE relname = 'carts'") > 40_000
    ),
    "table_bloat": lambda r: (
        r.one(
            "SELECT count(*) FROM pg_stat_user_tables t JOIN pg_class c ON c.oid = t.relid "
            "WHERE n_dead_tup > n_live_tup AND 'autovacuum_enabled=off' = ANY(reloptions)"
        )
        == 1
    ),
    "index_bloat": lambda r: (
        r.one("SELECT to_regclass('tokens_pkey')") is not None
        and r.one("SELECT avg_leaf_density FROM pgstatindex('tokens_pkey')") < 30
    ),
    "wraparound": lambda r: r.one(
        "SELECT max(age(datfrozenxid)) > (SELECT setting::int FROM pg_settings "
        "WHERE name = 'autovacuum_freeze_max_age') FROM pg_database"
    ),
    "unsafe_settings": lambda r: all(
        _setting(r, name, "off") for name in ("fsync", "full_page_writes", "synchronous_commit")
    ),
    "log_growth": lambda r: (
        _setting(r, "log_statement", "all") and r.rate("SELECT sum(size)::bigint FROM pg_ls_logdir()") > 200_000
    ),
    "frequent_checkpoints": lambda r: (
        _setting(r, "max_wal_size", "32") and r.rate("SELECT num_requested FROM pg_stat_checkpointer", 3) > 0.3
    ),
    "inactive_slot": lambda r: (
        r.one(
            "SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0) FROM pg_replication_slots "
            "WHERE NOT active"
        )
        > 40e6
    ),
    "lost_slot": lambda r: r.one("SELECT count(*) FROM pg_replication_slots WHERE wal_status = 'lost'") == 1,
    "failing_archiver": lambda r: r.one(
        "SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) FROM pg_stat_archiver"
    ),
    "tiny_commits": _tiny_commits,
    "paused_replay": lambda r: (
        r.one("SELECT coalesce(max(pg_wal_lsn_diff(sent_lsn, replay_lsn)), 0) FROM pg_stat_replication") > 1e6
    ),
    "replay_conflict": lambda r: (
        r.one("SELECT coalesce(max(pg_wal_lsn_diff(flush_lsn, replay_lsn)), 0) FROM pg_stat_replication") > 100_000
    ),
    "dead_standby": lambda r: (
        r.one("SELECT count(*) FROM pg_stat_replication") == 0
        and r.one("SELECT count(*) FROM pg_replication_slots WHERE NOT active AND active_pid IS NULL") == 1
    ),
    "sync_standby_down": lambda r: r.one("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") >= 1,
    "host_cpu": _host_cpu,
    "host_io": _host_io,
    "host_descriptors": _host_descriptors,
    "host_threads": _host_threads,
    "host_forks": lambda _: _risen("stat", "processes") > 80,
    "host_unclosed_sockets": _close_wait,
    "host_memory": _host_memory,
    "host_memory_limit": lambda _: _risen("vmstat", "oom_kill", 2.5) >= 1,
    "host_refused_calls": lambda _: _risen("net/snmp", "AttemptFails") > 80,
    "host_full_backlog": lambda _: _risen("net/netstat", "ListenOverflows") >= 3,
    "java_deadlock": lambda _: _jvm("Found one Java-level deadlock"),
    "java_hot_lock": lambda _: _jvm("waiting to lock", "pool-1-thread-24"),
    "java_pool_starved": lambda _: _jvm("FutureTask.awaitDone", "pool-1-thread-8"),
    "java_slow_dependency": lambda _: _jvm("HttpURLConnection.getResponseCode", "pool-1-thread-8"),
    "java_heap_small": lambda _: _collections("FGC"),
    "java_allocation": lambda _: _collections("YGC"),
}
