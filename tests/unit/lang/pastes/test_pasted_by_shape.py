"""Laws of outputs without a heading of their own: second readings, grids without a ruler, and shapes of tools."""

from __future__ import annotations

import pytest

from lang.pastes import CheckIndex, judge_paste
from lang.pastes.model import Table
from tests.support.cases import for_each


def tables(message: str) -> list[Table]:
    blocks = judge_paste(message, CheckIndex.of(())).blocks
    return [block.table for block in blocks if block.table is not None]


FIRST = """ relname | n_tup_upd | n_dead_tup
---------+-----------+------------
 orders  |   8812001 |      91022
 carts   |     12001 |        310
"""


@for_each("between", ["and 10 s later:", "过一分钟再看：", "-- second run", "\n"])
def test_rows_below_a_table_are_its_second_reading(between: str) -> None:
    """Rows with as many cells of the same kinds go on with the columns of the table above, whatever stands between."""
    message = f"{FIRST}{between}\n orders  |   8822001 |      93022\n carts   |     12003 |        310\n"
    found = tables(message)
    assert [table.columns for table in found] == [("relname", "n_tup_upd", "n_dead_tup")] * 2
    assert found[1].rows[0] == ("orders", "8822001", "93022")


@for_each(
    "line",
    [
        "orders | carts",
        "8822001 | orders | 93022",
        "orders | yes | many",
        "we saw the same twice",
        "读写都慢 | 不知道 | 为什么",
    ],
)
def test_other_lines_are_no_second_reading(line: str) -> None:
    """A line with fewer cells, or with a text below numbers, belongs to no table."""
    assert len(tables(f"{FIRST}\n{line}\n")) == 1


def test_a_second_reading_that_begins_with_a_time_is_no_log() -> None:
    """Rows that begin with the time of the reading are rows of the table above, not entries of a log."""
    heading = " read_at | queryid | calls\n---------+---------+-------\n"
    first, second = (f" 2025-03-04 10:00:{at}.1+00 | 77120 | {calls}\n" for at, calls in (("01", 100), ("11", 900)))
    found = tables(f"{heading}{first}\nagain:\n{second}")
    assert [table.form for table in found] == ["rows", "rows"]


@pytest.mark.parametrize("end", [" |", ""])
def test_a_grid_without_a_ruler_may_be_cut_on_its_right(end: str) -> None:
    """A heading and rows behind a border are a table, with and without the border on the right."""
    rows = (f"| 90{at} | app | Query | {at} | SELECT a FROM b WHERE c = {at}{end}\n" for at in (31, 12))
    found = tables(f"here:\n| id | user | command | time | info{end}\n{''.join(rows)}")
    assert found[0].columns == ("id", "user", "command", "time", "info")
    assert [row[0].strip() for row in found[0].rows] == ["9031", "9012"]


def test_an_unaligned_row_keeps_its_empty_first_cell() -> None:
    """Without a border on the heading a row that begins with the sign has an empty first cell."""
    found = tables("name|setting|unit\n|12|ms\nwork|3|s\n(2 rows)\n")
    assert found[0].rows[0] == ("", "12", "ms")


SHAPES = [
    (
        "        Slave_IO_State: Waiting\n           Master_Host: 10.0.0.4\n      Slave_IO_Running: Yes\n"
        "     Slave_SQL_Running: No\n",
        ("rows", "Slave_SQL_Running", "No"),
    ),
    (
        "|  1 | SIMPLE | t | NULL | range | ix_a,ix_b | ix_b | 4 | NULL | 812 | 10.00 | Using where |\n",
        ("rows", "key", "ix_b"),
    ),
    ("|  1 | PRIMARY | t | ALL | NULL | NULL | NULL | NULL | 90210 | Using where |\n", ("rows", "rows", "90210")),
    ("total 12G\n-rw------- 1 postgres postgres 8.0G Mar 04 08:41 16402.3\n", ("files", "size", "8.0G")),
    (
        "Partition key: RANGE (at)\nPartitions: p_a FOR VALUES FROM ('2025-01-01') TO ('2025-02-01'),\n"
        "            p_b FOR VALUES FROM ('2025-02-01') TO ('2025-03-01')\n",
        ("partitions", "bound_to", "2025-02-01"),
    ),
    ("# Memory\nused_memory:102400\nused_memory_peak:204800\nmaxmemory:0\n", ("info", "maxmemory", "0")),
]


@for_each(("message", "expected"), SHAPES)
def test_a_shape_tells_the_output(message: str, expected: tuple[str, str, str]) -> None:
    """Records of \\G without stars, rows of EXPLAIN, files, partitions and INFO are read without a heading."""
    form, column, cell = expected
    found = next(table for table in tables(f"see:\n\n{message}\nso?") if table.form == form)
    assert found.rows[0][found.columns.index(column)] == cell


@for_each(
    "message",
    [
        "cpu:95%\nio:3%\nload:44\nmem:70%",
        "  cpu : 95\n  mem : 70\n  net : ok\n  dsk : ok",
        "点一: 慢\n点二: 很慢\n点三: 挂了\n点四: 重启",
        "note: the app is slow\nalso: the disk is fine\nand: nothing deployed",
    ],
)
def test_what_a_person_lists_is_no_output(message: str) -> None:
    """Lines of a person's own with colons stay the person's words."""
    assert tables(message) == []
