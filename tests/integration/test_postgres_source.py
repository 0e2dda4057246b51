"""A dataset out of a real PostgreSQL."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from urllib.parse import quote

import psycopg
import pytest

from services.analyst.describing.drafting import draft_layer
from services.analyst.execution.runner import Runner
from services.analyst.sources.source import source_of
from tests.support.servers.postgres import postgres

pytestmark = pytest.mark.slow

_SCRIPT = """
CREATE TABLE customer (customer_id int PRIMARY KEY, name text, joined date);
CREATE TABLE "Order Lines" (id bigserial PRIMARY KEY, customer_id int REFERENCES customer, amount numeric(10,2),
    note text, at timestamptz, paid boolean);
CREATE SCHEMA other;
CREATE TABLE other.secret_plan (id int);
CREATE VIEW big_orders AS SELECT * FROM "Order Lines" WHERE amount > 50;
INSERT INTO customer SELECT n, 'Customer ' || n, date '2024-01-01' + n FROM generate_series(1, 20) n;
INSERT INTO "Order Lines" (customer_id, amount, note, at, paid)
    SELECT 1 + n % 20, n, CASE WHEN n % 2 = 0 THEN 'a "quoted", note' END, timestamptz '2024-05-01 10:00:00+00',
    n % 3 = 0
    FROM generate_series(1, 100) n;
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of a server with a small shop in it."""
    with postgres() as conninfo:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute(_SCRIPT)
        parts = dict(part.split("=", 1) for part in conninfo.split())
        yield f"postgresql://{parts['user']}@/{parts['dbname']}?host={quote(parts['host'], safe='')}"


async def test_tables_are_copied_with_their_types_and_keys(url: str) -> None:
    """Tables and views of a PostgreSQL come with types, NULLs, keys and references, and nothing is changed there."""
    runner = Runner([source_of(url)])
    catalog = await runner.open()
    assert sorted(catalog.tables) == ["Order Lines", "big_orders", "customer", "secret_plan"]
    assert list(catalog.tables["Order Lines"].columns.values()) == [
        "BIGINT", "BIGINT", "DOUBLE", "VARCHAR", "TIMESTAMP", "BOOLEAN",
    ]  # fmt: skip
    assert catalog.tables["customer"].key == ("customer_id",)
    assert [(key.column, key.to_table) for key in catalog.foreign_keys] == [("customer_id", "customer")]
    found = await runner.run('SELECT count(*), sum(amount), count(note), min(note) FROM "Order Lines"')
    assert found.rows == ((100, 5050.0, 50, 'a "quoted", note'),)
    await runner.close()


async def test_only_the_tables_that_are_named_are_read(url: str) -> None:
    """With names only those tables are copied, and a layer can be drafted of them."""
    runner = Runner([source_of(url, ["customer", "Order Lines"])])
    layer = await draft_layer(runner, "shop", dt.date(2024, 6, 1))
    assert [table.name for table in layer.tables] == ["Order Lines", "customer"]
    assert [(join.left, join.right) for join in layer.joins] == [('"Order Lines".customer_id', "customer.customer_id")]
    await runner.close()
