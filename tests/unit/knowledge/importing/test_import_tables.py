"""CSV and Excel: every way to save a table gives the same tickets; what is wrong is named by line and column."""

from __future__ import annotations

import csv
import datetime
import io
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput
from services.knowledge.importing.importer import import_tickets
from services.knowledge.importing.reading.exports import form_of, read_export
from services.knowledge.importing.reading.mapping import Mapping, read_mapping
from tests.support.cases import for_each
from tests.support.examples import examples
from tests.support.sample_libraries import tree_hash

HEADER = ["流程ID", "问题描述", "问题根因", "恢复方法和规避措施", "分析过程"]
ROWS = [
    ["F-1", "订单查询慢", "统计信息过期", "1. 收集统计信息\n2. 观察", "1. 执行计划走了全表扫描\n2. CPU 使用率达到 98%"],
    ["F-2", '他说 "卡住了"，全站超时', "锁等待", "结束会话", "大量会话在等锁，超过 200 个"],
    ["F-3", "连接数打满", "连接泄漏", "", "FATAL: sorry, too many clients already"],
]


def as_csv(rows: Sequence[Sequence[str]], delimiter: str = ",", ending: str = "\r\n") -> str:
    """A table as spreadsheet programs write it."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=ending).writerows(rows)
    return out.getvalue()


def as_xlsx(rows: Sequence[Sequence[Any]], change: Callable[[Any], None] = lambda sheet: None) -> bytes:
    """A workbook of one sheet, changed before it is saved."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book.active)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read(content: bytes, form: str = "csv", mapping: Mapping | None = None) -> list[dict[str, Any]]:
    """The tickets of an export that is all right."""
    records, rejected = read_export(content, form, mapping)
    assert rejected == []
    return [record.ticket.model_dump() for record in records]


EXPECTED = read(as_csv([HEADER, *ROWS]).encode())


def test_the_known_header_is_read() -> None:
    """The columns of the upstream export become a ticket's fields, the analysis as it stands."""
    assert [ticket["ticket_id"] for ticket in EXPECTED] == ["F-1", "F-2", "F-3"]
    assert EXPECTED[1]["description"] == '他说 "卡住了"，全站超时'
    assert EXPECTED[0]["analysis"] == ROWS[0][4]
    assert EXPECTED[2]["solution"] == ""


@for_each("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@for_each("delimiter", [",", ";", "\t", "|"])
@for_each("ending", ["\n", "\r\n"])
def test_encoding_delimiter_and_line_ends_make_no_difference(encoding: str, delimiter: str, ending: str) -> None:
    """The same table in any of them gives the same tickets."""
    assert read(as_csv([HEADER, *ROWS], delimiter, ending).encode(encoding)) == EXPECTED


def test_an_excel_table_gives_the_same_tickets() -> None:
    """A sheet with a title above its header, an empty row and columns that nobody asked for."""
    wide = [[*row, "看过"] for row in ROWS]
    rows = [["2025 年工单"], [], [*HEADER, "备注"], wide[0], [], *wide[1:]]
    assert read(as_xlsx(rows), "xlsx") == EXPECTED


def test_numbers_and_dates_of_excel_are_text() -> None:
    """Ids that Excel keeps as numbers, and dates, are read as people see them."""
    rows: list[list[Any]] = [
        ["流程ID", "问题描述", "问题根因", "创建时间", "版本"],
        [1001.0, "慢", "锁", datetime.datetime(2025, 6, 3), 14],
        [1002, "慢", "锁", datetime.datetime(2025, 6, 3, 8, 40), 15.4],
    ]
    found = read(as_xlsx(rows), "xlsx")
    assert [(item["ticket_id"], item["metadata"]["created_at"], item["metadata"]["version"]) for item in found] == [
        ("1001", "2025-06-03", "14"),
        ("1002", "2025-06-03T08:40:00", "15.4"),
    ]


def test_merged_cells_count_in_every_row() -> None:
    """A ticket over several rows, with its id and words merged, is one ticket with all their analyses."""
    rows: list[list[Any]] = [
        HEADER,
        ["F-1", "慢", "锁", "等", "会话在等锁"],
        ["", "", "", "", "CPU 很高"],
        ["F-2", "满", "漏", "杀", "连接打满"],
    ]

    def merge(sheet: Any) -> None:
        for column in "ABCD":
            sheet.merge_cells(f"{column}2:{column}3")

    found = read(as_xlsx(rows, merge), "xlsx")
    assert [(item["ticket_id"], item["analysis"]) for item in found] == [
        ("F-1", "会话在等锁\nCPU 很高"),
        ("F-2", "连接打满"),
    ]


def test_one_anomaly_a_row_is_put_together() -> None:
    """With a mapping of anomaly columns the rows of one id are one ticket; rows that contradict refuse it by column."""
    mapping = read_mapping(
        b"ticket_id: No\ndescription: What\nroot_cause: Why\nanomaly: {description: Seen, observation_method: How}\n"
        b"metadata: {severity: Sev}\nconstants: {db_type: PostgreSQL}\n",
        "mapping.yaml",
    )
    rows: list[list[Any]] = [
        ["No", "What", "Why", "Seen", "How", "Sev"],
        ["T-1", "slow", "no index", "a seq scan", "EXPLAIN", "high"],
        ["T-2", "down", "leak", "too many clients", "", ""],
        ["T-1", "slow", "", "cpu at 99 %", "top", ""],
        ["T-3", "slow", "lock", "lock waits", "", ""],
        ["T-3", "slow", "no lock", "lock waits again", "", ""],
    ]
    records, rejected = read_export(as_csv(rows).encode(), "csv", mapping)
    found = {record.ticket.ticket_id: record.ticket for record in records}
    assert [(item.description, item.observation_method) for item in found["T-1"].anomalies] == [
        ("a seq scan", "EXPLAIN"),
        ("cpu at 99 %", "top"),
    ]
    assert (found["T-1"].metadata.severity, found["T-1"].metadata.db_type) == ("high", "PostgreSQL")
    assert [(item.line, item.ticket_id, item.field) for item in rejected] == [(5, "T-3", "Why")]


def test_bad_rows_are_named_by_line_and_column_and_the_rest_is_read() -> None:
    """Every kind of bad row is refused alone; good ones before, between and after are there."""
    lines = [
        ",".join(HEADER),
        "G-1,慢,锁,,会话在等锁",
        ",没有编号,锁,,",
        'B-2,"引号"乱了,锁,,',
        '"G-2","两行',
        '的描述",锁,,会话在等锁',
        "B-3,,锁,,",
        "B-4,慢,锁,,多了一格,再多一格",
        f"B-5,慢,锁,,{'长' * 20_001}",
        "",
        "G-3,慢,锁,,会话在等锁",
        'B-6,慢,"没有关上的引号,,',
        "G-4,慢,锁,,会话在等锁",
    ]
    records, rejected = read_export("\n".join(lines).encode(), "csv")
    assert [record.ticket.ticket_id for record in records] == ["G-1", "G-2", "G-3", "G-4"]
    assert [(item.line, item.ticket_id, item.field) for item in rejected] == [
        (3, "", "流程ID"),
        (4, "", ""),
        (7, "B-3", "问题描述"),
        (8, "B-4", ""),
        (9, "B-5", "分析过程"),
        (12, "", ""),
    ]
    assert "never closed" in rejected[-1].reason.text()


@pytest.mark.slow
def test_a_ten_megabyte_field_is_refused_by_name() -> None:
    """It costs seconds at most, in CSV and in Excel, where no cell can hold so much."""
    started = time.monotonic()
    rows = [HEADER, ["B-1", "慢", "锁", "", "x" * 10_000_000], ROWS[0]]
    records, rejected = read_export(as_csv(rows).encode(), "csv")
    assert [record.ticket.ticket_id for record in records] == ["F-1"]
    assert [(item.line, item.ticket_id, item.field) for item in rejected] == [(2, "B-1", "分析过程")]
    assert time.monotonic() - started < 20


@pytest.mark.slow
def test_every_field_has_a_limit() -> None:
    """Metadata too; a sheet that is merged from end to end, or has a cell in its last row, is read like any other."""
    long = {"ticket_id": "A", "description": "d", "root_cause": "r", "metadata": {"notes": "x" * 20_001}}
    _, rejected = read_export(json.dumps([long]).encode(), "json")
    assert [(item.ticket_id, item.field) for item in rejected] == [("A", "metadata.notes")]

    def decorate(sheet: Any) -> None:
        sheet.merge_cells("A1:XFD1")
        sheet["Z1000000"] = "far away"

    started = time.monotonic()
    records, rejected = read_export(as_xlsx([["2025"], HEADER, *ROWS], decorate), "xlsx")
    assert [record.ticket.ticket_id for record in records] == ["F-1", "F-2", "F-3"]
    assert [item.line for item in rejected] == [1_000_000]
    assert time.monotonic() - started < 60


def test_a_failed_formula_and_its_ticket_are_refused() -> None:
    """An error value in a column that is read is named; the row is not imported."""
    rows = [HEADER, ["F-1", "#REF!", "锁", "", ""], ROWS[1]]
    records, rejected = read_export(as_xlsx(rows), "xlsx")
    assert [record.ticket.ticket_id for record in records] == ["F-2"]
    assert [(item.line, item.field) for item in rejected] == [(2, "问题描述")]


def test_a_single_broken_line_does_not_cost_the_file() -> None:
    """Bytes that no encoding knows refuse their own record only."""
    content = as_csv([HEADER, *ROWS]).encode().replace("连接泄漏".encode(), b"\xff\xfe\xff")
    records, rejected = read_export(content, "csv")
    assert [record.ticket.ticket_id for record in records] == ["F-1", "F-2"]
    assert [(item.ticket_id, item.field) for item in rejected] == [("F-3", "问题根因")]


@for_each(
    ("content", "form", "words"),
    [
        (b"a,b,c\n1,2,3\n", "csv", "the columns a, b, c are not known"),
        (b"", "csv", "no row in it"),
        (b"no workbook", "xlsx", "not an Excel workbook"),
        (b"\xd0\xcf\x11\xe0rest", "xlsx", "save it as .xlsx"),
        ("流程ID,问题描述,问题根因,问题描述\n".encode(), "csv", "appears twice"),
        (as_csv([HEADER, *ROWS]).encode("utf-16")[:-1], "csv", "not UTF-16"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_whole(content: bytes, form: str, words: str) -> None:
    """What is wrong and what to do is said; nothing is written."""
    with pytest.raises(InvalidInput, match=words) as caught:
        read_export(content, form)
    assert caught.value.reason == "invalid_tickets"


@for_each(
    ("text", "words"),
    [
        (
            "ticket_id: No\ndescription: What\nroot_cause: Wy\n",
            "no row among the first 20 has the columns No, What, Wy",
        ),
        ("ticket_id: No\ndescription: What\nroot_cause: Why\nsolution: Fixx\n", "the nearest is 'Fix'"),
        ("ticket_id: No\ndescripton: What\nroot_cause: Why\n", "the nearest known one is description"),
        ("ticket_id: [\n", "line"),
        ("sheet: 3\n", "ticket_id"),
    ],
)
def test_a_wrong_mapping_is_named(text: str, words: str) -> None:
    """Unknown keys, missing columns and broken YAML are refused with the nearest known name."""
    table = as_csv([["No", "What", "Why", "Fix"], ["1", "a", "b", "c"]]).encode()
    with pytest.raises(InvalidInput) as caught:
        read_export(table, "csv", read_mapping(text.encode(), "mapping.yaml"))
    assert words in caught.value.message


def test_a_mapping_names_sheet_delimiter_and_encoding() -> None:
    """What cannot be told from the file is told by the mapping; a sheet that is not there is named."""
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    for row in [["No", "What", "Why"], ["1", "a", "b"]]:
        sheet = book["Closed"] if "Closed" in book.sheetnames else book.create_sheet("Closed")
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    names = {"ticket_id": ["No"], "description": ["What"], "root_cause": ["Why"]}
    assert read(out.getvalue(), "xlsx", Mapping.model_validate({**names, "sheet": "Closed"}))[0]["ticket_id"] == "1"
    with pytest.raises(InvalidInput, match="there is 'Sheet', 'Closed'"):
        read_export(out.getvalue(), "xlsx", Mapping.model_validate({**names, "sheet": "Open"}))
    text = "No~What~Why\n1~é~b\n".encode("latin-1")
    told = Mapping.model_validate({**names, "delimiter": "~", "encoding": "latin-1"})
    assert read(text, "csv", told)[0]["description"] == "é"


def test_json_under_the_known_keys_is_read_too() -> None:
    """A JSON export with the upstream keys, numbers as ids included, needs no mapping."""
    items = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
    items[0]["流程ID"] = 17  # type: ignore[assignment]
    found = read(json.dumps(items, ensure_ascii=False).encode(), "json")
    assert [item["ticket_id"] for item in found] == ["17", "F-2", "F-3"]
    assert found[1] == EXPECTED[1]


def test_json_records_know_their_line() -> None:
    """A refused element of a JSON list is named by its position and the line it begins in."""
    text = '[\n {"ticket_id": "A", "description": "d",\n  "root_cause": "r"},\n\n {"ticket_id": "B"}\n]'
    _, rejected = read_export(text.encode(), "json")
    assert [(item.record, item.line, item.ticket_id) for item in rejected] == [(2, 5, "B")]


def test_importing_any_form_again_changes_nothing(tmp_path: Path) -> None:
    """CSV first, then Excel, then CSV in another encoding and order: the library keeps its bytes."""
    import_tickets(as_csv([HEADER, *ROWS]).encode(), "csv", tmp_path, ())
    before = tree_hash(tmp_path)
    for content, form in (
        (as_xlsx([HEADER, *ROWS]), "xlsx"),
        (as_csv([HEADER, *reversed(ROWS)], ";").encode("gb18030"), "csv"),
    ):
        report = import_tickets(content, form, tmp_path, ())
        assert (report.tickets, report.new_tickets, report.rejected) == (3, 0, ())
        assert tree_hash(tmp_path) == before
    changed = import_tickets(as_csv([HEADER, [*ROWS[0][:4], "别的"]]).encode(), "csv", tmp_path, ())
    assert [(item.line, item.field) for item in changed.rejected] == [(2, "analysis")]


def test_the_name_tells_the_format() -> None:
    """By the ending, in any case; JSON Lines when there is none that is known."""
    names = ["a.JSON", "a.csv", "a.tsv", "a.xlsx", "a.XLSM", "a.jsonl", "a"]
    assert [form_of(name) for name in names] == ["json", "csv", "csv", "xlsx", "xlsx", "jsonl", "jsonl"]


_CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(
    lambda text: bool(text.strip()) and not text.strip().startswith("#")
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_CELL, _CELL, st.text("a,\n\"'；;\t|字", max_size=20)), min_size=1, max_size=5))
def test_any_words_survive_csv(rows: list[tuple[str, str, str]]) -> None:
    """Delimiters, quotes and newlines inside fields come back as they were."""
    table = [HEADER, *([f"T-{number}", one, two, "", more] for number, (one, two, more) in enumerate(rows))]
    found = read(as_csv(table).encode())
    assert [(item["description"], item["root_cause"], item["analysis"]) for item in found] == [
        (one.strip(), two.strip(), more.strip()) for one, two, more in rows
    ]


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["csv", "xlsx", "json", "jsonl"]))
def test_no_bytes_break_the_reader(content: bytes, form: str) -> None:
    """Whatever is in a file, it is read or refused in words."""
    told = []
    try:
        records, rejected = read_export(HEADER[0].encode() + content, form)
        assert all(record.ticket.ticket_id for record in records)
        told += [refused.reason.text("en") for refused in rejected]
    except InvalidInput as error:
        told += [error.text("en")]
    assert all(told)
