"""A bookshop in a DuckDB file with the names that people give tables: blanks, Chinese, reserved words."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import duckdb

# salary and hidden_view are in the file but in no layer.
TABLES = ("sale", "book", "order details", "门店月报", "select", "big")
_SCRIPT = """
CREATE TABLE book AS SELECT 'isbn-' || range AS isbn, 'The book ' || range AS title,
    ['novel', 'children', 'history'][1 + range % 3] AS genre, 5 + range % 30 AS price FROM range(60);
CREATE TABLE sale AS SELECT range AS sale_id, 'isbn-' || (range * 7 % 50) AS book_isbn,
    TIMESTAMP '2024-01-01' + to_hours((range * 13 % 12000)::INT) AS sold_at, 1 + range % 4 AS qty,
    ((range * 31) % 900) / 10.0 AS amount, ['paid', 'paid', 'paid', 'returned', NULL][1 + range % 5] AS status
    FROM range(3000);
CREATE TABLE "order details" AS SELECT range AS "order id", range % 9 AS "quantity (pcs)", 2.5 AS "unit price",
    range % 7 AS "free meal count (k-12)" FROM range(100);
CREATE TABLE "门店月报" AS SELECT 2024 + range % 2 AS "年", 1 + range % 12 AS "月", '门店' || range % 5 AS "门店",
    range * 10 AS "销售额" FROM range(120);
CREATE TABLE "select" AS SELECT range AS "group", range AS "order", range AS "from" FROM range(5);
CREATE TABLE big AS SELECT range AS n FROM range(20000);
CREATE TABLE salary AS SELECT 'person ' || range AS person, 1000 + range AS pay FROM range(10);
CREATE VIEW hidden_view AS SELECT * FROM salary;
"""


def write_shop(path: Path) -> None:
    """Writes the shop as a DuckDB file."""
    path.write_bytes(_shop())


@cache
def _shop() -> bytes:
    """The file, made once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.duckdb"
        with duckdb.connect(str(path)) as database:
            database.execute(_SCRIPT)
        return path.read_bytes()
