"""Takes from DuckDB and from its process all that a query does not need."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import duckdb

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
