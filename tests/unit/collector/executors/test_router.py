"""The processes of a database's host: the database's own are no other process's trouble."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest

from lang.expressions import Reads
from services.collector.catalogue.reader import shipped
from services.collector.executors.postgres.pool import PostgresPool
from services.collector.executors.router import Router
from services.collector.targets.registry import Targets
from services.collector.targets.schema import parse_entry

pytestmark = pytest.mark.sampled

DATABASES = {"postgres": {"conninfo": "host=x dbname=y"}, "mysql": {"address": "x", "user": "u"}}
KINDS = ("postgres", "mysql", "host")
# The column that names a program, by check.
COLUMNS = {"host.processes": "name", "host.threads": "program"}
PROGRAMS = {"postgres": "postgres", "mysql": "mysqld"}


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A process that burns a core under the name of each database server, and one under another."""
    folder, shell = tmp_path_factory.mktemp("programs"), Path(shutil.which("dash") or "/bin/sh").resolve()
    with ExitStack() as running:
        for name in (*PROGRAMS.values(), "elsewhere"):
            shutil.copy(shell, folder / name)
            process = running.enter_context(subprocess.Popen([folder / name, "-c", "while :; do :; done"]))
            running.callback(process.kill)
        yield


async def read(check_id: str, kind: str) -> Reads:
    """What a check reads of this host on behalf of a target of the kind."""
    here = {} if kind == "host" else {"host_here": True}
    entry = parse_entry({"id": "it", "kind": kind} | DATABASES.get(kind, {}) | here)
    async with Router(Targets((entry,), os.environ), entry, time.monotonic, PostgresPool()) as router:
        return await router.read(shipped().checks[check_id], {})


@pytest.fixture(scope="module")
def reads_of(busy: None) -> dict[tuple[str, str], Reads]:
    """What each check reads for each kind, all in the same seconds: as long as they last, whole cores are burnt."""
    asked = list(product(COLUMNS, KINDS))

    async def run() -> list[Reads]:
        return await asyncio.gather(*(read(*one) for one in asked))

    return dict(zip(asked, asyncio.run(run()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("check_id", COLUMNS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_database_is_not_one_of_the_other_processes(
    kind: str, check_id: str, reads_of: dict[tuple[str, str], Reads]
) -> None:
    """Looked at for a database, its host's processes and threads are those of others; for the host alone, all."""
    reads, column = reads_of[check_id, kind], COLUMNS[check_id]
    programs = {str(row[column]) for rows in reads.reads for row in rows}
    own = PROGRAMS.get(kind, "")
    assert own not in programs
    # Threads are read of the few busiest processes alone, whichever these are on this machine.
    assert check_id == "host.threads" or {"elsewhere", *PROGRAMS.values()} - {own} <= programs
