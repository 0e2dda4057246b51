"""Real faults in a real MySQL, made one after the other: what the checks say of each, and what `diagnose` concludes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql
import pytest
import yaml

from gateway.cli.main import main
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.mysql.executor import MysqlExecutor
from services.collector.failures import TargetUnreachable
from services.collector.model import Verdict
from services.collector.targets.connections import MysqlTarget
from tests.support.servers.mysql import PASSWORD, READER, MysqlServer, mysql

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[MysqlServer]:
    with mysql() as running:
        running.run("CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, customer INT, total INT, KEY (customer))")
        running.run("INSERT INTO orders (customer, total) VALUES (1, 1), (2, 2), (3, 3), (40, 40), (90, 90)")
        yield running


@pytest.fixture
def data(server: MysqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder whose targets file names the server, by the port of those who administer it."""
    monkeypatch.setenv("STOCK_PASSWORD", PASSWORD)
    entry = {"id": "stock", "kind": "mysql", "address": "127.0.0.1", "port": server.admin_port, "user": READER}
    entry |= {"tls": "verify-ca", "ca_file": str(server.folder / "data/ca.pem"), "password_env": "STOCK_PASSWORD"}
    (tmp_path / "targets.yaml").write_text(yaml.safe_dump({"targets": [entry]}))
    return tmp_path


def concluded(data: Path) -> str:
    """The root cause that a diagnosis finds; empty when it finds that nothing is wrong."""
    assert main(["diagnose", "--target", "stock", "--data-dir", str(data), "--json"]) == 0
    (folder,) = (data / "report").iterdir()
    assert PASSWORD not in "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    report: dict[str, Any] = json.loads((folder / "index/diagnosis_report.json").read_text())
    return str(report["root_cause"]["root_cause_id"]) if report["verdict"] == "found" else ""


def confirmed(target: MysqlTarget, name: str) -> set[str]:
    """The phenomena that a check of the catalogue sees."""

    async def looked() -> set[str]:
        check = shipped().checks[name]
        async with MysqlExecutor(target, time.monotonic) as look:
            findings = judge(check, await look.read(check, {}))[1]
        return {item.phenomenon_id for item in findings if item.verdict is Verdict.CONFIRMED}

    return asyncio.run(looked())


def test_a_server_at_rest_is_healthy(data: Path) -> None:
    """Just started and idle, nothing is wrong with it."""
    assert concluded(data) == ""


def test_full_connections(server: MysqlServer, data: Path) -> None:
    """Who has no slot of its own is refused, which tells it; the reader sees who holds them, asleep: a leak."""
    with contextlib.ExitStack() as held:
        _fill(server, held)
        with pytest.raises(TargetUnreachable) as full:
            confirmed(server.target(user="app", password="app"), "my.connections")
        assert full.value.refused_slots
        assert concluded(data) == "RC-2040"


def _fill(server: MysqlServer, held: contextlib.ExitStack) -> None:
    """Takes every slot; one that was just being given back counts as well."""
    refusals = 0
    while refusals < 3:
        try:
            held.enter_context(contextlib.closing(server.connect()))
        except pymysql.err.OperationalError:
            refusals += 1
            time.sleep(0.2)


def test_a_queue_for_a_metadata_lock(server: MysqlServer, data: Path) -> None:
    """A DDL behind an open transaction, and those behind the DDL, are told from waits for rows."""
    with contextlib.closing(server.connect()) as holder:
        holder.begin()
        holder.cursor().execute("SELECT count(*) FROM orders")
        with server.running("ALTER TABLE orders ADD COLUMN extra INT", *["SELECT count(*) FROM orders"] * 3):
            try:
                server.wait_for("state LIKE '%metadata lock%' AND time >= 6", 4)
                assert {"P-2028", "P-2029"} <= confirmed(server.target(), "my.metadata_locks")
                assert "P-2024" not in confirmed(server.target(), "my.locks")
                assert concluded(data) == "RC-2014"
            finally:
                holder.rollback()
    server.run("ALTER TABLE orders DROP COLUMN extra")


def test_a_forgotten_transaction(server: MysqlServer, data: Path) -> None:
    """Row locks of an idle session, all waits leading to it: a holder, no hot row."""
    with contextlib.closing(server.connect()) as holder:
        holder.begin()
        holder.cursor().execute("UPDATE orders SET total = total + 0 WHERE id <= 3")
        with server.running(*["UPDATE orders SET total = total + 0 WHERE id = 2"] * 4):
            try:
                server.wait_for("info LIKE 'UPDATE%' AND time >= 3", 4)
                assert {"P-2024", "P-2025", "P-2026"} <= confirmed(server.target(), "my.locks")
                assert concluded(data) == "RC-2012"
            finally:
                holder.rollback()


def test_a_long_transaction_that_keeps_undo(server: MysqlServer, data: Path) -> None:
    """An old snapshot under many updates: the history list grows, and the transaction is named, not the updates."""
    ends = threading.Event()

    def update() -> None:
        with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            while not ends.is_set():
                cursor.execute("UPDATE orders SET total = total + 1 WHERE id = %s", (1 + time.monotonic_ns() % 5,))

    with contextlib.closing(server.connect()) as holder:
        holder.cursor().execute("START TRANSACTION WITH CONSISTENT SNAPSHOT")
        threads = [threading.Thread(target=update) for _ in range(3)]
        try:
            for thread in threads:
                thread.start()
            _grown(server, 22, 2500)
            assert concluded(data) == "RC-2022"
        finally:
            ends.set()
            for thread in threads:
                thread.join()
            holder.rollback()


def _grown(server: MysqlServer, seconds: float, history: int) -> None:
    """Waits until so much history has been kept for so long."""
    began = time.monotonic()
    length = "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'"
    with contextlib.closing(server.connect("root", "")) as connection, connection.cursor() as cursor:
        while time.monotonic() < began + 90:
            cursor.execute(length)
            [(found,)] = cursor.fetchall()
            if found > history and time.monotonic() > began + seconds:
                return
            time.sleep(0.5)
    raise TimeoutError(f"the history list has not come to {history}")
