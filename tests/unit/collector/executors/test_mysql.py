from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lang.expressions import Reads
from services.chassis.errors import InvalidInput
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.catalogue.verdicts import judge
from services.collector.collector import Collector
from services.collector.evidence.evidence_store import Recorder
from services.collector.executors.mysql.executor import MysqlExecutor
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CollectRequest, CollectResponse, Verdict, value_of
from services.collector.targets.connections import MysqlTarget
from services.collector.targets.registry import Targets, read_targets
from services.collector.targets.schema import MysqlEntry, parse_entry
from tests.support.cases import for_each
from tests.support.servers.mysql import PASSWORD, READER, MysqlServer, mysql

CHECKS = {name: check for name, check in shipped().checks.items() if check.engine == "mysql"}


@pytest.fixture(scope="module")
def server() -> Iterator[MysqlServer]:
    with mysql() as running:
        running.run("CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, customer INT, total INT, KEY (customer))")
        running.run("INSERT INTO orders (customer, total) VALUES (1, 1), (2, 2), (3, 3), (40, 40), (90, 90)")
        yield running


def check_of(sql: str, **fields: Any) -> CatalogueCheck:
    """A check with one statement."""
    entry = {"id": "my.test", "name": {"zh": "测", "en": "test"}, "engine": "mysql", "sql": sql}
    return CatalogueCheck.model_validate({**entry, "signals": {"n": "n()"}, "findings": {}, **fields})


async def read(target: MysqlTarget, check: CatalogueCheck) -> Reads:
    """One look, with a connection of its own."""
    async with MysqlExecutor(target, time.monotonic) as look:
        return await look.read(check, {})


def said(target: MysqlTarget, name: str) -> dict[str, Verdict | None]:
    """What a check of the catalogue says."""
    check = CHECKS[name]
    return {finding.phenomenon_id: finding.verdict for finding in judge(check, asyncio.run(read(target, check)))[1]}


async def refused(target: MysqlTarget, sql: str, **fields: Any) -> str:
    """The reason why a statement brought nothing."""
    with pytest.raises(CheckFailed) as failed:
        await read(target, check_of(sql, **fields))
    return failed.value.reason


def test_every_check_is_answered_by_a_server(server: MysqlServer) -> None:
    """Each text of the catalogue runs as the reader, and on a server at rest confirms no sign of trouble."""
    routing = shipped().routing.categories.values()
    telling = {name for category in routing for name in category.speaks_for}

    async def run() -> dict[str, set[str]]:
        async with MysqlExecutor(server.target(), time.monotonic) as look:
            reads = await asyncio.gather(*(look.read(check, {}) for check in CHECKS.values()))
        judged = {check.id: judge(check, item)[1] for check, item in zip(CHECKS.values(), reads, strict=True)}
        return {
            name: {item.phenomenon_id for item in findings if item.verdict is Verdict.CONFIRMED} & telling
            for name, findings in judged.items()
        }

    assert len(CHECKS) >= 12
    assert asyncio.run(run()) == {name: set() for name in CHECKS}


@for_each(
    "statement",
    [
        "CREATE TABLE shop.made (a INT)",
        "INSERT INTO shop.orders (total) VALUES (1)",
        "UPDATE shop.orders SET total = 0",
        "DROP TABLE shop.orders",
        "SET GLOBAL max_connections = 10",
        "SELECT 1 AS a; DROP TABLE shop.orders",
        "CREATE USER other",
    ],
)
async def test_nothing_can_be_written(server: MysqlServer, statement: str) -> None:
    """Behind the gate stand the read-only transaction and one statement a call, also for an account with rights."""
    server.run(f"GRANT ALL ON shop.* TO {READER}", user="root", password="")
    try:
        await refused(server.target(), statement)
        with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT count(*), sum(total) FROM orders")
            assert cursor.fetchone() == (5, 136)
            cursor.execute("SHOW TABLES")
            assert cursor.fetchall() == (("orders",),)
    finally:
        server.run(f"REVOKE ALL ON shop.* FROM {READER}", user="root", password="")


async def test_reasons_are_told_apart(server: MysqlServer) -> None:
    """A missing privilege, relation, column, function and variable are unknown with their reason."""
    target = server.target()
    assert await refused(target, "SELECT user FROM mysql.user") == "missing_privilege"
    assert await refused(target, "SELECT 1 FROM performance_schema.nothing") in (
        "missing_privilege",
        "relation_not_there",
    )
    assert await refused(target, "SELECT nothing FROM performance_schema.threads") == "column_not_there"
    assert await refused(target, "SELECT nothing_of_the_kind") == "not_available_here"
    assert await refused(target, "SELECT nonsense FROM FROM") == "look_failed"


async def test_the_server_ends_what_takes_too_long(server: MysqlServer) -> None:
    """A statement beyond its time is ended by the server itself, and the connection goes on."""
    every = "performance_schema.setup_instruments"
    slow = f"SELECT max(concat(a.name, b.name, c.name)) AS a FROM {every} AS a, {every} AS b, {every} AS c"
    async with MysqlExecutor(server.target(), time.monotonic) as look:
        with pytest.raises(CheckFailed) as late:
            await look.read(check_of(slow, timeout_seconds=0.2), {})
        assert (late.value.reason, "3024" in late.value.message) == ("timed_out", True)
        assert (await look.read(check_of("SELECT 1 AS a"), {})).last == ({"a": 1.0},)


async def test_a_deadline_of_this_side_kills_the_statement(server: MysqlServer) -> None:
    """What the server does not end by itself is ended by a second connection; nothing of it is left there."""
    async with MysqlExecutor(server.target(), time.monotonic) as look:
        with pytest.raises(CheckFailed, match="did not end it itself"):
            await look.read(check_of("DO SLEEP(60)", timeout_seconds=0.2), {})
        left = check_of("SELECT count(*) AS a FROM performance_schema.threads WHERE processlist_info LIKE 'DO %'")
        assert (await look.read(left, {})).last == ({"a": 0.0},)


async def test_a_look_that_is_cancelled_ends_its_statement(server: MysqlServer) -> None:
    """When nobody waits any more the statement is ended on the server as well."""
    async with MysqlExecutor(server.target(), time.monotonic) as look:
        work = asyncio.ensure_future(look.read(check_of("DO SLEEP(60)", timeout_seconds=30), {}))
        await asyncio.to_thread(server.wait_for, "info LIKE 'DO %'", 1, READER)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await asyncio.to_thread(server.wait_for, "info LIKE 'DO %'", 0, READER)


async def test_rows_and_bytes_stop_at_their_caps(server: MysqlServer) -> None:
    """More rows, or more bytes, than allowed are not held, and it is said; the next check is answered."""
    async with MysqlExecutor(server.target(), time.monotonic) as look:
        many = await look.read(check_of("SELECT name FROM performance_schema.setup_instruments", max_rows=7), {})
        assert (len(many.last), many.truncated) == (7, True)
        large = check_of("SELECT repeat('x', 100000) AS a FROM performance_schema.setup_instruments", max_bytes=250_000)
        some = await look.read(large, {})
        assert (len(some.last), some.truncated) == (2, True)
        assert (await look.read(check_of("SELECT 1 AS a"), {})).last == ({"a": 1.0},)


async def test_its_own_sessions_are_left_out(server: MysqlServer) -> None:
    """With two executors open the server shows no connections, no transactions and no statements."""
    async with (
        MysqlExecutor(server.target(), time.monotonic) as one,
        MysqlExecutor(server.target(), time.monotonic) as two,
    ):
        for look in (one, two):
            signals, _ = judge(CHECKS["my.connections"], await look.read(CHECKS["my.connections"], {}))
            assert {item.name: value_of(item) for item in signals}["connected"] == 0
        signals, _ = judge(CHECKS["my.running"], await one.read(CHECKS["my.running"], {}))
        assert {item.name: value_of(item) for item in signals}["running"] == 0


async def test_a_lost_connection_is_made_anew(server: MysqlServer) -> None:
    """A session that the server ended fails one check; the next one connects again."""
    async with MysqlExecutor(server.target(), time.monotonic) as look:
        [row] = (await look.read(check_of("SELECT connection_id() AS a"), {})).last
        server.run(f"KILL {row['a']:.0f}", user="root", password="")
        with pytest.raises(CheckFailed):
            await look.read(check_of("SELECT 1 AS a"), {})
        assert (await look.read(check_of("SELECT 1 AS a"), {})).last == ({"a": 1.0},)


async def test_encryption_is_verified_unless_said_otherwise(server: MysqlServer) -> None:
    """By default a server whose certificate nobody vouches for is refused; with its authority it is taken."""
    authority = server.folder / "data/ca.pem"
    for change in ({"tls": "verify-full"}, {"tls": "verify-full", "ca_file": authority}, {"tls": "verify-ca"}):
        with pytest.raises(TargetUnreachable, match="certificate"):
            await read(server.target(**change), check_of("SELECT 1 AS a"))
    own = "FROM performance_schema.threads WHERE processlist_id = connection_id()"
    cipher = check_of(f"SELECT sum(connection_type = 'SSL/TLS') AS a {own}")
    assert (await read(server.target(tls="verify-ca", ca_file=authority), cipher)).last == ({"a": 1.0},)
    assert (await read(server.target(socket=server.folder / "socket"), cipher)).last == ({"a": 0.0},)


async def test_no_secret_leaves_the_collector(
    server: MysqlServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The password is in no result, no record and no log, whether it opens or not."""
    caplog.set_level(logging.DEBUG)
    for name, password in (("right", PASSWORD), ("wrong", "wrong-" + PASSWORD)):
        entry = {"id": name, "kind": "mysql", "address": "127.0.0.1", "port": server.port, "user": READER, "tls": "off"}
        targets = Targets((parse_entry({**entry, "password_env": "MY"}),), {"MY": password})
        recorder = Recorder(tmp_path / name, str, lambda: 9.0)
        built = Collector(shipped(), targets, Gate(shipped(), Limits(), time.monotonic), recorder, str, time.monotonic)
        results: list[CollectResponse] = []
        request = CollectRequest("s", name, checks=(CheckCall("my.settings"),))
        with contextlib.suppress(Exception):
            results += [item async for item in built.collect(request)]
        kept = "".join(path.read_text() for path in (tmp_path / name).rglob("*") if path.is_file())
        assert PASSWORD not in kept + repr(results) + caplog.text
        assert ("Access denied" in kept) is (name == "wrong")
        assert {item.outcome for item in results} <= {CheckOutcome.DONE if name == "right" else CheckOutcome.FAILED}


@for_each("greeting", [None, b"", b"\x00", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 70_000])
async def test_what_is_no_mysql_server_is_unreachable(greeting: bytes | None) -> None:
    """Whatever answers there, it is told that the target could not be reached, and nothing hangs."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            peer, _ = listener.accept()
            with peer, contextlib.suppress(OSError):
                if greeting is None:
                    peer.recv(1)
                else:
                    peer.sendall(greeting)

        thread = threading.Thread(target=answer)
        thread.start()
        target = MysqlTarget("stock", "127.0.0.1", listener.getsockname()[1], READER, tls="off", password=PASSWORD)
        with pytest.raises(TargetUnreachable) as unreached:
            await MysqlExecutor(target, time.monotonic, connect_seconds=1).__aenter__()
        thread.join()
    assert PASSWORD not in str(unreached.value) + repr(target)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ("user: u", "an address or a socket"),
        ("user: u, address: h, socket: /s", "an address or a socket"),
        ("address: h", "user"),
        ("user: u, address: h, tls: maybe", "tls"),
        ("user: u, address: h, password: hunter2", "password"),
        ("user: u, address: h, host: nowhere", "the host of a is 'nowhere'"),
    ],
)
def test_an_entry_with_an_error_names_its_field(tmp_path: Path, fields: str, text: str) -> None:
    """A mysql target that cannot be meant so is refused, and what stood there is not shown."""
    path = tmp_path / "targets.yaml"
    path.write_text(f"targets: [{{id: a, kind: mysql, {fields}}}]")
    with pytest.raises(InvalidInput, match=text) as failed:
        read_targets(path, {})
    assert "hunter2" not in failed.value.message


def test_an_entry_leads_to_its_server(tmp_path: Path) -> None:
    """Address, encryption and secret of the file arrive; by default the server's certificate is verified."""
    path = tmp_path / "targets.yaml"
    path.write_text("targets: [{id: a, kind: mysql, address: h, user: u, password_env: MY, host_here: true}]")
    targets = read_targets(path, {"MY": PASSWORD})
    entry = targets.entry("a")
    assert isinstance(entry, MysqlEntry)
    target = targets.mysql(entry)
    assert (target.address, target.port, target.tls, target.password) == ("h", 3306, "verify-full", PASSWORD)
    assert targets.engines("a") == ("mysql", "host")
