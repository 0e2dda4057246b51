"""The shipped libraries on tables that people query themselves: each phenomenon's own limit decides."""

from __future__ import annotations

from functools import cache

import pytest

from lang.judging.dialogue import Topics
from services.knowledge.library.shipped_libraries import FOLDER
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from services.matcher.index.entries import read_snapshot
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.texts.printed_tables import PRINTERS

pytestmark = pytest.mark.sampled

LISTING = """ pid  | state               | wait_event_type | wait_event    | xact_age
------+---------------------+-----------------+---------------+----------
 4211 | idle in transaction |                 |               | 01:12:33
 4388 | active              | Lock            | transactionid | 00:08:10
 4390 | active              | Lock            | transactionid | 00:08:02
 4401 | active              | Lock            | tuple         | 00:07:55
(4 rows)"""
GROUPED = """ application_name | state | count
------------------+-------+-------
 orders-api       | idle  |   171
 psql             | active|     1"""
# Phenomenon, headings, a row that passes its limit, and one that does not.
POSTGRESQL = [
    ("P-0023", "pid status idle_for", "7 / idle in transaction / 00:05:01", "7 / idle in transaction / 00:04:59"),
    ("P-0024", "pid user state tx_age", "7 / a / active / 01:00:01", "7 / a / active / 00:59:59"),
    ("P-0024", "pid state duration_minutes query_runtime", "7 / active / 1 / 02:00:00", "7 / idle / 1 / 02:00:00"),
    ("P-0254", "pid state idle_for", "7 / idle in transaction (aborted) / 00:00:11", "7 / idle / 00:00:11"),
    ("P-0021", "wait_class wait_event n", "Lock / tuple / 3", "Lock / tuple / 2"),
    ("P-0139", "wait_event_type wait_event count", "IPC / SyncRep / 3", "IPC / SyncRep / 2"),
    (
        "P-0161",
        "state wait_event_type wait_event cnt",
        "active / Client / ClientWrite / 3",
        "idle / Client / ClientRead / 9",
    ),
    ("P-0127", "wait_event_type wait_event cnt", "LWLock / WALWrite / 3", "LWLock / WALWrite / 2"),
    ("P-0041", "wait_event_type wait_event cnt", "LWLock / MultiXactOffsetSLRU / 1", "LWLock / BufferContent / 1"),
    ("P-0033", "wait_event_type wait_event cnt", "LWLock / SubtransSLRU / 1", "LWLock / XactSLRU / 1"),
    ("P-0116", "pid app state", "7 / pg_dump / active", "7 / pg_dump / idle"),
    (
        "P-0039",
        "pid state runtime query",
        "7 / active / 00:01:01 / ALTER TABLE t",
        "7 / active / 00:00:59 / ALTER TABLE t",
    ),
    ("P-0081", "table live n_mod_since_analyze", "t / 40000 / 10001", "t / 60000 / 10001"),
    ("P-0070", "pid state backend_xmin_age", "7 / active / 1000001", "7 / active / 1000000"),
    ("P-0044", "used max_conn", "450 / 500", "449 / 500"),
    ("P-0132", "slot is_active retained_wal", "s / f / 1025 MB", "s / t / 1025 MB"),
    ("P-0132", "slot active lag_gb", "s / f / 1.1", "s / f / 0.9"),
    ("P-0133", "slot_name wal_status", "s / lost", "s / extended"),
    ("P-0118", "slot_name slot_type catalog_xmin_age", "s / logical / 1000001", "s / physical / 1000001"),
    ("P-0140", "standby state sync_state", "a / catchup / async", "a / streaming / async"),
    ("P-0135", "application_name state flush_lag", "a / streaming / 00:00:01.5", "a / streaming / 00:00:00.5"),
    ("P-0400", "application_name sync_state flush_lag", "a / sync / 00:00:00.2", "a / sync / 00:00:00.05"),
    (
        "P-0400",
        "client_addr state sync_state flush_lag",
        "b / streaming / sync / 1.5 s",
        "b / streaming / async / 1.5 s",
    ),
    ("P-0063", "table live dead", "t / 40000 / 10001", "t / 40004 / 10000"),
    ("P-0063", "tablename dead_tuples pct_dead", "t / 10001 / 20.1", "t / 10001 / 19.9"),
    ("P-0065", "relname live dead vacuum_age", "t / 40000 / 10001 / 1 day 00:01:00", "t / 40000 / 10001 / 23:00:00"),
    ("P-0094", "relname updates hot_pct indexes", "t / 10001 / 49 / 5", "t / 10001 / 51 / 5"),
    ("P-0037", "pid locktype granted wait_time", "7 / advisory / f / 00:00:02", "7 / advisory / t / 00:00:02"),
    ("P-0072", "db age", "app / 1000000001", "app / 1000000000"),
    ("P-0075", "datname mxid_age", "app / 1000000001", "app / 1000000000"),
    ("P-0074", "datname remaining_xids", "app / 2999999", "app / 3000000"),
    ("P-0099", "sequence used", "s / 90.5", "s / 90"),
    ("P-0099", "seq current_value max", "s / 1932735284 / 2147483647", "s / 1932735282 / 2147483647"),
    ("P-0029", "gid prepared_for", "g / 00:10:01", "g / 00:09:59"),
    ("P-0121", "num_timed req", "10 / 11", "11 / 11"),
    (
        "P-0130",
        "last_archived last_failed",
        "2026-01-02 10:00:00 / 2026-01-02 10:00:01",
        "2026-01-02 10:00:01 / 2026-01-02 10:00:01",
    ),
    ("P-0249", "rolname used rolconnlimit", "app / 20 / 20", "app / 19 / 20"),
    ("P-0226", "sql calls total_rows", "SELECT 1 / 100 / 1000001", "SELECT 1 / 99 / 1000001"),
    ("P-0061", "index idx_size tbl_size", "i / 101 MB / 100 MB", "i / 99 MB / 90 MB"),
    ("P-0106", "parent partition_count", "t / 1001", "t / 1000"),
    ("P-0344", "subname enabled", "s / f", "s / t"),
]
MYSQL = [
    (
        "P-2028",
        "Id Command Time State",
        "7 / Query / 6 / Waiting for table metadata lock",
        "7 / Query / 5 / Waiting for table metadata lock",
    ),
    (
        "P-2029",
        "id time state info",
        "7 / 11 / altering table / ALTER TABLE t ADD c int",
        "7 / 10 / altering table / ALTER TABLE t ADD c int",
    ),
    ("P-2034", "state cnt", "Waiting for global read lock / 3", "Waiting for global read lock / 2"),
    ("P-2105", "id command time state", "7 / Query / 2 / statistics", "7 / Query / 1 / statistics"),
    ("P-2042", "user cnt", "unauthenticated user / 3", "unauthenticated user / 2"),
    (
        "P-2071",
        "state count",
        "Waiting for semi-sync ACK from replica / 3",
        "Waiting for semi-sync ACK from replica / 2",
    ),
    ("P-2095", "trx_id modified", "99 / 100001", "99 / 100000"),
    ("P-2096", "trx_id trx_state", "99 / ROLLING BACK", "99 / RUNNING"),
    ("P-2027", "trx_id age", "99 / 601", "99 / 600"),
    ("P-2026", "thread_id cmd trx_age", "99 / Sleep / 61", "99 / Query / 61"),
    ("P-2024", "waiter blocker wait_secs", "1 / 2 / 6", "1 / 2 / 5"),
    ("P-2065", "seconds_behind_master slave_io_running", "61 / Yes", "60 / Yes"),
    ("P-2066", "slave_io_running slave_sql_running", "Yes / No", "No / Yes"),
    ("P-2037", "threads_connected max_connections", "86 / 100", "85 / 100"),
]
# What people list without a condition: prepared transactions, and replication slots.
LISTED_WHOLE = {"P-0029", "P-0132", "P-0133"}
CASES = [("postgresql", *case) for case in POSTGRESQL] + [("mysql", *case) for case in MYSQL]


@cache
def reader(library: str) -> MessageReader:
    content = compile_libraries([FOLDER / library])
    return MessageReader(read_snapshot(content, snapshot_id(content)))


def read(library: str, message: str) -> dict[str, Standing | None]:
    """What a table confirms; anything else in it fails."""
    found = [item.reading for item in reader(library).read(message).readings]
    assert all(reading.verdict is Verdict.CONFIRMED and reading.kind == "pasted_view" for reading in found)
    return {reading.phenomenon_id: reading.standing for reading in found}


@for_each(("library", "identity", "headings", "passes", "within"), CASES, every=4)
def test_the_limit_of_the_phenomenon_decides(
    library: str, identity: str, headings: str, passes: str, within: str
) -> None:
    """A row past the limit confirms in every form of table and any order of columns, one within it says nothing."""
    names = headings.split()
    for form in ("aligned", "expanded", "csv", "markdown", "mysql"):
        for row, is_past in ((passes, True), (within, False)):
            cells = row.split(" / ")
            for turn in range(len(names)):
                turned = names[turn:] + names[:turn], [cells[turn:] + cells[:turn]]
                found = read(library, PRINTERS[form](*turned))
                assert (found.get(identity) is Standing.COUNTS) is is_past, (form, turned)


@for_each(("library", "identity", "headings", "passes", "within"), CASES)
def test_a_table_without_values_says_nothing(
    library: str, identity: str, headings: str, passes: str, within: str
) -> None:
    """Cells that are all absent neither confirm nor deny, and no rows deny only what people list whole."""
    names = headings.split()
    assert read(library, PRINTERS["aligned"](names, [["NULL"] * len(names)] * 3)) == {}
    none = [item.reading for item in reader(library).read(PRINTERS["aligned"](names, [])).readings]
    assert {reading.phenomenon_id for reading in none} <= LISTED_WHOLE
    assert all(reading.verdict is Verdict.DENIED for reading in none)


def test_an_archiver_that_got_over_its_failure_denies_it() -> None:
    """What was archived after the last failure tells that archiving does not fail now; the reverse, that it does."""
    for row, verdict in ((["10:00:01", "10:00:00"], Verdict.DENIED), (["10:00:00", "10:00:01"], Verdict.CONFIRMED)):
        cells = [f"2026-01-02 {each}" for each in row]
        table = PRINTERS["aligned"](["last_archived", "last_failed"], [cells])
        found = [item.reading for item in reader("postgresql").read(table).readings]
        assert [(each.phenomenon_id, each.verdict) for each in found] == [("P-0130", verdict)]


def test_a_listing_of_sessions_is_judged_row_by_row() -> None:
    """Three sessions wait for rows; the only one idle in a transaction, over an hour old, may be what blocks them."""
    assert read("postgresql", LISTING) == {
        "P-0021": Standing.COUNTS,
        "P-0024": Standing.COUNTS,
        "P-0023": Standing.COUNTS,
        "P-0025": Standing.PROPOSED,
        "P-0420": Standing.PROPOSED,
    }
    assert "P-0023" not in read(
        "postgresql", LISTING.replace("xact_age", "tx_age  | idle_for").replace("12:33", "12:33 | 00:00:01")
    )


@pytest.mark.parametrize(
    ("events", "verdict"),
    [
        (("transactionid", "tuple", "transactionid"), Verdict.CONFIRMED),
        (("relation", "relation", "relation"), Verdict.DENIED),
        (("transactionid", "transactionid", "relation"), None),
        (("transactionid",), None),
    ],
)
def test_waits_are_for_rows_where_no_waiter_wants_a_table(events: tuple[str, ...], verdict: Verdict | None) -> None:
    """Waiters for transactions or tuples alone wait for rows, waiters for tables alone do not, others leave it open."""
    rows = [[str(pid), "active", "Lock", event] for pid, event in enumerate(events, 100)]
    table = PRINTERS["aligned"](["pid", "state", "wait_event_type", "wait_event"], rows)
    found = [item.reading for item in reader("postgresql").read(table).readings]
    assert next((each.verdict for each in found if each.phenomenon_id == "P-0420"), None) is verdict


def test_a_grouped_count_of_sessions_is_proposed() -> None:
    """Many idle sessions of one application are there, but not since when, nor how many there may be."""
    found = [item.reading for item in reader("postgresql").read(GROUPED).readings]
    assert {each.phenomenon_id: each.standing for each in found} == {
        "P-0045": Standing.PROPOSED,
        "P-0044": Standing.NEEDS_BASE,
    }


@pytest.mark.parametrize("waiters", [2, 3])
def test_pairs_of_blocked_and_blocker_count_each_waiter_once(waiters: int) -> None:
    """Three blocked sessions are three waiters; a session that two others block is one."""
    rows = [[str(100 + at // 2), str(7 + at % 2)] for at in range(2 * waiters)]
    found = read("postgresql", PRINTERS["aligned"](["blocked_pid", "blocking_pid"], rows))
    assert found == ({"P-0021": Standing.COUNTS} if waiters >= 3 else {})


def test_waiters_behind_a_table_lock_are_a_queue_on_one_table_only() -> None:
    """An exclusive lock that waits, and another waiter of the same table; waiters of two tables are no queue."""
    names = ["pid", "relation", "mode", "granted"]
    rows = [["1", "orders", "AccessExclusiveLock", "f"], ["2", "orders", "RowShareLock", "f"]]
    assert read("postgresql", PRINTERS["aligned"](names, rows)) == {"P-0022": Standing.COUNTS}
    rows[1][1] = "items"
    assert read("postgresql", PRINTERS["aligned"](names, rows)) == {}


@pytest.mark.parametrize(
    ("shown", "phenomenon", "verdict"),
    [
        (
            "max_connections \n-----------------\n 300\n(1 row)\n\n count \n-------\n   297\n(1 row)",
            "P-0044",
            Verdict.CONFIRMED,
        ),
        (
            "max_connections \n-----------------\n 300\n(1 row)\n\n count \n-------\n   97\n(1 row)",
            "P-0044",
            Verdict.DENIED,
        ),
        (" autovacuum \n------------\n off\n(1 row)", "P-0066", Verdict.CONFIRMED),
    ],
)
def test_single_values_are_read_as_if_they_were_said(shown: str, phenomenon: str, verdict: Verdict) -> None:
    """Outputs of a name and a value each are read together, as a person would say them."""
    found = {item.reading.phenomenon_id: item.reading for item in reader("postgresql").read(shown).readings}
    assert found[phenomenon].verdict is verdict
    assert found[phenomenon].standing is Standing.COUNTS
    assert found[phenomenon].pasted


@for_each(
    ("cost", "estimated", "standing"),
    [
        (1840218.91, 1, Standing.COUNTS),
        (1840218.91, 100, Standing.COUNTS),
        (1840218.91, 41300, Standing.PROPOSED),
        (1840218.91, 90000, None),
        (3250, 100, Standing.PROPOSED),
        (1.05, 5, None),
    ],
)
@for_each("node", ["Seq Scan", "->  Parallel Seq Scan"])
def test_a_plan_without_run_times_tells_by_its_cost(
    node: str, cost: float, estimated: int, standing: Standing | None
) -> None:
    """A Seq Scan that reads many pages for each row it expects is worth a question; a small table's never is.

    The cost tells how much is read where the plan was not run: 3250 is that of a table of some 100 000 rows, and above
    110 000 no table has fewer, even with one row to a page. Then a hundred pages to a row count.
    """
    line = f" {node} on user_events  (cost=0.00..{cost} rows={estimated} width=220)"
    plan = f"{line}\n   Filter: (user_id = 8839201)\n(2 rows)"
    for prose in ("", "explain says\n\n"):
        read = reader("postgresql").read(f"{prose}{plan}\n\norders is 80 mio rows").readings
        found = {item.reading.phenomenon_id: item.reading.standing for item in read}
        assert found.get("P-0077") is standing


FIRST = " datname | deadlocks | stats_reset \n---------+-----------+-------------\n shop    |        12 | \n(1 row)"


@pytest.mark.parametrize(("deadlocks", "verdict"), [(19, Verdict.CONFIRMED), (12, Verdict.DENIED)])
def test_two_readings_may_come_in_two_messages(deadlocks: int, verdict: Verdict) -> None:
    """A check that compares two readings is judged by the second message, with the output of the one before."""
    alone = {item.reading.phenomenon_id: item.reading for item in reader("postgresql").read(FIRST).readings}
    assert alone["P-0028"].standing is Standing.NEEDS_BASE
    second = FIRST.replace("12", str(deadlocks))
    topics = Topics(before=("why do you ask that?", FIRST))
    both = {item.reading.phenomenon_id: item.reading for item in reader("postgresql").read(second, topics).readings}
    assert (both["P-0028"].verdict, both["P-0028"].standing) == (verdict, Standing.COUNTS)


@pytest.mark.parametrize(
    ("before", "counts"),
    [("pg_wal is 150GB", True), (" what   | size\n--------+-------\n pg_wal | 150GB\n base   | 22GB\n(2 rows)", False)],
)
def test_only_ones_own_words_wait_for_their_base(before: str, counts: bool) -> None:
    """A number in an earlier output is of its own row: it is not compared with what is said later."""
    topics = Topics(before=(before,))
    found = {item.reading.phenomenon_id for item in reader("postgresql").read("max_wal_size is 8GB", topics).readings}
    assert ("P-0129" in found) == counts


TREE = """  pid  | blocked_by | state  | age      | query
-------+------------+--------+----------+-------
 21907 | {{18833}}    | active | 00:21:40 | {first}
 22011 | {{{blocker}}}    | active | 00:21:38 | UPDATE orders SET status = $1
(2 rows)"""


@pytest.mark.parametrize(
    "statement", ["ALTER TABLE orders ADD COLUMN c int", "alter table t drop x", "TRUNCATE events"]
)
def test_a_tree_of_blockers_shows_the_change_that_all_wait_behind(statement: str) -> None:
    """A pasted tree with a waiting DDL and a session behind it confirms the queue; a single waiter does not."""
    queued = reader("postgresql").read(TREE.format(first=statement, blocker=21907))
    alone = reader("postgresql").read(TREE.format(first=statement, blocker=""))
    assert "P-0022" in {item.reading.phenomenon_id for item in queued.readings}
    assert "P-0022" not in {item.reading.phenomenon_id for item in alone.readings}


@pytest.mark.parametrize("name", ["hot_standby_feedback", "work_mem", "jit", "max_wal_size"])
def test_settings_of_other_names_say_nothing_of_a_check(name: str) -> None:
    """A table of pg_settings without any of the names that a check picks is not that check's output."""
    table = f" name | setting\n------+---------\n {name} | off\n(1 row)"
    found = reader("postgresql").read(table).readings
    assert "P-0268" not in {item.reading.phenomenon_id for item in found}


def test_a_log_record_is_read_to_its_last_line() -> None:
    """What the further lines of a log record tell counts like its first line."""
    record = (
        '2026-11-25 01:12:44 UTC [771] LOG:  automatic vacuum of table "shop.public.orders": index scans: 0\n'
        "\tpages: 0 removed, 2650101 remain\n"
        "\ttuples: 0 removed, 101762137 remain, 80290733 are dead but not yet removable\n"
    )
    found = {item.reading.phenomenon_id: item.reading.verdict for item in reader("postgresql").read(record).readings}
    assert found == {"P-0069": Verdict.CONFIRMED}
    none_left = record.replace("80290733", "0")
    read = {item.reading.phenomenon_id: item.reading.verdict for item in reader("postgresql").read(none_left).readings}
    assert read.get("P-0069") is not Verdict.CONFIRMED


@pytest.mark.parametrize(("trigger_ms", "verdict"), [(39_800.4, Verdict.CONFIRMED), (0.3, None)])
def test_the_triggers_below_a_plan_are_part_of_it(trigger_ms: float, verdict: Verdict | None) -> None:
    """The times of a plan's triggers together are compared with its execution time."""
    plan = f""" Delete on customers  (cost=0.43..8.45 rows=0 width=0) (actual time=0.061..0.062 rows=0 loops=1)
   ->  Seq Scan on customers  (cost=0.43..8.45 rows=1 width=6) (actual time=0.02..0.02 rows=1 loops=1)
 Planning Time: 0.1 ms
 Trigger for constraint orders_customer_id_fkey: time={trigger_ms} calls=1
 Trigger for constraint carts_customer_id_fkey: time=0.1 calls=1
 Execution Time: 39801.0 ms"""
    verdicts = {item.reading.phenomenon_id: item.reading.verdict for item in reader("postgresql").read(plan).readings}
    assert verdicts.get("P-0090") is verdict
