"""Whatever data people have becomes tables, or is refused by name."""

from __future__ import annotations

import csv
import datetime as dt
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest

from services.analyst.execution.runner import ResultRows, Runner
from services.analyst.sources.inventory import Catalog
from services.analyst.sources.source import Rows, Source, source_of
from services.chassis.errors import InvalidInput

pytestmark = pytest.mark.sampled


async def read(*sources: Source | Path, query: str = "") -> tuple[Catalog, ResultRows | None]:
    """What sources hold, and the answer to a query on them."""
    runner = Runner([each if isinstance(each, Source) else source_of(each) for each in sources])
    try:
        catalog = await runner.open()
        return catalog, await runner.run(query) if query else None
    finally:
        await runner.close()


async def rows_of(place: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query on one source."""
    _, found = await read(place, query=query)
    assert found is not None
    return list(found.rows)


async def refusal(place: Path) -> str:
    """The message with which a source is refused."""
    with pytest.raises(InvalidInput) as caught:
        await read(place)
    assert caught.value.reason == "data_unreadable"
    return caught.value.message


async def test_a_column_gets_the_type_that_all_values_fit(tmp_path: Path) -> None:
    """Whole numbers, fractions, dates in several forms, times, truth and texts are told apart; codes stay texts."""
    header = "n,amount,day,slashed,said,moment,flag,code,city,us,mixed"
    lines = [
        '1,"1,200.50",2024-01-05,2024/1/5,2024年1月5日,2024-01-05 10:00:00,true,007,上海,1/31/2024,5',
        "2,¥3,2024-02-07,2024/2/7,2024年2月7日,2024-02-07 11:30:00,false,012,北京,2/1/2024,n/a",
        "3,N/A,2024-03-01,2024/3/1,2024年3月1日,2024-03-01 23:59:59,true,100,,3/9/2024,many",
    ]
    (tmp_path / "t.csv").write_text("\n".join([header, *lines]), "utf-8")
    catalog, found = await read(tmp_path / "t.csv", query="SELECT amount, slashed, code, city, mixed FROM t ORDER BY n")
    assert list(catalog.tables["t"].columns.values()) == [
        "BIGINT", "DOUBLE", "DATE", "DATE", "DATE", "TIMESTAMP", "BOOLEAN", "VARCHAR", "VARCHAR", "DATE", "VARCHAR",
    ]  # fmt: skip
    assert found is not None
    assert found.rows == (
        (1200.5, "2024-01-05", "007", "上海", "5"),
        (3.0, "2024-02-07", "012", "北京", "n/a"),
        (None, "2024-03-01", "100", None, "many"),
    )
    assert [note.key for note in catalog.notes] == ["source_note.missing_marks"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16"])
async def test_encodings_are_recognised(encoding: str, tmp_path: Path) -> None:
    """Chinese texts are read in the encodings that programs write."""
    (tmp_path / "水果.csv").write_bytes("名称,数量\n苹果,1\n香蕉,2\n".encode(encoding))
    assert await rows_of(tmp_path / "水果.csv", "SELECT sum(数量), min(名称) FROM 水果") == [(3, "苹果")]


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("a,a,,select\n1,2,3,4\n", ["a", "a_2", "column_3", "select"], 1),
        ("a,b\n1,2\n3\n4,5,6\n", ["a", "b", "column_3"], 3),
        ("a;b\n1,5;2\n", ["a", "b"], 1),
        ("a\tb\n1\t2\n", ["a", "b"], 1),
        ("1,x\n2,y\n", ["column_1", "column_2"], 2),
        ("name,2023,2024\nx,1,2\n", ["name", "2023", "2024"], 1),
        ('"a ""quoted"" name","line\nbreak"\n1,2\n', ['a "quoted" name', "line break"], 1),
        ("a,b\n", ["a", "b"], 0),
        ("only\n1\n\n2\n", ["only"], 2),
    ],
)
async def test_ragged_and_odd_files_lose_no_row(text: str, columns: list[str], rows: int, tmp_path: Path) -> None:
    """Double, empty and quoted names, short and long rows, other delimiters and no header all become a table."""
    (tmp_path / "t.csv").write_text(text, "utf-8")
    catalog, _ = await read(tmp_path / "t.csv")
    assert list(catalog.tables["t"].columns) == columns
    assert catalog.tables["t"].row_count == rows


@pytest.mark.slow
async def test_names_may_be_anything(tmp_path: Path) -> None:
    """Tables and columns with blanks, reserved words, quotes and 300 columns can be queried."""
    header = ",".join(f'"column ""{n}"" of many"' for n in range(299)) + ",select"
    (tmp_path / "order details 2024.csv").write_text(header + "\n" + ",".join("7" * 300) + "\n", "utf-8")
    query = 'SELECT "column ""298"" of many" + "select" FROM "order details 2024"'
    assert await rows_of(tmp_path / "order details 2024.csv", query) == [(14,)]


async def test_excel_sheets_are_tables(tmp_path: Path) -> None:
    """Each sheet is a table; titles above the header are skipped, dates are dates, codes stay texts."""
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "销售"
    for row in (
        ["2024 年销售"],
        [],
        ["日期", "金额", "编码"],
        [dt.datetime(2024, 1, 5), 10.5, "007"],
        [None, None, None],
    ):
        first.append(row)
    book.create_sheet("empty")
    second = book.create_sheet("more")
    second.append(["a", "b"])
    second.append([1, "x"])
    book.save(tmp_path / "book.xlsx")
    catalog, found = await read(tmp_path / "book.xlsx", query="SELECT 日期, 金额, 编码 FROM 销售")
    assert found is not None
    assert found.rows == (("2024-01-05", 10.5, "007"),)
    assert sorted(catalog.tables) == ["more", "销售"]


async def test_sqlite_keeps_declared_types_where_values_fit(tmp_path: Path) -> None:
    """Declared texts stay texts, a number column with a word in it becomes text, keys and references are known."""
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as database:
        database.executescript(
            """CREATE TABLE parent (code TEXT PRIMARY KEY, "full name" TEXT);
            CREATE TABLE child (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parent, n INTEGER, born DATE, x REAL);
            INSERT INTO parent VALUES ('01', 'One'), ('02', NULL);
            INSERT INTO child VALUES (1, '01', 5, '1990-01-02', 1), (2, '02', 'many', '1991-02-03', 2.5);"""
        )
    catalog, found = await read(tmp_path / "a.sqlite", query="SELECT n, born, x, parent FROM child ORDER BY id")
    assert found is not None
    assert found.rows == (("5", "1990-01-02", 1.0, "01"), ("many", "1991-02-03", 2.5, "02"))
    assert catalog.tables["parent"].key == ("code",)
    assert [(key.column, key.to_table, key.to_column) for key in catalog.foreign_keys] == [("parent", "parent", "code")]


async def test_parquet_json_and_duckdb_are_read(tmp_path: Path) -> None:
    """Files of each kind in one folder are tables of one dataset."""
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT 1 AS a) TO '{tmp_path / 'p.parquet'}'")
    with duckdb.connect(str(tmp_path / "d.duckdb")) as database:
        database.execute("CREATE TABLE inside AS SELECT 2 AS a")
    (tmp_path / "j.json").write_text(json.dumps([{"a": 3}, {"a": 4, "b": "x"}]))
    (tmp_path / "l.jsonl").write_text('{"a": 5}\n{"a": 6}\n')
    query = "SELECT (SELECT sum(a) FROM p), (SELECT sum(a) FROM inside), (SELECT sum(a) FROM j), (SELECT sum(a) FROM l)"
    assert await rows_of(tmp_path, query) == [(1, 2, 7, 11)]


async def test_rows_are_handed_in() -> None:
    """A table of rows has its types and key, also without any row; NULL and an empty text stay different."""
    rows = Source(
        rows=Rows(
            "t", {"id": "VARCHAR", "at": "TIMESTAMP", "n": "BIGINT"}, [["", None, 1], [None, "2024-01-01", 2]], "id"
        )
    )
    empty = Source(rows=Rows("nothing", {"id": "VARCHAR", "flag": "BOOLEAN"}, []))
    catalog, found = await read(rows, empty, query='SELECT id IS NULL, "at", n FROM t ORDER BY n')
    assert found is not None
    assert found.rows == ((False, None, 1), (True, "2024-01-01 00:00:00", 2))
    assert catalog.tables["t"].key == ("id",)
    assert dict(catalog.tables["nothing"].columns) == {"id": "VARCHAR", "flag": "BOOLEAN"}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.csv", b"", "empty"),
        ("t.parquet", b"no parquet", "t.parquet"),
        ("t.xlsx", b"no workbook", "t.xlsx"),
        ("t.sqlite", b"SQLite format 3\x00 and then nonsense", "t.sqlite"),
        ("t.json", b"{broken", "t.json"),
        ("t.txt", b"words", "t.txt: none of DuckDB"),
        ("t.pdf", b"%PDF-1.4", "t.pdf: none of DuckDB"),
    ],
)
async def test_what_is_no_data_is_refused_by_name(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    """A damaged, empty or foreign file is refused with its name, and no traceback."""
    (tmp_path / name).write_bytes(content)
    assert said in await refusal(tmp_path / name)


async def test_missing_and_empty_places_are_named(tmp_path: Path) -> None:
    """A file that is not there and a folder without data are refused with their names."""
    assert "none.csv" in await refusal(tmp_path / "none.csv")
    assert "no data file" in await refusal(tmp_path)


async def test_a_copy_is_made_once(tmp_path: Path) -> None:
    """A runner with a folder finds the copy that an earlier one made, though the source is gone."""
    (tmp_path / "t.csv").write_text("a\n1\n", "utf-8")
    (tmp_path / "kept").mkdir()
    for _ in range(2):
        runner = Runner([source_of(tmp_path / "t.csv")], folder=tmp_path / "kept")
        assert (await runner.run("SELECT a FROM t")).rows == ((1,),)
        await runner.close()
    assert sorted(one.name for one in (tmp_path / "kept").iterdir()) == ["dataset.duckdb", "declared.json"]


async def test_no_password_of_a_database_is_shown() -> None:
    """A PostgreSQL that does not answer is an error without the password of its URL."""
    with pytest.raises(InvalidInput) as caught:
        await read(source_of("postgresql://someone:hunter2@127.0.0.1:9/none"))
    assert "hunter2" not in caught.value.message


@pytest.mark.slow
async def test_a_large_file_is_read_like_a_small_one(tmp_path: Path) -> None:
    """Beyond 16 MB quoted signs and line ends stay in their cells, and a late odd value makes a column text."""
    file, note = tmp_path / "large.csv", f'"q", and\nmore {"x" * 700}'
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["id", "amount", "late", "note"])
        for at in range(25_000):
            amount = "N/A" if at % 50 == 7 else f"¥{at % 900},500.25"
            writer.writerow([at, amount, "x" if at == 24_000 else at, note])
    assert file.stat().st_size > 16 << 20
    catalog, found = await read(file, query="SELECT count(*), count(amount), max(amount), max(note) FROM large")
    assert list(catalog.tables["large"].columns.values()) == ["BIGINT", "DOUBLE", "VARCHAR", "VARCHAR"]
    assert found is not None
    assert list(found.rows[0]) == [25_000, 24_500, 899_500.25, note]
