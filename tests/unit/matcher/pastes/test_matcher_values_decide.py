"""The value in an output decides, not the name beside it nor the query above it."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

pytestmark = pytest.mark.sampled

QUERY = "dwh=> select name, setting, unit from pg_settings where name in ('hot_standby_feedback','{}');\n"
SETTINGS = """         name         | setting | unit
----------------------+---------+------
 hot_standby_feedback | off     |
 {} | {} | ms
(2 rows)"""


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, message: str, *before: str, asked: tuple[str, ...] = ()) -> dict[str, Reading]:
    readings = [item.reading for item in reader.read(message, Topics(pending=asked, before=before)).readings]
    return {each.phenomenon_id: each for each in readings if each.standing is Standing.COUNTS}


@for_each("value", ["0", "30000"])
@for_each("name", ["statement_timeout", "lock_timeout", "authentication_timeout"])
def test_a_setting_is_not_the_error_that_it_is_named_in(name: str, value: str, reader: MessageReader) -> None:
    """A row of settings tells what is set, never that the error with that name came, or that it does not come."""
    errors = {"P-0017", "P-0038", "P-0257"}
    assert errors.isdisjoint(counted(reader, QUERY.format(name) + SETTINGS.format(name, value)))
    assert errors.isdisjoint(counted(reader, f"hot_standby_feedback | off |\n{name} | {value} | ms"))
    assert errors.isdisjoint(counted(reader, f"our {name} is {int(value) + 1} s"))
    assert errors.isdisjoint(counted(reader, f"shop=> show {name};\n {name}\n------\n {value}\n(1 row)"))


def test_what_a_row_shows_is_in_the_words_of_the_row(reader: MessageReader) -> None:
    """The query above the rows names the settings, too, and is no output."""
    found = counted(reader, QUERY.format("lock_timeout") + SETTINGS.format("lock_timeout", "0"))
    assert {name: reading.words.split()[0] for name, reading in found.items()} == {
        "P-0117": "hot_standby_feedback",
        "P-0245": "lock_timeout",
    }


@pytest.mark.parametrize(
    "said", ["statement_timeout is 30s and queries get cancelled", "statement_timeout = 30s 到点被取消"]
)
def test_an_error_beside_its_setting_is_told(said: str, reader: MessageReader) -> None:
    """That a limit is set to something takes nothing from what words beside it tell."""
    assert counted(reader, said)["P-0017"].verdict == "confirmed"


def proposed(reader: MessageReader, message: str) -> set[str]:
    return {
        item.reading.phenomenon_id
        for item in reader.read(message).readings
        if item.reading.standing is Standing.PROPOSED
    }


@for_each(("online", "verdict"), [("0", "confirmed"), ("1", "denied")])
@for_each(
    "row",
    [
        " required | connected\n----------+-----------\n        1 |         {}\n(1 row)",
        "required 1 | connected {}",
        "ran your thing: required 1, connected {}",
        "required: 1\nconnected: {}",
        "required=1 connected={}",
    ],
)
def test_a_row_may_be_told_with_its_columns(row: str, online: str, verdict: str, reader: MessageReader) -> None:
    """The row of a check that was asked for is judged by its rule, however its columns and values are put down."""
    found = counted(reader, row.format(online), asked=("P-0142",))
    assert {name: reading.verdict for name, reading in found.items()} == {"P-0142": verdict}
    assert found["P-0142"].pasted


def test_a_count_that_nobody_asked_for_is_asked_about(reader: MessageReader) -> None:
    """Standbys required and connected, in a table of the person's own, may be those of the synchronous ones."""
    table = " required | connected\n----------+-----------\n        {} |         1\n(1 row)"
    assert proposed(reader, table.format(2)) == {"P-0142"}
    assert not proposed(reader, table.format(1))


@pytest.mark.parametrize(
    ("line", "phenomenon"),
    [
        ("FATAL:  terminating connection due to idle-in-transaction timeout", "P-0253"),
        ("FATAL:  canceling authentication due to timeout", "P-0257"),
    ],
)
def test_one_line_of_a_log_is_asked_about(line: str, phenomenon: str, reader: MessageReader) -> None:
    """Where a check asks for several lines, a single one that was copied is a sign, and three are evidence."""
    stamped = f"2024-06-12 10:41:07.218 CST [28841] {line}"
    assert phenomenon in proposed(reader, stamped)
    assert phenomenon in counted(reader, "\n".join([stamped] * 3))


@pytest.mark.parametrize("ended", ["walsender process due to replication timeout", "walreceiver due to timeout"])
def test_a_timeout_of_replication_in_a_log_counts_as_if_it_were_said(ended: str, reader: MessageReader) -> None:
    """The line itself is no less than the words for it."""
    stamped = f"2024-06-12 10:41:07.218 CST [28841] LOG:  terminating {ended}"
    assert counted(reader, stamped)["P-0324"].verdict == "confirmed"


def test_a_row_stands_where_its_cells_are(reader: MessageReader) -> None:
    """What a table shows has its place in the table, so that no words above it are taken for it."""
    words = "yeah it began right after, here is the table\n\n"
    table = (
        " relname | n_live_tup | n_mod_since_analyze |     last_autoanalyze\n"
        "---------+------------+---------------------+---------------------\n"
        " orders  |   84211907 |            20014877 | 2024-05-09 03:12:44\n(1 row)"
    )
    placed = next(item for item in reader.read(words + table).readings if item.reading.phenomenon_id == "P-0081")
    assert placed.start > len(words)


@for_each("session", ["", "app@shop ", "standby@shop "])
def test_whose_session_a_log_line_is_of_says_nothing(session: str, reader: MessageReader) -> None:
    """A warning counts alike with and without the user and database that the log puts before it."""
    said = "WARNING:  canceling wait for synchronous replication due to user request"
    found = counted(reader, f"2024-06-12 10:41:07.218 CST [28841] {session}{said}")
    assert found["P-0139"].verdict == "confirmed"


@pytest.mark.parametrize("said", ["it said the row was already written locally", "提示事务已经在本地提交"])
def test_a_cancelled_wait_for_a_standby_may_be_told(said: str, reader: MessageReader) -> None:
    """What the server says of a commit that stopped waiting tells that it waited."""
    assert counted(reader, said)["P-0139"].verdict == "confirmed"


@for_each(
    "said",
    [
        "它估1行，我刚count了下那天的 settle_detail 是 30,114,902 行",
        "估算 1 行，实际 30,114,902 行",
        "优化器估 12 行，数了下其实有 48 万行",
        "it estimates rows=1 but the real count is 30,114,902",
        "plan says rows=1 but a count for that date gives 30114902",
        "the planner expects 40 rows, i counted 52000",
    ],
)
def test_a_count_tells_how_far_an_estimate_is_off(said: str, reader: MessageReader) -> None:
    """What a planner takes for so many rows, and how many were counted, differ tenfold or they do not."""
    assert counted(reader, said)["P-0080"].verdict == "confirmed"
    assert "P-0080" not in counted(reader, "预估 30 天做完，数了下有 4 万行代码")


TABLES = """    relname     | n_live_tup | n_dead_tup |        last_autovacuum        |       last_autoanalyze
----------------+------------+------------+-------------------------------+-------------------------------
 orders         |   88213004 |   {dead} | 2026-11-23 03:11:52.10233+00  | 2026-11-24 05:02:18.55121+00
 settle_detail  |   41877210 |       1204 |                               | {analyzed} 02:40:09.77123+00"""
LOOK = "SELECT relname, n_live_tup, n_dead_tup, last_autovacuum, last_autoanalyze FROM pg_stat_user_tables LIMIT 10;"
NOW = 1795500000.0  # 24 November 2026, 06:00 UTC.


def shown(reader: MessageReader, message: str) -> dict[str, Reading]:
    found = reader.read(message, Topics(shown=(LOOK,)), NOW).readings
    return {item.reading.phenomenon_id: item.reading for item in found}


def test_tables_tell_how_few_rows_are_dead_and_how_old_statistics_are(reader: MessageReader) -> None:
    """All tables with few dead rows deny them; one whose statistics are days behind the others' is asked about."""
    found = shown(reader, TABLES.format(dead="412330", analyzed="2026-11-20"))
    assert found["P-0063"].verdict == "denied"
    assert (found["P-0081"].verdict, found["P-0081"].standing) == ("confirmed", Standing.PROPOSED)
    assert found["P-0081"].words.startswith("settle_detail")
    many = shown(reader, TABLES.format(dead="41233000", analyzed="2026-11-24"))
    assert many["P-0063"].verdict == "confirmed"
    assert "P-0081" not in many


@for_each("said", ["灌数据之后没收集过统计", "导完之后一直没更新过", "not analyzed since the load"])
def test_statistics_from_before_a_load_are_old(said: str, reader: MessageReader) -> None:
    """What was loaded is not in them, whatever their date."""
    assert counted(reader, said)["P-0081"].verdict == "confirmed"


def test_an_autovacuum_of_today_denies_that_it_is_off(reader: MessageReader) -> None:
    """It ran thousands of times and lately; that it ran last month tells nothing."""
    row = " relname | n_live_tup | n_dead_tup | last_autovacuum | autovacuum_count\n"
    row += " orders | 11840211 | 48213377 | {} 05:41:12.118+00 | 9120\n"
    assert shown(reader, row.format("2026-11-24"))["P-0066"].verdict == "denied"
    assert "P-0066" not in shown(reader, row.format("2026-10-24"))


SUM = """ shared_buffers | work_mem | hash_mem_multiplier | max_connections | maintenance_work_mem | worst_case
----------------+----------+---------------------+-----------------+----------------------+------------
 16GB           | 512MB    | 2                   | 300             | 1GB                  | {}
(1 row)
"""


@pytest.mark.parametrize("memory", ["机器一共64G", "we have 64 GB of RAM"])
def test_the_sum_of_memory_is_compared_with_what_is_told(memory: str, reader: MessageReader) -> None:
    """The row of a check that no rule judges says its values, to be compared with words beside it or before."""
    for total, verdict in (("168 GB", "confirmed"), ("20 GB", "denied")):
        assert counted(reader, SUM.format(total) + memory, asked=("P-0147",))["P-0147"].verdict == verdict
        assert counted(reader, SUM.format(total), memory, asked=("P-0147",))["P-0147"].verdict == verdict
    said = "worst_case 出来 168 GB，物理64G"
    assert set(counted(reader, said)) == set(counted(reader, said, "我说的64G是内存")) == {"P-0147"}
    assert "P-0147" not in counted(reader, SUM.format("168 GB"))
