"""The child process that holds a dataset: opens its sources, locks DuckDB, runs one statement a line of its input.

Each request and each answer is one line of JSON. A statement runs on a connection of its own, which is closed after it.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import os
import resource
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from services.analyst.sources.opening import open_sources, read_catalog
from services.analyst.sources.source import from_plain

_QUERIES = ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN])
_FAILURES = (duckdb.Error, MemoryError, RuntimeError, OverflowError, UnicodeError, ValueError)
_LONGEST = 2_000
_THREADS = 2
_MEMORY = "1GB"
_SPILL = "4GB"
# Memory of texts and lists that DuckDB does not count under its own limit.
_BEYOND = 2 << 30
_SPARE_SECONDS = 2
# No file, no network, no extension, and no way to change that; the lock comes last.
_SETTINGS = (
    f"SET threads = {_THREADS}",
    f"SET memory_limit = '{_MEMORY}'",
    f"SET max_temp_directory_size = '{_SPILL}'",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def within_limits(rows: Sequence[Sequence[Any]], max_rows: int, max_bytes: int) -> tuple[list[list[Any]], bool]:
    """The first rows that fit both limits, and whether there were more."""
    kept: list[list[Any]] = []
    size = 0
    for row in rows[:max_rows]:
        cells = [to_json(value) for value in row]
        size += sum(len(each) if isinstance(each, str) else 8 for each in cells)
        if size > max_bytes:
            return kept, True
        kept.append(cells)
    return kept, len(rows) > max_rows


def to_json(value: Any) -> Any:
    """Numbers, truth and NULL as they are; times as ISO 8601, intervals in seconds, anything else as text, cut."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case decimal.Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case dt.datetime():
            return value.isoformat(" ")
        case dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return value.total_seconds()
        case bytes():
            return f"{len(value)} bytes"
    return str(value)[:_LONGEST]


def main() -> None:
    """Reads {"folder", "spill", "sources"} first, then {"sql", "max_rows", "max_bytes", "seconds"} a line."""
    # Libraries may print; the answers keep the pipe to themselves.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = json.loads(sys.stdin.readline())
    try:
        sources = [from_plain(each) for each in request["sources"]]
        database, declared = open_sources(sources, Path(request["folder"]), request["spill"])
        lock(database)
        catalog = read_catalog(database, declared)
    except (*_FAILURES, OSError) as error:
        _answer(answers, {"error": _words(error), "kind": "source"})
        return
    limit_process()
    _answer(answers, {"ready": catalog.to_plain()})
    for line in sys.stdin:
        _answer(answers, _run(database, json.loads(line)))


def _run(database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> dict[str, Any]:
    limit_processor(request["seconds"])
    connection = database.cursor()
    timer = threading.Timer(request["seconds"], connection.interrupt)
    timer.start()
    started = time.monotonic()
    try:
        if [statement.type for statement in connection.extract_statements(request["sql"])] not in _QUERIES:
            return {"error": "not one query", "kind": "sql"}
        connection.execute("BEGIN TRANSACTION READ ONLY")
        result = connection.execute(request["sql"])
        columns = [[str(column[0]), str(column[1])] for column in result.description or []]
        rows, cut = within_limits(result.fetchmany(request["max_rows"] + 1), request["max_rows"], request["max_bytes"])
        return {"columns": columns, "rows": rows, "truncated": cut, "seconds": time.monotonic() - started}
    except duckdb.InterruptException:
        return {"error": "", "kind": "slow"}
    except (duckdb.OutOfMemoryException, MemoryError):
        return {"error": "", "kind": "memory"}
    except _FAILURES as error:
        return {"error": _words(error), "kind": "sql"}
    finally:
        timer.cancel()
        connection.close()


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:1_000]


def _answer(answers: Any, body: dict[str, Any]) -> None:
    answers.write(json.dumps(body, ensure_ascii=False) + "\n")
    answers.flush()


def lock(database: duckdb.DuckDBPyConnection) -> None:
    """Locks a database, whose temp_directory is already set: it cannot be set any more without external access."""
    for setting in _SETTINGS:
        database.execute(setting)


def limit_process() -> None:
    """Limits the memory that the process may still take, and its core dumps."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    taken = _address_space()
    if taken:
        resource.setrlimit(resource.RLIMIT_AS, (taken + _BEYOND, taken + _BEYOND))


def limit_processor(seconds: float) -> None:
    """Lets the kernel end the process if its threads use much more time than a statement may take."""
    used = time.process_time()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + _THREADS * (seconds + _SPARE_SECONDS)) + 1, most))


def _address_space() -> int:
    """Bytes of address space in use; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main()
