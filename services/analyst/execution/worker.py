"""The child process that holds a dataset: loads its sources, locks DuckDB, runs one statement a line of standard input.

Each request and each answer is one line of JSON. A statement runs on a connection of its own, which is closed after it.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import resource
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import duckdb

from services.analyst.execution.sources import open_sources

_MEMORY = "1GB"
_THREADS = 2
_ADDRESS_SPACE = 8 << 30
_CELL = 2_000
_READS = ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN])


def main() -> None:
    """Reads {"sources": [...]} first, then {"sql", "max_rows", "max_bytes", "seconds"} a line."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    with tempfile.TemporaryDirectory(prefix="dbdiag-data-") as folder:
        try:
            database = open_sources([Path(each) for each in json.loads(sys.stdin.readline())["sources"]], Path(folder))
            _lock(database)
        except (OSError, ValueError, duckdb.Error) as error:
            _answer({"error": _words(error), "kind": "source"})
            return
        _answer({"ready": True})
        for line in sys.stdin:
            _answer(_run(database, json.loads(line)))


def _lock(database: duckdb.DuckDBPyConnection) -> None:
    """No file, no network, no extension, and no way to change that; the order matters: the lock comes last."""
    database.execute(f"SET threads = {_THREADS}")
    database.execute(f"SET memory_limit = '{_MEMORY}'")
    database.execute("SET autoinstall_known_extensions = false")
    database.execute("SET autoload_known_extensions = false")
    database.execute("SET allow_community_extensions = false")
    database.execute("SET python_enable_replacements = false")
    database.execute("SET enable_external_access = false")
    database.execute("SET lock_configuration = true")


def _run(database: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> dict[str, Any]:
    connection = database.cursor()
    timer = threading.Timer(request["seconds"], connection.interrupt)
    timer.start()
    started = time.monotonic()
    try:
        if [statement.type for statement in connection.extract_statements(request["sql"])] not in _READS:
            return {"error": "not one query", "kind": "sql"}
        connection.execute("BEGIN TRANSACTION READ ONLY")
        result = connection.execute(request["sql"])
        described = result.description or []
        rows = result.fetchmany(request["max_rows"] + 1)
        kept, cut = _within(rows, request["max_rows"], request["max_bytes"])
        return {
            "columns": [[str(column[0]), str(column[1])] for column in described],
            "rows": kept,
            "truncated": cut,
            "seconds": time.monotonic() - started,
        }
    except duckdb.InterruptException:
        return {"error": "", "kind": "slow"}
    except (duckdb.Error, MemoryError, RuntimeError) as error:
        return {"error": _words(error), "kind": "memory" if isinstance(error, duckdb.OutOfMemoryException) else "sql"}
    finally:
        timer.cancel()
        connection.close()


def _within(rows: list[Any], max_rows: int, max_bytes: int) -> tuple[list[list[Any]], bool]:
    kept: list[list[Any]] = []
    size = 0
    for row in rows[:max_rows]:
        cells = [_cell(value) for value in row]
        size += sum(len(each) if isinstance(each, str) else 8 for each in cells)
        if size > max_bytes:
            return kept, True
        kept.append(cells)
    return kept, len(rows) > max_rows


def _cell(value: Any) -> Any:
    """A value as JSON has it; text is cut."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case decimal.Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat(" ") if isinstance(value, dt.datetime) else value.isoformat()
        case dt.timedelta():
            return value.total_seconds()
        case str() | uuid.UUID():
            return str(value)[:_CELL]
        case bytes():
            return f"{len(value)} bytes"
    return str(value)[:_CELL]


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:1_000]


def _answer(body: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(body, ensure_ascii=False) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
