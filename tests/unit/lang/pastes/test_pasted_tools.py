"""Laws of other pasted output: cells, tools, logs, errors, plans and alerts."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.expressions import parse
from lang.pastes import Check, CheckIndex, RowRule, judge_paste
from lang.pastes.cells import type_cell
from lang.pastes.check_index import search_of
from lang.pastes.select_list import name_columns, split_statements
from lang.vocabulary import Predicate, Vocabulary
from tests.support.cases import for_each

VOCABULARY = Vocabulary.model_validate(
    {
        "quantities": [
            {
                **{"id": "disk_used", "name": {"zh": "磁盘使用率", "en": "disk usage"}, "unit": "%"},
                **{"say": {"zh": ["磁盘使用率"], "en": ["disk space", "disk"]}, "beside": {"en": ["latency"]}},
            },
            {
                **{"id": "cpu_used", "name": {"zh": "CPU 使用率", "en": "CPU usage"}, "unit": "%"},
                **{"say": {"zh": ["cpu 使用率"], "en": ["cpu"]}, "beside": {"en": ["st"]}},
            },
        ]
    }
)
RULES: dict[str, tuple[str, RowRule | None, str]] = {
    "P-0001": ('df -h "$PGDATA"', RowRule(confirmed="any(use_pct > 90)"), "disk_used"),
    "P-0002": ("vmstat 1 10   # us + sy", RowRule(confirmed="sumof(us + sy) > 90 * n()", empty="unknown"), "cpu_used"),
    "P-0003": ("grep -hE 'deadlock detected' /var/log/*.log", RowRule(confirmed="n() >= 1", alone=True), ""),
    "P-0004": ('grep -rhE "password authentication failed" /log | tail', RowRule(confirmed="n() >= 10"), ""),
    "P-0005": ("grep -hE 'permission denied for' /log", RowRule(confirmed="n() >= 1"), ""),
    "P-0006": ("EXPLAIN (ANALYZE) <the statement>", RowRule(confirmed="any(disk_kb > 0 or batches > 1)"), ""),
    "P-0007": ("free -m\nvmstat 1 10", RowRule(confirmed="any(available < 0.05 * total)"), ""),
    "P-0008": ("iostat -x 1 10", RowRule(confirmed="any(util_pct > 95)"), ""),
    "P-0009": ('psql -p 6432 pgbouncer -c "SHOW POOLS"', RowRule(confirmed="any(cl_waiting > 0 and maxwait >= 1)"), ""),
    "P-0010": ("SELECT n FROM t", None, ""),
    "P-0011": ("cat /sys/kernel/mm/transparent_hugepage/enabled", RowRule(confirmed="chosen == 'always'"), ""),
    "P-0012": (
        "EXPLAIN (ANALYZE) <the statement>",
        RowRule(
            confirmed="any(rows_actual >= 10 * rows_estimated or rows_estimated >= 10 * rows_actual and not cut_short)"
        ),
        "",
    ),
}
INDEX = CheckIndex.of(
    Check(
        phenomenon_id=name,
        how=(how,),
        rows=rule,
        means=(Predicate.model_validate({"quantity": quantity, "test": "> 90 %"}),) if quantity else (),
    )
    for name, (how, rule, quantity) in RULES.items()
)


def said_by(message: str, *asked: str) -> dict[str, tuple[str, str]]:
    reading = judge_paste(message, INDEX, asked, vocabulary=VOCABULARY)
    return {one.phenomenon_id: (one.verdict, one.standing) for one in reading.findings}


@given(st.floats(0, 1e15, allow_nan=False).map(lambda value: round(value, 3)))
def test_a_number_is_itself_with_or_without_its_separators(value: float) -> None:
    """Plain, signed, grouped and percent numbers are numbers."""
    for text in (f"{value:.3f}", f"{value:,.3f}", f"+{value:.3f}", f"{value:.3f}%", f"{value:.3f} %"):
        assert type_cell(text) == pytest.approx(value), text


@given(st.integers(1, 9999), st.sampled_from(list(enumerate(("bytes", "kB", "MB", "GB", "TB")))))
def test_a_size_is_in_bytes(count: int, unit: tuple[int, str]) -> None:
    """pg_size_pretty, SHOW and the tools of a host write sizes in their own ways."""
    power, name = unit
    texts = [f"{count} {name}", f"{count}{name}"]
    texts += [f"{count}{name[0].upper()}", f"{count}{name[0].upper()}i"] if power else []
    assert {type_cell(text) for text in texts} == {float(count * 1024**power)}


@given(st.integers(0, 900), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999999))
def test_an_interval_is_in_seconds(days: int, hours: int, minutes: int, seconds: int, micro: int) -> None:
    """PostgreSQL's style, with days or without."""
    text = f"{hours:02}:{minutes:02}:{seconds:02}.{micro:06}"
    expected = hours * 3600 + minutes * 60 + seconds + micro / 1e6
    assert type_cell(text) == pytest.approx(expected)
    assert type_cell(f"{days} days {text}") == pytest.approx(days * 86400 + expected)


@given(st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)))
def test_a_point_in_time_is_in_seconds_since_1970(at: datetime) -> None:
    """psql's form and ISO's, in any zone, are the same moment."""
    expected = at.replace(tzinfo=UTC).timestamp()
    for text in (f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond:06}+00", f"{at.isoformat(timespec='microseconds')}Z"):
        assert type_cell(text) == pytest.approx(expected, abs=1e-3)
    assert type_cell(f"{at:%Y-%m-%d %H:%M:%S}+08") == pytest.approx(int(expected) - 8 * 3600)


@for_each(
    ("cell", "value"),
    [
        *[("t", True), ("f", False), ("", None), ("NULL", None), ("[null]", None), ("0/78358D08", "0/78358D08")],
        *[("10.0.3.12", "10.0.3.12"), ("{1548}", "{1548}"), ("5min", 300.0), ("2ms", 0.002), ("-1", -1.0), (".5", 0.5)],
        ("-", "-"),
    ],
)
def test_other_cells_are_what_they_print(cell: str, value: object) -> None:
    """Truths, absent values, settings with a unit; positions, addresses and arrays stay texts."""
    assert type_cell(cell) == value


@given(st.text(max_size=60))
def test_no_cell_breaks_the_reader(cell: str) -> None:
    """Whatever a cell holds, it has a value."""
    assert type_cell(cell) is None or isinstance(type_cell(cell), str | float | bool)


ERRORS = (
    "ERROR:  permission denied for function pg_ls_waldir",
    'ERROR:  syntax error at or near "FORM"\nLINE 1: SELECT 1 FORM t;\n                 ^',
    'ERROR:  relation "pg_stat_checkpointer" does not exist\nLINE 1: SELECT 1',
    "错误:  对函数 pg_ls_archive_statusdir 权限不够",
    "ERROR 1142 (42000): SELECT command denied to user 'x'@'y' for table 'innodb_metrics'",
    "psql: error: could not connect to server: Connection refused",
    "bash: error: vmstat: command not found",
)


@for_each("error", ERRORS)
@for_each("asked", [*RULES, ""])
def test_an_error_about_the_check_is_no_evidence(error: str, asked: str) -> None:
    """No right, no such table, a typo: unknown, whichever check was asked for."""
    found = said_by(error, *([asked] if asked else []))
    assert all(verdict == "unknown" or standing == "proposed" for verdict, standing in found.values())
    assert asked not in found or found[asked][0] == "unknown" or found[asked][1] == "proposed"


@for_each("asked", [*RULES, ""])
def test_a_missing_view_of_the_server_is_no_error_of_the_application(asked: str) -> None:
    """What only the server itself has is missed by who looks: nothing is read of it but that the look failed."""
    for error in (
        'ERROR:  relation "pg_stat_checkpointer" does not exist\nLINE 1: SELECT 1',
        '错误:  关系 "pg_stat_statements" 不存在, does not exist',
        "ERROR:  function pg_ls_nothing() does not exist",
    ):
        assert said_by(error, *([asked] if asked else [])) == ({asked: ("unknown", "counts")} if asked else {})


def test_errors_count_without_a_log() -> None:
    """An error counts by itself; one that may be about a check is proposed without a log, and counts in one."""
    assert said_by("ERROR:  deadlock detected\nDETAIL:  Process 1 waits") == {"P-0003": ("confirmed", "counts")}
    assert said_by("ERROR:  permission denied for table x") == {"P-0005": ("confirmed", "proposed")}
    line = "2026-11-22 10:01:12.411 UTC [2011] ERROR:  permission denied for table x"
    assert said_by(line) == {"P-0005": ("confirmed", "counts")}


@for_each(
    "stamp",
    [
        "2026-11-22 10:01:12.411 CST [2011] ",
        "2026-11-22T10:01:12.411Z 12 ",
        "Nov 22 10:01:12 db01 postgres[2011]: ",
        "[Sun Nov 22 10:01:12 2026] ",
        "[12345.678901] ",
        "/var/log/postgresql/a.log:2026-11-22 10:01:12.411 UTC [2011] ",
    ],
)
def test_log_lines_are_counted_and_never_prose(stamp: str) -> None:
    """A rule's number of lines decides, whatever stands before a line; a statement's own text is not the server's."""
    line = f"{stamp}FATAL:  password authentication failed for user x"
    assert said_by("\n".join([line] * 9), "P-0002") == {}
    reading = judge_paste("\n".join([line] * 10), INDEX)
    assert [(one.phenomenon_id, one.verdict) for one in reading.findings] == [("P-0004", "confirmed")]
    assert reading.prose == ()
    assert said_by(f"{stamp}LOG:  duration: 1 ms  statement: select 'deadlock detected'") == {}
    assert said_by(f"{stamp}ERROR:  x\n\tSTATEMENT:  select 'deadlock detected'") == {}


def test_an_excerpt_without_the_line_is_no_proof() -> None:
    """A log that lacks what was asked for denies only with the person's yes."""
    line = "2026-11-22 10:01:12.411 UTC [2011] LOG:  checkpoint starting: time"
    assert said_by(line, "P-0003") == {"P-0003": ("denied", "proposed")}
    assert said_by(line) == {}


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=200))
def test_prose_fires_nothing(words: str) -> None:
    """Text of any kind is no output, and all of its words are left to the reader of statements."""
    reading = judge_paste(words, INDEX, ["P-0002"])
    assert all(one.verdict == "unknown" for one in reading.findings if one.standing == "counts")


@for_each(
    "words",
    [
        "the disk is 97% full and writes fail",
        "磁盘用了 97%，内存还剩 20%",
        "select is slow, with a lot of waits",
        "free memory is low, top shows 95 % cpu",
        "1) yes  2) no  3) no",
        "pct | no idea | what that means",
        "shop: 3 sessions wait - see ticket #41 | urgent",
        "Title of my notes\n-----------------\nit is slow, pct = 95",
        "load=>5 since 10:00",
        "我查了 df -h，是 42%",
    ],
)
def test_sentences_are_left_whole(words: str) -> None:
    """A sentence that only looks like output stays prose, with its place in the message."""
    reading = judge_paste(words, INDEX, ["P-0001"])
    assert reading.findings == ()
    assert "\n".join(span.words for span in reading.prose).replace("-", "").split() == words.replace("-", "").split()
    assert all(words[span.start : span.end] == span.words for span in reading.prose)


@for_each(("words", "language"), [("查了，结果如下：", "zh"), ("this is what I get:", "en"), ("", None)])
def test_the_language_is_that_of_the_prose(words: str, language: str | None) -> None:
    """An output in another language does not change the conversation's."""
    for table in ("文件系统 容量 已用 可用 已用% 挂载点\n/dev/sda1 50G 12G 36G 25% /", "[always] madvise never"):
        assert judge_paste(f"{words}\n{table}", INDEX).language == language


@pytest.mark.parametrize("samples", [5, 10])
def test_vmstat_counts_without_its_first_line(samples: int) -> None:
    """The first sample is the average since the boot."""
    heading = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st"
    calm = " 4  0      0 16541756  89092 6280284    0    0   718  4263  764 3271 7 3 90  0  0"
    busy = " 4  0      0 16541756  89092 6280284    0    0   718  4263  764 3271 90 8 2  0  0"
    assert said_by("\n".join([heading, calm, *[busy] * samples]))["P-0002"] == ("confirmed", "counts")
    assert said_by("\n".join([heading, busy, *[calm] * samples]))["P-0002"] == ("denied", "counts")


def test_the_same_quantity_from_another_tool() -> None:
    """top shows the CPU as vmstat does, /proc shows memory as free does."""
    top = (
        "top - 10:12 up 41 days\nTasks: 4 total\n%Cpu(s): 94.8 us,  3.6 sy,  0.0 ni,  1.0 id,  0.5 wa,  0.1 si,  0.0 st"
    )
    assert said_by(top)["P-0002"] == ("confirmed", "counts")
    heading = "               total        used        free      shared  buff/cache   available"
    free = heading + "\nMem: {} 18211 402 9021 45624 {}\nSwap: 4095 12 4083"
    assert said_by(free.format(64237, 36120))["P-0007"] == ("denied", "counts")
    assert said_by(free.format(64237, 1200))["P-0007"] == ("confirmed", "counts")


@given(st.lists(st.integers(0, 100), min_size=3, max_size=9))
def test_a_disk_is_as_busy_as_most_of_its_samples(shares: list[int]) -> None:
    """The median of a device's samples decides, not the idle devices beside it nor the first sample."""
    heading = "Device            r/s     w/s  w_await  %util"
    samples = [f"{heading}\nsda 1.0 1.0 0.5 1.00\nnvme1n1 1.0 1.0 0.5 {share}.00\n" for share in (100, *shares)]
    found = said_by("Linux 5.15 (db01)\n\n" + "\n".join(samples))["P-0008"]
    middle = sorted(shares)
    median = (middle[len(shares) // 2] + middle[(len(shares) - 1) // 2]) / 2
    assert found == ("confirmed" if median > 95 else "denied", "counts")


def test_a_statement_of_another_language_is_known_by_its_core() -> None:
    """SHOW POOLS has other columns in each version of PgBouncer."""
    names = "database|user|cl_active|cl_waiting|cl_new_column|sv_active|sv_idle|maxwait|pool_mode"
    assert said_by(f"{names}\nshop|shop|20|137|0|20|0|12|transaction\n(1 row)")["P-0009"] == ("confirmed", "counts")
    assert said_by(f"{names}\nshop|shop|20|0|0|20|0|0|transaction\n(1 row)")["P-0009"] == ("denied", "counts")


PLAN = """ Limit  (cost=0.86..16.91 rows=10 width=24) (actual time=0.051..8.442 rows=10 loops=1)
   ->  Sort  (cost=0.43..8.45 rows=1000 width=16) (actual time=0.030..4.101 rows=1000 loops=1)
         Sort Method: {method}
         ->  Seq Scan on orders o  (cost=0.43..8.45 rows=1000 width=16) (actual time=0.045..0.046 rows={rows} loops=1)
 Planning Time: 0.512 ms
 Execution Time: 88.220 ms"""


def test_a_plan_confirms_anything_and_denies_what_was_asked() -> None:
    """A plan is of one statement: what it lacks is denied only where it was asked for."""
    spills = PLAN.format(method="external merge  Disk: 1234kB", rows=1000)
    fine = PLAN.format(method="quicksort  Memory: 25kB", rows=1000)
    wrong = PLAN.format(method="quicksort  Memory: 25kB", rows=90000)
    assert said_by(spills) == {"P-0006": ("confirmed", "counts")}
    assert said_by(fine) == {}
    assert said_by(fine, "P-0006") == {"P-0006": ("denied", "counts")}
    assert said_by(wrong) == {"P-0012": ("confirmed", "counts")}
    assert said_by(f"   QUERY PLAN   \n----------------\n{spills}\n(6 rows)") == said_by(spills)


def test_a_plan_in_json_says_what_it_says_as_text() -> None:
    """The nodes of both forms are the same rows."""
    scan = {
        "Node Type": "Seq Scan",
        "Plan Rows": 1000,
        "Actual Rows": 1000,
        "Actual Loops": 1,
        "Actual Total Time": 0.046,
    }
    sort = scan | {"Node Type": "Sort", "Sort Space Type": "Disk", "Sort Space Used": 1234, "Plans": [scan]}
    document = [{"Plan": sort, "Planning Time": 0.5, "Execution Time": 88.2}]
    assert said_by(json.dumps(document, indent=2)) == {"P-0006": ("confirmed", "counts")}


def alertmanager(status: str, value: str) -> str:
    alert = {
        "status": status,
        "labels": {"alertname": "HostOutOfDiskSpace"},
        "annotations": {"summary": "Disk usage", "value": value},
    }
    return json.dumps({"receiver": "dba", "status": status, "alerts": [alert]}, indent=1)


@for_each(
    ("alert", "expected"),
    [
        (alertmanager("firing", "95.1%"), {"P-0001": ("confirmed", "counts")}),
        (alertmanager("resolved", "95.1%"), {}),
        (
            "【阿里云监控】RDS 实例 pgm-1 的 CPU使用率 告警发生，当前值 97.2%，阈值：>=90%，连续 3 次",
            {"P-0002": ("confirmed", "counts")},
        ),
        ("【阿里云监控】RDS 实例 pgm-1 的 CPU使用率 告警恢复，当前值 97.2%，阈值：>=90%", {}),
        (
            "【阿里云监控】RDS 实例 pgm-1 的 磁盘使用率 告警发生，当前值 85%，阈值：>=80%",
            {"P-0001": ("denied", "counts")},
        ),
        (
            "Problem name: /pgdata: Disk space is low (used > 90%)\nOperational data: Space used: 97.5 %",
            {"P-0001": ("confirmed", "counts")},
        ),
        (
            "Problem has been resolved at 10:44\nProblem name: Disk space low (used > 90%)\nOperational data: 62.5 %",
            {},
        ),
        ("【监控】磁盘延迟 告警发生，当前值 97.2%，latency，磁盘使用率", {}),
    ],
)
def test_an_alert_says_its_value_now_and_nothing_when_resolved(
    alert: str, expected: dict[str, tuple[str, str]]
) -> None:
    """The quantity that it names is compared with the phenomenon's own limit, never with the alert's."""
    assert said_by(alert) == expected


@for_each(
    ("query", "names"),
    [
        ("SELECT a, b.c, count(*), x::text, f(y) AS z FROM t", ("a", "c", "count", "x", "z")),
        ("WITH q AS (SELECT 1 AS inner) SELECT max(v), CASE WHEN a THEN b END FROM q", ("max", "case")),
        ("-- a comment; with a semicolon\nselect 'it''s, FROM' AS words, (SELECT x FROM y) AS n", ("words", "n")),
        ("SELECT a FROM t UNION ALL SELECT b FROM u", ("a",)),
        ("SELECT * FROM t", ()),
        ("SHOW work_mem", ()),
    ],
)
def test_the_columns_of_a_query_are_read_from_its_text(query: str, names: tuple[str, ...]) -> None:
    """Aliases, columns and the server's own names; nothing where the text does not tell."""
    assert [name_columns(statement) for statement in split_statements(query)] == [names]


def test_the_lines_of_a_log_are_those_that_the_command_searches() -> None:
    """The pattern is the first grep's."""
    assert search_of(["grep -hE -A4 'dead.* detected' x | grep -E 'y' | tail"]) == "dead.* detected"
    assert search_of(['dmesg -T | grep -iE "oom|kill"']) == "oom|kill"
    assert search_of(["vmstat 1 10"]) is None


@pytest.mark.parametrize("text", ["pct >=", "rise("])
def test_a_rule_outside_the_language_is_refused(text: str) -> None:
    """A rule is checked where it is read, and a rise has an expression."""
    with pytest.raises(ValueError, match="no_expression"):
        RowRule(confirmed=text)
    with pytest.raises(ValueError, match="rise"):
        RowRule(repeat="rise")
    assert parse("n() >= 1").functions == {"n"}
