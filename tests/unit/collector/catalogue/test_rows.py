"""What the catalogue's PostgreSQL checks say of rows as a server gives them: figures that could be mistaken."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lang.expressions import Reads, Row, Value
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.model import Verdict
from tests.support.cases import for_each

TABLE: dict[str, Value] = {
    "relid": "1",
    "relation": "public.t",
    "seq_tup_read": 0.0,
    "idx_scan": 0.0,
    "n_live_tup": 20_000.0,
    "n_dead_tup": 0.0,
    "n_mod_since_analyze": 0.0,
    "reltuples": 20_000.0,
    "n_tup_upd": 0.0,
    "n_tup_hot_upd": 0.0,
    "n_tup_del": 0.0,
    "vacuumed_ago": None,
    "never_vacuumed": True,
    "analyzed_ago": 5.0,
    "no_autovacuum": False,
    "indexes": 1.0,
    "bare_foreign_key": False,
    "parent_changes": 0.0,
    "switched_off": 0.0,
    "switched_off_alone": 0.0,
    "workers_busy": False,
    "running_long": 0.0,
}
SERVER: dict[str, Value] = dict(
    kind="server",
    name="",
    unlimited=True,
    most=10.0,
    names="",
    commit_mode="on",
    keep_mb=0.0,
    max_wal_mb=1024.0,
    wal_mb=64.0,
    archiving=False,
    ready=0.0,
    failed_count=0.0,
    failed_last=False,
)
SLOT: dict[str, Value] = dict(kind="slot", name="s", active=False, physical=True, wal_status="reserved")
STANDBY: dict[str, Value] = dict(
    kind="standby",
    name="7 s",
    state="streaming",
    synchronous=False,
    without_slot=False,
    behind_mb=0.0,
    unflushed_mb=0.0,
    unreplayed_mb=0.0,
    flush_seconds=0.0,
    replay_seconds=0.0,
)


def verdict(check_id: str, phenomenon: str, *reads: Sequence[Row], elapsed: float = 1.0) -> Verdict | None:
    """What a check says about a phenomenon, over these reads."""
    check = shipped().checks[check_id]
    _, findings = judge(check, Reads(tuple(map(tuple, reads)), elapsed, check.key))
    return next(finding.verdict for finding in findings if finding.phenomenon_id == phenomenon)


@for_each(
    ("known", "expected"),
    [
        ({"n_mod_since_analyze": 40_000.0}, Verdict.UNKNOWN),
        ({"n_mod_since_analyze": 40_000.0, "no_autovacuum": True}, Verdict.CONFIRMED),
        ({"n_mod_since_analyze": 40_000.0, "workers_busy": True}, Verdict.CONFIRMED),
        ({"n_mod_since_analyze": 40_000.0, "vacuumed_ago": 20.0}, Verdict.CONFIRMED),
        ({"n_mod_since_analyze": 10.0}, Verdict.CONFIRMED),
    ],
)
def test_dead_rows_are_news_once_autovacuum_came_by(known: dict[str, Value], expected: Verdict) -> None:
    """What a burst left just now is not called bloat; what stayed after a visit, or without any hope of one, is."""
    row = TABLE | {"n_dead_tup": 40_000.0} | known
    assert verdict("pg.tables", "P-0063", [row], [row]) is expected


@for_each(
    ("known", "expected"),
    [
        ({}, Verdict.DENIED),
        ({"no_autovacuum": True, "switched_off_alone": 1.0}, Verdict.CONFIRMED),
        ({"no_autovacuum": True, "switched_off_alone": 1.0, "n_live_tup": 40.0}, Verdict.UNKNOWN),
        ({"no_autovacuum": True, "switched_off": 1.0, "n_live_tup": 40.0}, Verdict.CONFIRMED),
    ],
)
def test_autovacuum_switched_off_for_a_handful_of_rows_is_a_choice(known: dict[str, Value], expected: Verdict) -> None:
    """It is missed by tables that grow; off for all it is missed whatever there is."""
    assert verdict("pg.tables", "P-0066", [TABLE | known], [TABLE | known]) is expected


@for_each(
    ("read", "running", "expected"),
    [(0.0, 0.0, Verdict.DENIED), (0.0, 1.0, Verdict.UNKNOWN), (50_000.0, 0.0, Verdict.UNKNOWN)],
)
def test_no_scan_is_ruled_out_while_a_statement_runs(read: float, running: float, expected: Verdict) -> None:
    """A statement that still runs has not counted its rows: only without one do the counters speak for all."""
    after = TABLE | {"seq_tup_read": read, "running_long": running}
    assert verdict("pg.tables", "P-0077", [TABLE], [after]) is expected


@for_each(
    ("retained", "before", "written", "expected"),
    [
        (0.5, 0.5, 0.0, Verdict.UNKNOWN),
        (20.0, 20.0, None, Verdict.UNKNOWN),
        (20.0, 10.0, None, Verdict.CONFIRMED),
        (100.0, 100.0, None, Verdict.CONFIRMED),
        (100.0, 100.0, 16.0, Verdict.UNKNOWN),
        (100.0, 100.0, 96.0, Verdict.CONFIRMED),
    ],
)
def test_a_slot_just_made_has_lost_nobody(
    retained: float, before: float, written: float | None, expected: Verdict
) -> None:
    """What a slot keeps counts from where it has no reader on, where the server knows that; else all of it."""
    slot = SLOT | {"written_mb": written}
    reads = [[slot | {"retained_mb": mb}, SERVER] for mb in (before, retained)]
    assert verdict("pg.replication", "P-0140", *reads) is expected
    if retained > 64 or retained > before:
        assert verdict("pg.replication", "P-0132", *reads) is expected


@for_each(("unread_for", "expected"), [(20.0, Verdict.UNKNOWN), (3600.0, Verdict.CONFIRMED), (None, Verdict.UNKNOWN)])
def test_a_slot_left_alone_for_long_needs_to_keep_less(unread_for: float | None, expected: Verdict) -> None:
    """What a calm server keeps for a slot is little: that nobody came for it in ten minutes is the news."""
    slot = SLOT | {"retained_mb": 24.0, "written_mb": 24.0, "inactive_for": unread_for}
    assert verdict("pg.replication", "P-0132", [slot, SERVER], [slot, SERVER]) is expected


@for_each(
    ("others", "expected"),
    [([SLOT], Verdict.CONFIRMED), ([STANDBY], Verdict.CONFIRMED), ([STANDBY | {"synchronous": True}], Verdict.DENIED)],
)
def test_where_all_standbys_are_gone_the_synchronous_one_is_missing(others: list[Row], expected: Verdict) -> None:
    """Commits that need a standby lack it when none is connected at all, not only when the wrong one is."""
    rows = [*others, SERVER | {"names": "s"}]
    assert verdict("pg.replication", "P-0142", rows, rows) is expected
    assert verdict("pg.replication", "P-0140", rows, rows) is expected


@for_each(
    ("standbys", "expected"),
    [
        ([(True, 0.4)], Verdict.CONFIRMED),
        ([(True, 0.4), (True, 0.002)], Verdict.UNKNOWN),
        ([(True, 0.002), (False, 0.4)], Verdict.DENIED),
        ([(False, 0.4)], Verdict.DENIED),
        ([], Verdict.DENIED),
    ],
)
def test_only_synchronous_standbys_can_confirm_slowly(standbys: list[tuple[bool, float]], expected: Verdict) -> None:
    """A commit is held up where every synchronous standby confirms late, however late the others are."""
    rows = [STANDBY | {"synchronous": synchronous, "flush_seconds": lag} for synchronous, lag in standbys]
    assert verdict("pg.replication", "P-0400", [*rows, SERVER], [*rows, SERVER]) is expected


@for_each(
    ("changed_then", "known", "expected"),
    [
        (29_000.0, {}, Verdict.UNKNOWN),
        (30_000.0, {}, Verdict.CONFIRMED),
        (29_000.0, {"no_autovacuum": True}, Verdict.CONFIRMED),
        (30_000.0, {"analyzed_ago": 60.0}, Verdict.UNKNOWN),
    ],
)
def test_changes_of_the_last_minutes_make_no_old_statistics(
    changed_then: float, known: dict[str, Value], expected: Verdict
) -> None:
    """What came since autovacuum could last have analyzed is no news, whether it ended or still goes on."""
    row = TABLE | {"n_mod_since_analyze": 30_000.0, "analyzed_ago": 900.0} | known
    before = row | {"n_mod_since_analyze": changed_then}
    assert (verdict("pg.tables", "P-0081", [before], [row]) is Verdict.CONFIRMED) is (expected is Verdict.CONFIRMED)


def test_a_standby_that_streams_misses_nothing() -> None:
    """While it streams, and no slot is lost, no WAL that it asked for was gone; without any standby that is open."""
    streaming = [STANDBY, SERVER]
    assert verdict("pg.replication", "P-0141", streaming, streaming) is Verdict.DENIED
    catching_up = [STANDBY | {"state": "catchup"}, SERVER]
    assert verdict("pg.replication", "P-0141", catching_up, catching_up) is Verdict.UNKNOWN
    assert verdict("pg.replication", "P-0141", [SERVER], [SERVER]) is Verdict.UNKNOWN


def test_time_spent_waiting_for_a_lock_is_no_work() -> None:
    """A statement with nearly all of the time is the heavy one only while nobody waits for locks."""
    before: dict[str, Value] = {
        "statement_key": "1",
        "calls": 0.0,
        "ms": 0.0,
        "rows": 0.0,
        "blocks": 0.0,
        "waiting": 0.0,
    }
    before |= {"plan_ms": 0.0, "plans": 0.0, "temp_blocks": 0.0, "statement": "UPDATE t", "is_upkeep": False}
    after = before | {"calls": 10.0, "ms": 900.0}
    assert verdict("pg.statements", "P-0101", [before], [after]) is Verdict.CONFIRMED
    assert verdict("pg.statements", "P-0101", [before], [after | {"waiting": 3.0}]) is Verdict.UNKNOWN


@for_each(
    ("locked", "least", "expected"),
    [(100.0, 5.0, Verdict.CONFIRMED), (100.0, 0.0, Verdict.UNKNOWN), (3.0, 5.0, Verdict.UNKNOWN)],
)
def test_reading_all_partitions_is_more_than_locking_them(locked: float, least: float, expected: Verdict) -> None:
    """A dump locks all partitions and reads one after the other, many short lookups read all of them and lock few."""
    before: dict[str, Value] = {
        "partitions": 100.0,
        "partitions_locked": locked,
        "least_scans": 10.0,
        "most_scans": 10.0,
    }
    after = before | {"least_scans": 10.0 + least, "most_scans": 10.0 + max(least, 1.0)}
    assert verdict("pg.schema", "P-0089", [before], [after]) is expected


LOCKS: dict[str, Value] = dict(
    waiting=11.0,
    without_session=0.0,
    oldest_wait=0.05,
    for_rows=11.0,
    on_one_row=0.0,
    for_one_transaction=0.0,
    root_pid=7.0,
    victims=11.0,
)


@for_each(
    ("known", "expected"),
    [
        ({"on_one_row": 9.0}, Verdict.CONFIRMED),
        ({"for_one_transaction": 11.0}, Verdict.CONFIRMED),
        ({"for_one_transaction": 6.0}, Verdict.UNKNOWN),
        ({"waiting": 3.0, "for_rows": 3.0, "for_one_transaction": 3.0}, Verdict.UNKNOWN),
        ({"for_one_transaction": 11.0, "oldest_wait": 5.0}, Verdict.DENIED),
    ],
)
def test_a_hot_row_is_a_line_for_it_or_for_its_newest_holder(known: dict[str, Value], expected: Verdict) -> None:
    """All wait for the row, or nearly all for one transaction, and none for long; a few behind a few are no hot row."""
    reads = [[LOCKS | known | {"root_pid": pid}] for pid in (7.0, 8.0, 9.0)]
    assert verdict("pg.locks", "P-0026", *reads) is expected


@pytest.mark.parametrize(("missed", "expected"), [(1, Verdict.CONFIRMED), (3, Verdict.DENIED)])
def test_a_line_that_one_read_misses_is_there(missed: int, expected: Verdict) -> None:
    """Sessions and their locks are not read at the same instant: a line may be gone between the two, but not always."""
    line = LOCKS | {"on_one_row": 9.0}
    gone = LOCKS | {"for_rows": 0.0, "oldest_wait": 0.0, "root_pid": None, "victims": 0.0}
    reads = [[line | {"root_pid": pid}] for pid in (7.0, 8.0, 9.0)][missed:] + [[gone]] * missed
    assert verdict("pg.locks", "P-0026", *reads) is expected


@for_each(
    ("rows", "read", "expected"),
    [
        (200_000.0, 200_000.0, Verdict.UNKNOWN),
        (200_000.0, 2_000_000.0, Verdict.CONFIRMED),
        (5_000_000.0, 2_000_000.0, Verdict.CONFIRMED),
        (20_000.0, 2_000_000.0, Verdict.UNKNOWN),
    ],
)
def test_one_scan_is_no_rate(rows: float, read: float, expected: Verdict) -> None:
    """A table that is read through once is a report's; one that is read again and again, or never done with, lacks an
    index."""
    before = TABLE | {"n_live_tup": rows, "reltuples": rows}
    assert verdict("pg.tables", "P-0076", [before], [before | {"seq_tup_read": read}]) is expected
