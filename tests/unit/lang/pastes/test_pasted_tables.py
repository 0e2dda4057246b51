"""Laws of pasted tables: the form of an output never changes what it says, and nothing in it is a statement."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lang.pastes import Check, CheckIndex, EarlierReading, Finding, RowRule, judge_paste
from lang.pastes.formats.blocks import find_blocks
from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.tables.delimited import KnownColumns
from tests.support.cases import for_each
from tests.support.texts.printed_tables import PRINTERS, WRAPPING

CONNECTIONS = """-- run as pg_monitor
SELECT count(*) AS connected, current_setting('max_connections')::int AS allowed, round(1.0, 1) AS pct
FROM pg_stat_activity WHERE backend_type = 'client backend';
"""
WAITS = "SELECT pid, wait_event, now() - query_start AS running, left(query, 120) AS query FROM pg_stat_activity"
TEMP = "-- run twice, 60 seconds apart\nSELECT datname, temp_bytes, stats_reset FROM pg_stat_database"
SLOTS = "SELECT slot_name, active, pg_size_pretty(1) AS retained FROM pg_replication_slots"
RULES = {
    "P-0001": (CONNECTIONS, RowRule(confirmed="pct >= 90")),
    "P-0002": (WAITS, RowRule(confirmed="n() >= 3", repeat="level")),
    "P-0003": (
        TEMP,
        RowRule(
            confirmed="any(rise(temp_bytes) * 60 / elapsed() > 100 MB)",
            denied="all(temp_bytes == 0 or rise(temp_bytes) == 0)",
            key=("datname",),
            repeat="rise",
        ),
    ),
    "P-0004": (SLOTS, RowRule(confirmed="any(active == False and retained > 1 GB)")),
    # The same columns as the one below: only the query, or having been asked for, tells them apart.
    "P-0005": ("SELECT wait_event, count(*) AS sessions FROM pg_stat_activity WHERE a", RowRule(confirmed="n() >= 1")),
    "P-0006": ("SELECT wait_event, count(*) AS sessions FROM pg_stat_activity WHERE b", RowRule(confirmed="n() >= 1")),
    "P-0007": (
        "-- on the standby\nSELECT pg_is_in_recovery() AS is_standby, state AS pause_state FROM x",
        RowRule(confirmed="is_standby == True and pause_state == 'paused'"),
    ),
    "P-0008": ("SELECT name, x AS missing FROM y", RowRule(confirmed="any(missing == True)", empty="confirmed")),
    "P-0009": ('df -h "$PGDATA"', RowRule(confirmed="any(use_pct > 90)")),
    "P-0010": ("SELECT n.relname, n.n_dead_tup FROM pg_stat_user_tables n", RowRule(confirmed="n() >= 1")),
}
INDEX = CheckIndex.of(Check(phenomenon_id=name, how=(how,), rows=rule) for name, (how, rule) in RULES.items())
COLUMNS = {
    "P-0001": ("connected", "allowed", "pct"),
    "P-0002": ("pid", "wait_event", "running", "query"),
    "P-0004": ("slot_name", "active", "retained"),
}
WORDS = st.text("abcdefghij_ =(),.*", min_size=1, max_size=30).map(str.strip).filter(bool)
SIZES = st.tuples(st.integers(1, 900), st.sampled_from(["bytes", "kB", "MB", "GB", "TB"])).map(
    lambda pair: f"{pair[0]} {pair[1]}"
)
CLOCKS = st.tuples(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59)).map(
    lambda at: "{:02}:{:02}:{:02}.5".format(*at)
)
ROWS = {
    "P-0001": st.lists(
        st.tuples(st.integers(0, 500).map(str), st.just("500"), st.floats(0, 100).map("{:.1f}".format)),
        min_size=1,
        max_size=1,
    ),
    "P-0002": st.lists(
        st.tuples(st.integers(1, 99999).map(str), st.sampled_from(["tuple", "relation", ""]), CLOCKS, WORDS),
        min_size=1,
        max_size=5,
    ),
    "P-0004": st.lists(
        st.tuples(st.from_regex(r"\A[a-z]{3,9}\Z"), st.sampled_from("tf"), SIZES), min_size=1, max_size=4
    ),
}
OUTPUTS = st.sampled_from(sorted(ROWS)).flatmap(lambda name: st.tuples(st.just(name), ROWS[name]))
Output = tuple[str, list[tuple[str, ...]]]


def said_by(message: str, *asked: str) -> list[tuple[str, str, str]]:
    reading = judge_paste(message, INDEX, asked)
    return [(one.phenomenon_id, one.verdict, one.standing) for one in reading.findings]


def only(message: str, *asked: str) -> Finding:
    (finding,) = judge_paste(message, INDEX, asked).findings
    return finding


@given(OUTPUTS)
def test_the_format_does_not_change_the_verdict(output: Output) -> None:
    """The same rows say the same in every format of psql, mysql and other clients, and leave no words over."""
    name, rows = output
    expected = said_by(PRINTERS["aligned"](COLUMNS[name], rows), name)
    assert [(found, standing) for found, _, standing in expected] == [(name, "counts")]
    for form, printer in PRINTERS.items():
        text = printer(COLUMNS[name], rows)
        reading = judge_paste(text, INDEX, [name])
        assert said_by(text, name) == expected, (form, text)
        assert reading.prose == (), (form, text)
        assert reading.language is None


@given(OUTPUTS, st.sampled_from(sorted(PRINTERS)))
def test_what_stands_around_a_table_does_not_change_the_verdict(output: Output, form: str) -> None:
    """Without its footer, with the query above it, at a prompt, indented or fenced, it says what it said."""
    name, rows = output
    text = PRINTERS[form](COLUMNS[name], rows)
    expected = said_by(text, name)
    bare = "\n".join(line for line in text.split("\n") if not line.startswith("(") and "in set" not in line)
    query = RULES[name][0].strip().rstrip(";") + ";"
    typed = "\n".join(("shop=# " if not at else "shop-# ") + line for at, line in enumerate(query.split("\n")))
    for around in (
        f"{query}\n\n{text}",
        f"{typed}\n{text}\nTime: 3.118 ms\nshop=# ",
        f"```sql\n{text}\n```",
    ):
        assert said_by(around, name) == expected, around
        assert said_by(around) == expected, around
    if form not in ("expanded", "markdown", "json"):
        assert said_by(bare, name) == expected, bare


@given(
    st.lists(
        st.tuples(
            st.just("17"), st.just("tuple"), st.just("00:00:02"), st.lists(WORDS, min_size=1, max_size=3).map("\n".join)
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_cell_on_several_lines_is_one_row(rows: list[tuple[str, ...]]) -> None:
    """A query with line breaks does not add rows, however its client wraps it."""
    for form, printer in WRAPPING.items():
        text = printer(COLUMNS["P-0002"], rows)
        assert only(text, "P-0002").verdict == ("confirmed" if len(rows) >= 3 else "denied"), (form, text)


@for_each("form", sorted(set(PRINTERS) - {"json", "csv", "markdown"}))
def test_no_rows_follow_the_rule(form: str) -> None:
    """An empty result denies what lists faults and confirms what lists what should be there."""
    for name, columns in (("P-0002", COLUMNS["P-0002"]), ("P-0008", ("name", "missing"))):
        finding = only(PRINTERS[form](columns, []), name)
        assert finding.verdict == ("denied" if name == "P-0002" else "confirmed")
        assert finding.why == "no_rows"


@for_each("footer", ["(0 rows)", "(0 行记录)", "(0 行)", "(0 Zeilen)"])
def test_a_count_of_no_rows_is_read_in_every_language(footer: str) -> None:
    """The footer's words depend on the client's locale."""
    assert only(f" pid | wait_event | running | query \n-----+---+---+---\n{footer}", "P-0002").verdict == "denied"


def test_a_lone_count_answers_the_check_that_was_given_last() -> None:
    """`(0 rows)` alone is the result of the check whose command was given last; nothing where none was."""
    assert said_by("(0 rows)", "P-0002") == [("P-0002", "denied", "counts")]
    assert said_by("(0 rows)") == []
    assert said_by("(0 rows)", "P-0002", "P-0004") == [("P-0002", "denied", "counts")]


@given(st.lists(st.tuples(WORDS, st.integers(0, 10**6).map(str)), min_size=0, max_size=5))
def test_a_table_of_the_business_says_nothing(rows: list[tuple[str, str]]) -> None:
    """A table that no check prints is nobody's, and its row count is no number of anything."""
    for form, printer in PRINTERS.items():
        if rows or form not in ("mysql", "mysql records", "expanded", "json"):
            assert said_by(printer(("customer", "total"), rows), "P-0002") == [], form


def test_shared_columns_are_proposed_unless_asked_for() -> None:
    """Two checks with the same columns: the query or the question decides, else each is only proposed."""
    text = PRINTERS["aligned"](("wait_event", "sessions"), [("tuple", "3")])
    assert said_by(text) == [("P-0005", "confirmed", "proposed"), ("P-0006", "confirmed", "proposed")]
    assert said_by(text, "P-0006") == [("P-0006", "confirmed", "counts")]
    assert said_by(f"{RULES['P-0005'][0].lower()};\n\n{text}", "P-0006") == [("P-0005", "confirmed", "counts")]


def test_a_query_of_the_persons_own_is_not_the_checks() -> None:
    """The same columns of other rows are proposed at most."""
    text = PRINTERS["aligned"](COLUMNS["P-0002"], [("1", "tuple", "00:00:01", "x")])
    assert said_by(f"select pid, wait_event, running, query from history;\n\n{text}") == [
        ("P-0002", "denied", "proposed")
    ]


@given(
    st.integers(0, 10**12),
    st.integers(0, 10**12),
    st.sampled_from(["60 s later:", "a minute later", "一分钟后：", "1 分钟后"]),
)
def test_a_rise_needs_two_readings(first: int, second: int, between: str) -> None:
    """One reading denies at zero only; two are compared over the time between them."""
    tables = [
        PRINTERS["aligned"](("datname", "temp_bytes", "stats_reset"), [("shop", str(count), "")])
        for count in (first, second)
    ]
    one = only(tables[0], "P-0003")
    assert (one.verdict, one.standing) == (("unknown", "needs_second_reading") if first else ("denied", "counts"))
    both = only(f"first:\n{tables[0]}\n{between}\n{tables[1]}", "P-0003")
    assert both.verdict == ("confirmed" if second - first > 100 * 1024**2 else "denied")
    if first:
        earlier = [EarlierReading("P-0003", one.rows, 60.0)]
        (later,) = judge_paste(tables[1], INDEX, ["P-0003"], earlier).findings
        assert later.verdict == both.verdict


def test_the_wrong_server_says_nothing() -> None:
    """A standby's check that ran on the primary leaves its phenomenon open."""
    assert only(PRINTERS["aligned"](("is_standby", "pause_state"), [("f", "")]), "P-0007").why == "wrong_server"
    assert only(PRINTERS["aligned"](("is_standby", "pause_state"), [("t", "paused")]), "P-0007").verdict == "confirmed"


@for_each("words", ["sorry, wrong database", "跑错库了", "that is from last week"])
def test_a_disclaimed_output_is_proposed(words: str) -> None:
    """What a person says not to be of this system and time waits for a yes."""
    text = PRINTERS["aligned"](COLUMNS["P-0001"], [("95", "100", "95.0")])
    assert said_by(f"{text}\n\n{words}", "P-0001") == [("P-0001", "confirmed", "proposed")]


def test_an_empty_result_in_the_maintenance_database_is_proposed() -> None:
    """The database postgres has none of the application's tables."""
    query = RULES["P-0010"][0]
    table = PRINTERS["aligned"](("relname", "n_dead_tup"), [])
    assert said_by(f"postgres=# {query};\n{table}", "P-0010") == [("P-0010", "denied", "proposed")]
    assert said_by(f"shop=# {query};\n{table}", "P-0010") == [("P-0010", "denied", "counts")]


@given(
    st.integers(0, 100),
    st.sampled_from(
        ["Filesystem      Size  Used Avail Use% Mounted on", "文件系统        容量  已用  可用 已用% 挂载点"]
    ),
)
def test_a_disk_is_judged_by_its_own_figure(share: int, heading: str) -> None:
    """42 % denies and 97 % confirms, asked for or not, whatever the other disks show below the limit."""
    text = f"{heading}\n/dev/sda1        50G   12G   36G  25% /\n/dev/sdb1       1.0T  943G   31G  {share}% /pgdata"
    for asked in ([], ["P-0009"]):
        assert said_by(text, *asked) == [("P-0009", "confirmed" if share > 90 else "denied", "counts")]


def test_the_deciding_row_is_quoted() -> None:
    """A finding has the row that decides and its decisive values."""
    rows = [("a", "t", "3 GB"), ("b", "f", "41 GB")]
    finding = only(PRINTERS["aligned"](COLUMNS["P-0004"], rows), "P-0004")
    assert (finding.words, finding.value) == ("b | f | 41 GB", "active = no, retained = 4.402341478e+10, slot_name = b")


def test_a_long_paste_is_quick_and_its_end_is_left_out_and_counted() -> None:
    """200,000 characters take well under a second; the characters behind them are counted."""
    rows = [(str(pid), "tuple", "00:00:01", "SELECT " + "x" * 80) for pid in range(2500)]
    text = PRINTERS["aligned"](COLUMNS["P-0002"], rows)
    started = time.process_time()
    reading = judge_paste(text, INDEX, ["P-0002"])
    assert time.process_time() - started < 1.0
    assert reading.cut == len(text) - max(place for place in range(200_001) if text[place - 1] == "\n")
    assert [one.verdict for one in reading.findings] == ["confirmed"]


@pytest.mark.slow
@settings(max_examples=5)
@given(st.sampled_from(["aligned", "unaligned", "csv", "json", "expanded"]))
def test_ten_thousand_columns_are_no_trouble(form: str) -> None:
    """A very wide table is read in time, and is nobody's."""
    names = [f"c{number}" for number in range(10_000)]
    started = time.process_time()
    assert said_by(PRINTERS[form](names, [["1"] * len(names)])) == []
    assert time.process_time() - started < 1.0


def test_a_column_without_a_footer_ends_where_something_else_begins() -> None:
    """What stands below the rows of one column, a prompt or words, is none of its rows."""
    shown = " max_wal_size\n--------------\n 1GB\n"
    for below in ("shop=# select a, b from t;", "so its ok then?"):
        lines = split_lines(shown + below)
        table = next(block.table for block in find_blocks(lines, KnownColumns.of(())) if block.table is not None)
        assert table.rows == (("1GB",),)
