"""Lint names each error of a layer by its place; check names what came, what went, and examples that changed."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from gateway.cli.dataset.dataset import dataset as command
from services.analyst.dataset_files import Located, check, lint
from tests.support.data import warehouse
from tests.support.data.ugly_shop import write_shop

pytestmark = pytest.mark.sampled

_TODAY = dt.date(2025, 6, 18)
_LAYER = """version: 1
dataset: shop
as_of: 2025-06-18
tables:
  - {name: sale, key: sale_id, time: sold_at}
  - {name: book, key: isbn}
joins:
  - {left: sale.book_isbn, right: book.isbn, type: many_to_one}
metrics:
  - {id: revenue, name: {zh: 销售额, en: revenue}, synonyms: [sales], table: sale, expr: sum(sale.amount)}
  - {id: return_rate, name: {en: return rate}, type: ratio, table: sale,
     numerator: count(*) FILTER (WHERE sale.status = 'returned'), denominator: count(*)}
dimensions:
  - {id: genre, name: {zh: 类别, en: genre}, column: book.genre,
     values: {novel: [小说], children: [童书], history: [历史]}}
  - {id: status, name: {en: status}, column: sale.status, order: [paid, returned]}
hierarchies:
  - {id: shelf, levels: [genre]}
exclusions:
  - {id: no_returns, name: {en: without returns}, table: sale, expr: "sale.status <> 'returned'"}
examples:
  - {question: what is the revenue, sql: SELECT sum(amount) FROM sale, expect: [[REVENUE]]}
  - {question: revenue by genre, intent: {metrics: [revenue], dimensions: [genre]}}
"""


class Shop:
    """The shop's database and a layer beside it."""

    def __init__(self, folder: Path) -> None:
        self.data, self.layer = folder / "shop.duckdb", folder / "shop.yaml"
        write_shop(self.data)
        with duckdb.connect(str(self.data), read_only=True) as database:
            revenue = database.execute("SELECT sum(amount) FROM sale").fetchone()
        assert revenue is not None
        self.text = _LAYER.replace("REVENUE", str(revenue[0]))

    def write(self, old: str = "", new: str = "") -> Path:
        """The layer with a change in it."""
        assert old in self.text
        self.layer.write_text(self.text.replace(old, new, 1) if old else self.text, "utf-8")
        return self.layer

    def change(self, script: str) -> None:
        """Changes the data."""
        with duckdb.connect(str(self.data)) as database:
            database.execute(script)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop of its own."""
    return Shop(tmp_path)


def said(found: list[Located], *severities: str) -> list[tuple[int, str, str]]:
    """Line, key and reason of findings."""
    wanted = severities or ("error", "warning")
    return [(one.line, one.finding.key, one.finding.message.key) for one in found if one.finding.severity in wanted]


def test_a_right_layer_has_no_finding(shop: Shop) -> None:
    """Nothing is found in a layer that fits its data, nor drift in one that has not changed."""
    assert lint(shop.write(), (), _TODAY) == []
    assert said(check(shop.write(), (), _TODAY)) == []


@pytest.mark.slow
def test_the_warehouse_has_no_error(tmp_path: Path) -> None:
    """The layer of the warehouse, with its roles, filters and exclusions, has no error."""
    warehouse.write(tmp_path / "retail.duckdb", 0.02)
    found = lint(warehouse.LAYER, [str(tmp_path / "retail.duckdb")], _TODAY)
    assert [(one.finding.key, one.finding.message.text()) for one in found if one.finding.severity == "error"] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("{name: book,", "{name: boook,", ("error", "tables.1.name", "lint.unknown_table")),
        ("key: sale_id", "key: sale_no", ("error", "tables.0.key", "lint.unknown_column")),
        ("time: sold_at", "time: sold_on", ("error", "tables.0.time", "lint.unknown_column")),
        ("time: sold_at", "time: qty", ("error", "tables.0.time", "lint.no_time")),
        ("time: sold_at", "time: {year: jahr}", ("error", "tables.0.time.year", "lint.unknown_column")),
        ("key: sale_id", "key: qty", ("error", "tables.0.key", "lint.key_twice")),
        ("right: book.isbn", "right: book.id", ("error", "joins.0.right", "lint.unknown_column")),
        ("right: book.isbn", "right: book.genre", ("error", "joins.0.right", "lint.join_multiplies")),
        ("many_to_one", "one_to_one", ("error", "joins.0.left", "lint.not_one_to_one")),
        ("column: book.genre", "column: book.kind", ("error", "dimensions.0.column", "lint.unknown_column")),
        ("column: book.genre", "column: genre", ("error", "dimensions.0.column", "lint.no_table")),
        ("levels: [genre]", "levels: [kind]", ("error", "hierarchies.0.levels.0", "lint.unknown_dimension")),
        ("[sales]", "[status]", ("error", "dimensions.1", "lint.word_twice")),
        ("children: [童书]", "children: [小说]", ("error", "dimensions.0.values.children", "lint.value_word_twice")),
        (
            "children: [童书]",
            "children: [销售额]",
            ("warning", "dimensions.0.values.children", "lint.value_word_is_name"),
        ),
        ("history: [历史]", "poetry: [诗歌]", ("warning", "dimensions.0.values.poetry", "lint.unknown_value")),
        ("[paid, returned]", "[paid, lost]", ("warning", "dimensions.1.order.1", "lint.unknown_value")),
        ("expr: sum(sale.amount)", "expr: sum(sale.total)", ("error", "metrics.0", "lint.metric_fails")),
        ("expr: sum(sale.amount)", "expr: sum(sale.status)", ("error", "metrics.0", "lint.metric_fails")),
        ("expr: sum(sale.amount)", "expr: sale.amount", ("error", "metrics.0.expr", "lint.no_aggregate")),
        ("expr: sum(sale.amount)", "expr: sum(sale.amount", ("error", "metrics.0.expr", "lint.expression")),
        (
            "table: sale, expr: sum(sale.amount)",
            "table: book, expr: sum(sale.amount)",
            ("error", "metrics.0", "lint.metric_fails"),
        ),
        (
            "table: sale, expr: sum(sale.amount)",
            "table: shop, expr: count(*)",
            ("error", "metrics.0", "lint.metric_fails"),
        ),
        (
            "expr: sum(sale.amount)",
            "expr: sum(sale.amount), default_filters: [\"sale.status = 'x'\"]",
            ("warning", "metrics.0", "lint.metric_empty"),
        ),
        ("\"sale.status <> 'returned'\"", "sale.gone", ("error", "exclusions.0.expr", "lint.condition_fails")),
    ],
)
def test_each_error_is_found_at_its_place(old: str, new: str, expected: tuple[str, str, str], shop: Shop) -> None:
    """One wrong entry gives a finding with its severity, key, reason and line."""
    found = lint(shop.write(old, new), (), _TODAY)
    assert expected in [(one.finding.severity, one.finding.key, one.finding.message.key) for one in found]
    wrong = next(one for one in found if (one.finding.key, one.finding.message.key) == expected[1:])
    assert old.split(",")[0].strip('{["') in shop.text.splitlines()[wrong.line - 1] or wrong.line > 3
    for language in ("en", "zh"):
        assert "{" not in wrong.finding.message.text(language)


@pytest.mark.slow
def test_a_join_that_loses_rows_must_be_optional(shop: Shop) -> None:
    """Rows without a match are a warning, and none where the join says that it is optional."""
    shop.change("DELETE FROM book WHERE isbn < 'isbn-3'")
    assert ("joins.0", "lint.join_loses") in [each[1:] for each in said(lint(shop.write(), (), _TODAY))]
    optional = shop.write("type: many_to_one}", "type: many_to_one, optional: true}")
    assert said(lint(optional, (), _TODAY)) == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("ALTER TABLE book RENAME genre TO kind", ("error", "drift.column_went")),
        ("DROP VIEW hidden_view; ALTER TABLE book RENAME TO books", ("error", "drift.table_went")),
        ("ALTER TABLE book ADD COLUMN publisher VARCHAR", ("note", "drift.columns_came")),
        ("CREATE TABLE gift (id INT)", ("note", "drift.table_came")),
        ("UPDATE book SET genre = 'poetry' WHERE price = 7", ("warning", "drift.values_came")),
        ("DELETE FROM book WHERE genre = 'history'", ("warning", "lint.unknown_value")),
        ("UPDATE sale SET amount = amount + 1", ("error", "drift.example_differs")),
        ("ALTER TABLE sale RENAME amount TO total", ("error", "drift.example_fails")),
    ],
)
def test_drift_is_found(script: str, expected: tuple[str, str], shop: Shop) -> None:
    """Each change of the data behind a layer's back is named."""
    layer = shop.write()
    shop.change(script)
    found = check(layer, (), _TODAY)
    assert expected in [(one.finding.severity, one.finding.message.key) for one in found]


@pytest.mark.slow
def test_the_command_line_says_line_and_exit_code(shop: Shop) -> None:
    """`dataset lint` prints file, line and message in the language of the verb and exits with 1 for an error."""
    run = CliRunner().invoke
    right = run(command, ["lint", str(shop.write())], standalone_mode=False)
    assert right.return_value == 0
    wrong = run(command, ["lint", str(shop.write("column: book.genre", "column: book.kind"))], standalone_mode=False)
    assert wrong.return_value == 1
    assert "shop.yaml:14: error: dimensions.0.column: the table book has no column kind" in wrong.output
    as_json = run(command, ["check", str(shop.layer), "--json"], standalone_mode=False)
    body = json.loads(as_json.output)
    assert body["errors"] == 2
    assert {one["reason"] for one in body["findings"]} >= {"drift.column_went"}


@pytest.mark.slow
def test_the_command_line_drafts_a_layer(shop: Shop, tmp_path: Path) -> None:
    """`dataset describe` writes a file that lint accepts, and does not overwrite one without being told to."""
    run = CliRunner().invoke
    arguments = ["describe", str(shop.data), "--out", str(tmp_path / "drafted.yaml"), "--name", "shop"]
    assert run(command, arguments, standalone_mode=False).return_value == 0
    assert isinstance(run(command, arguments, standalone_mode=False).exception, Exception)
    linted = run(command, ["lint", str(tmp_path / "drafted.yaml"), "--database", str(shop.data)], standalone_mode=False)
    assert linted.return_value == 0, linted.output
    body = json.loads(run(command, ["describe", str(shop.data), "--json"], standalone_mode=False).output)
    assert body["tables"] == 8
    assert body["yaml"].startswith("# ")
