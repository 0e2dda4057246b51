"""What is said of a workload by counters and by the texts of the moment, where figures could be mistaken."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lang.expressions import Reads, Row, Value
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.model import Verdict
from tests.support.cases import for_each


def verdict(check_id: str, phenomenon: str, *reads: Sequence[Row], elapsed: float = 1.0) -> Verdict | None:
    """What a check says about a phenomenon, over these reads."""
    check = shipped().checks[check_id]
    _, findings = judge(check, Reads(tuple(map(tuple, reads)), elapsed, check.key))
    return next(finding.verdict for finding in findings if finding.phenomenon_id == phenomenon)


STATEMENT: dict[str, Value] = dict(
    statement_key="1",
    calls=0.0,
    ms=0.0,
    rows=0.0,
    blocks=0.0,
    temp_blocks=0.0,
    plan_ms=0.0,
    plans=0.0,
    has_offset=False,
    is_select=True,
    is_insert=False,
    is_upkeep=False,
    is_table_ddl=False,
    aggregates=False,
    locks_rows=False,
    waiting=0.0,
    statement="SELECT",
)


@pytest.mark.parametrize(("upkeep", "expected"), [(False, Verdict.CONFIRMED), (True, Verdict.UNKNOWN)])
def test_making_tables_is_no_heavy_query(upkeep: bool, expected: Verdict) -> None:
    """Most of the time spent in DDL, a load or a vacuum does not make a query the heavy one."""
    after = STATEMENT | {"calls": 100.0, "ms": 900.0, "is_upkeep": upkeep}
    assert verdict("pg.statements", "P-0101", [STATEMENT | {"is_upkeep": upkeep}], [after]) is expected


@pytest.mark.parametrize(("calls", "expected"), [(3000.0, Verdict.CONFIRMED), (300.0, Verdict.UNKNOWN)])
def test_half_of_little_time_counts_where_it_is_called_without_end(calls: float, expected: Verdict) -> None:
    """A statement that takes most of the time is the heavy one if the server is at work, or called all the time."""
    after = STATEMENT | {"calls": calls, "ms": 60.0}
    assert verdict("pg.statements", "P-0101", [STATEMENT], [after]) is expected


@pytest.mark.parametrize(("offset", "expected"), [(False, Verdict.DENIED), (True, Verdict.UNKNOWN)])
def test_what_offset_skips_is_not_measured_by_the_page(offset: bool, expected: Verdict) -> None:
    """A page of many rows does not show that few blocks were read for it in vain."""
    after = STATEMENT | {"calls": 20.0, "ms": 900.0, "rows": 1000.0, "blocks": 60_000.0, "has_offset": offset}
    assert verdict("pg.statements", "P-0103", [STATEMENT | {"has_offset": offset}], [after]) is expected


@for_each(("rows", "expected"), [(20.0, Verdict.DENIED), (5_000.0, Verdict.UNKNOWN), (20_000.0, Verdict.CONFIRMED)])
def test_rows_a_call_are_those_of_a_frequent_statement(rows: float, expected: Verdict) -> None:
    """Whether an application fetches whole tables shows in the rows of one call."""
    after = STATEMENT | {"calls": 20.0, "ms": 100.0, "rows": 20.0 * rows}
    assert verdict("pg.statements", "P-0226", [STATEMENT], [after]) is expected


RATES: dict[str, Value] = dict(commits=0.0, rollbacks=0.0, wal_mb=0.0, next_xid=0.0, active=19.0)


@for_each(("xids", "expected"), [(5_000.0, Verdict.CONFIRMED), (600.0, Verdict.UNKNOWN), (20.0, Verdict.DENIED)])
def test_a_flood_of_reads_is_no_flood_of_tiny_commits(xids: float, expected: Verdict) -> None:
    """Only transactions that wrote count as commits of a row or two."""
    after = RATES | {"commits": 5_000.0, "next_xid": xids, "wal_mb": 1.0}
    assert verdict("pg.rates", "P-0272", [RATES], [after]) is expected


@for_each(
    ("xids", "commits", "expected"),
    [(4_000.0, 4_000.0, Verdict.DENIED), (400.0, 400.0, Verdict.UNKNOWN), (4_000.0, 40.0, Verdict.UNKNOWN)],
)
def test_many_commits_of_few_sessions_rule_out_a_slow_flush(xids: float, commits: float, expected: Verdict) -> None:
    """Each commit waits for a flush: where 20 sessions at work commit 4,000 times a second that takes 5 ms at most."""
    after = RATES | {"commits": commits, "next_xid": xids, "wal_mb": 1.0}
    assert verdict("pg.rates", "P-0128", [RATES], [after]) is expected


SESSIONS: dict[str, Value] = dict(
    connected=97.0,
    active_clients=30.0,
    young=97.0,
    newborn=0.0,
    for_everyone=97.0,
    max_connections=100.0,
    large_pools=3.0,
    largest_pool=40.0,
    unused=0.0,
    deep_offsets=0.0,
    working=4.0,
)


@for_each(
    ("known", "expected"),
    [
        ({}, Verdict.CONFIRMED),
        ({"connected": 90.0}, Verdict.UNKNOWN),
        ({"largest_pool": 90.0, "large_pools": 1.0}, Verdict.UNKNOWN),
        ({"unused": 60.0}, Verdict.UNKNOWN),
    ],
)
def test_pools_are_too_large_where_several_share_what_is_used_up(known: dict[str, Value], expected: Verdict) -> None:
    """One application that has nearly all connections, or leaves most lying, is another matter."""
    assert verdict("pg.sessions", "P-0049", *[[SESSIONS | known]] * 6) is expected


@for_each(
    ("known", "expected"),
    [
        ({"newborn": 20.0}, Verdict.CONFIRMED),
        ({}, Verdict.UNKNOWN),
        ({"connected": 5.0, "young": 5.0, "newborn": 5.0}, Verdict.UNKNOWN),
        ({"young": 10.0}, Verdict.DENIED),
    ],
)
def test_sessions_are_made_anew_in_bulk_while_they_still_come(known: dict[str, Value], expected: Verdict) -> None:
    """A program that was started a while ago and keeps its sessions is no storm; of a handful nothing can be said."""
    assert verdict("pg.sessions", "P-0266", *[[SESSIONS | known]] * 6) is expected


@pytest.mark.parametrize(("deep", "expected"), [(2.0, Verdict.CONFIRMED), (0.0, Verdict.UNKNOWN)])
def test_a_deep_offset_is_read_from_the_text(deep: float, expected: Verdict) -> None:
    """Without pg_stat_statements a text that skips tens of thousands shows it; one that has a parameter does not."""
    assert verdict("pg.sessions", "P-0092", *[[SESSIONS | {"deep_offsets": deep}]] * 6) is expected


ASKED: dict[str, Value] = dict(
    relid="1",
    relation="public.t",
    seq_tup_read=0.0,
    live=150_000.0,
    fetched=0.0,
    lookups=0.0,
    read_unnamed=False,
    statements=2.0,
    without_index=0.0,
    has_expression=False,
    triggered_writes=0.0,
    computing=2.0,
    offsets=0.0,
    pausing=0.0,
    commits=0.0,
    next_xid=0.0,
)
SCANNED = {"seq_tup_read": 9e6}


@for_each(
    ("known", "read", "expected"),
    [
        ({"without_index": 1.0}, SCANNED, Verdict.CONFIRMED),
        ({"without_index": 0.0}, SCANNED, Verdict.UNKNOWN),
        ({"without_index": 1.0}, {}, Verdict.UNKNOWN),
        ({"without_index": 1.0, "has_expression": True}, SCANNED, Verdict.UNKNOWN),
    ],
)
def test_no_index_on_the_filter_takes_a_scan_and_a_text(
    known: dict[str, Value], read: dict[str, Value], expected: Verdict
) -> None:
    """A filter on a column that leads no index is one only where its table is read from end to end all the time."""
    row = ASKED | known
    assert verdict("pg.filters", "P-0078", [row], [row | read]) is expected


@for_each(
    ("known", "expected"),
    [
        ({}, Verdict.CONFIRMED),
        ({"statements": 1.0}, Verdict.UNKNOWN),
        ({"read_unnamed": True}, Verdict.UNKNOWN),
        ({"computing": 9.0}, Verdict.UNKNOWN),
        ({"triggered_writes": 0.0}, Verdict.UNKNOWN),
    ],
)
def test_a_trigger_reads_what_no_statement_names(known: dict[str, Value], expected: Verdict) -> None:
    """Where functions are not tracked: nobody names the table that is read, and who computes does so in a write that
    fires triggers."""
    row = ASKED | {"statements": 0.0, "triggered_writes": 2.0} | known
    assert verdict("pg.filters", "P-0108", *[[row]] * 4, [row | SCANNED]) is expected


@for_each(
    ("after", "expected"),
    [
        ({"commits": 9e3, "lookups": 9e3, "fetched": 9e3}, Verdict.CONFIRMED),
        ({"commits": 9e3, "lookups": 9e3, "fetched": 9e3, "next_xid": 9e3}, Verdict.UNKNOWN),
        ({"commits": 20.0, "lookups": 9e3, "fetched": 9e3}, Verdict.UNKNOWN),
        ({"commits": 20.0, "lookups": 9e3, "fetched": 9e3, "pausing": 4.0}, Verdict.CONFIRMED),
        ({"commits": 9e3, "lookups": 9e3, "fetched": 9e5}, Verdict.UNKNOWN),
        ({"commits": 300.0, "lookups": 300.0, "fetched": 300.0}, Verdict.DENIED),
    ],
)
def test_lookups_by_key_are_counted_without_any_extension(after: dict[str, Value], expected: Verdict) -> None:
    """A thousand statements a second that fetch a row of one table are N+1, in transactions of their own or between
    pauses in one; writes, joins and ranges are not."""
    assert verdict("pg.filters", "P-0058", [ASKED], [ASKED | after]) is expected


@for_each(
    ("known", "fetched", "expected"),
    [
        ({"offsets": 1.0}, 2e6, Verdict.CONFIRMED),
        ({"offsets": 0.0}, 2e6, Verdict.UNKNOWN),
        ({"offsets": 1.0}, 2e5, Verdict.UNKNOWN),
    ],
)
def test_what_a_parameter_skips_shows_in_the_rows_fetched(
    known: dict[str, Value], fetched: float, expected: Verdict
) -> None:
    """A statement with OFFSET goes deep where each scan of its table's index fetches tens of thousands of rows."""
    after = ASKED | known | {"lookups": 20.0, "fetched": fetched}
    assert verdict("pg.filters", "P-0092", [ASKED | known], [after]) is expected
