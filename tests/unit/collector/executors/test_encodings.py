"""Databases whose text is no UTF-8: what a check compares is text all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psycopg
import pytest

from services.collector.catalogue.reader import shipped
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.catalogue.verdicts import judge
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.model import Finding, Verdict
from services.collector.targets.connections import PostgresTarget
from tests.support.cases import for_each
from tests.support.servers.postgres import postgres

ENCODINGS = {"SQL_ASCII": b"caf\xe9 \xff", "LATIN1": b"caf\xe9", "EUC_CN": b"\xb6\xa9\xb5\xa5", "UTF8": "订单".encode()}
_SESSIONS = ["pg.sessions", "pg.settings", "pg.locks", "pg.tables"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server with a database in each encoding, in which a table and a session have names of its letters."""
    with postgres(fsync="on", full_page_writes="on") as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        for encoding, name in ENCODINGS.items():
            connection.execute(
                f"CREATE DATABASE of_{encoding.lower()} ENCODING '{encoding}' TEMPLATE template0 "
                "LC_COLLATE 'C' LC_CTYPE 'C'"
            )
            with psycopg.connect(_within(dsn, encoding), autocommit=True) as there:
                there.execute(f"SET client_encoding = '{encoding}'")
                there.execute(b'CREATE TABLE "' + name + b'" (a int)')
        yield dsn


def _within(dsn: str, encoding: str) -> str:
    return dsn.replace("dbname=postgres", f"dbname=of_{encoding.lower()}")


async def found(dsn: str, check_id: str) -> dict[str, Finding]:
    """What a check of the catalogue says."""
    check = shipped().checks[check_id]
    async with PostgresExecutor(PostgresTarget("t", dsn), time.monotonic) as look:
        return {finding.phenomenon_id: finding for finding in judge(check, await look.read(check, {}))[1]}


@for_each("check_id", _SESSIONS)
async def test_a_calm_server_is_told_alike_in_every_encoding(server: str, check_id: str) -> None:
    """Whatever a database is encoded in, a check confirms there what it confirms beside it, and nothing besides."""
    told = {
        encoding: {
            name
            for name, finding in (await found(_within(server, encoding), check_id)).items()
            if finding.verdict is Verdict.CONFIRMED
        }
        for encoding in ENCODINGS
    }
    assert len({frozenset(names) for names in told.values()}) == 1


@for_each("encoding", ENCODINGS)
async def test_settings_are_read_as_text(server: str, encoding: str) -> None:
    """That full page writes are on is seen for what it is."""
    settings = await found(_within(server, encoding), "pg.settings")
    assert not [item for item in settings.values() if "full_page_writes = no" in item.words]


@for_each("encoding", ENCODINGS)
async def test_names_in_other_letters_end_no_look(server: str, encoding: str) -> None:
    """A relation's name comes back as text, with a sign for what is no letter."""
    statement = "SELECT relname AS name, relname::text AS text FROM pg_class WHERE relkind = 'r' ORDER BY oid DESC"
    built = CatalogueCheck.model_validate(
        {
            "id": "t.names",
            "name": {"zh": "名", "en": "names"},
            "engine": "postgres",
            "sql": statement,
            "max_rows": 1,
            "signals": {"n": "n()"},
            "findings": {},
        }
    )
    async with PostgresExecutor(PostgresTarget("t", _within(server, encoding)), time.monotonic) as look:
        [row] = (await look.read(built, {})).last
    expected = ENCODINGS[encoding].decode("gb2312" if encoding == "EUC_CN" else "utf-8", errors="replace")
    assert row["name"] == row["text"]
    assert row["name"] == ("café" if encoding == "LATIN1" else expected)
