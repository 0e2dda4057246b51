"""Laws of shipped rules over people's own tables: what the columns of a paste can decide is decided."""

from __future__ import annotations

from functools import cache

import pytest

from lang.pastes import CheckIndex, judge_paste
from lang.pastes.model import Check
from tests.support.cases import for_each
from tests.support.shipped_libraries import shipped_library

NOW = 1_750_000_000.0  # 2025-06-15


@cache
def index(engine: str) -> CheckIndex:
    library = shipped_library(engine)
    checks = (
        Check(
            phenomenon_id=each.id,
            how=tuple(each.observe.texts.values()),
            rows=each.observe.rows,
            views=each.observe.views,
        )
        for each in library.phenomena.values()
    )
    return CheckIndex.of(checks, library.views.values())


def told(engine: str, message: str) -> dict[str, str]:
    found = judge_paste(message, index(engine), now=NOW).findings
    return {each.phenomenon_id: each.verdict for each in found if each.standing == "counts"}


def locks(waiters: int, longest: str, blockers: tuple[str, str]) -> str:
    heading = "locktype | relation | page | tuple | xid | waiters | longest_wait | blocked_by\n"
    rows = [f"tuple | seats | 8 | 4 |  | {waiters} | {longest} | {{{each}}}\n" for each in blockers]
    return f"{heading}{rows[0]}(1 row)\n\n2 s later:\n{rows[1]}"


@for_each(
    ("message", "verdict"),
    [
        (locks(90, "00:00:04.1", ("801", "812")), "confirmed"),
        (locks(5, "00:00:00.4", ("801", "812")), "confirmed"),
        (locks(5, "00:00:04.1", ("801", "812")), "denied"),
        (locks(90, "00:01:04.1", ("801", "801")), "denied"),
    ],
)
def test_the_last_of_a_long_queue_waits_longer(message: str, verdict: str) -> None:
    """In a queue for one row with changing holders the longest wait grows with the queue; a few never wait so long."""
    assert told("postgresql", message)["P-0026"] == verdict


def slru(multixact: int, subtrans: int) -> str:
    heading = " name | blks_hit | blks_read | blks_written\n------+----------+-----------+--------------\n"
    first = " MultiXactOffset | 9000 | 100 | 1\n Subtrans | 4000 | 100 | 1\n"
    later = f" MultiXactOffset | 9900 | {100 + multixact} | 1\n Subtrans | 4100 | {100 + subtrans} | 1\n"
    return f"{heading}{first}\n10 s later\n{later}"


@for_each(("multixact", "subtrans"), [(5000, 0), (0, 5000), (0, 0)])
def test_two_readings_of_all_caches_decide_each_of_them(multixact: int, subtrans: int) -> None:
    """A person's own query of every cache decides of the two that a check is about, each by its own row."""
    found = told("postgresql", slru(multixact, subtrans))
    assert found["P-0237"] == ("confirmed" if multixact else "denied")
    assert found["P-0238"] == ("confirmed" if subtrans else "denied")


@pytest.mark.parametrize(("end", "is_missing"), [("2025-06-01", True), ("2025-08-01", False)])
def test_the_last_bound_tells_whether_a_partition_is_missing(end: str, is_missing: bool) -> None:
    """The partitions that \\d+ lists lack the next one where the last of them ends before now."""
    parts = [("a", "2025-04-01", "2025-05-01"), ("b", "2025-05-01", end)]
    lines = (f"{name} FOR VALUES FROM ('{first}') TO ('{last}')" for name, first, last in parts)
    message = "Partitions: " + ",\n ".join(lines)
    assert ("P-0292" in told("postgresql", message)) == is_missing


@pytest.mark.parametrize("asked", ["why did it still work yesterday?", "昨天为什么还能写？"])
def test_a_question_about_another_day_leaves_the_output_where_it_is(asked: str) -> None:
    """That somebody asks about yesterday does not make what they paste an output of yesterday; saying so does."""
    line = '2025-06-01 00:00:00.4 UTC [481] app@m ERROR:  no partition of relation "m" found for row\n'
    assert told("postgresql", f"{line * 2}\n{asked}").get("P-0291") == "confirmed"
    assert "P-0291" not in told("postgresql", f"{line * 2}\nthat is from yesterday")


PLAN = (
    "| id | select_type | table | type | possible_keys | key | key_len | ref | rows | Extra |\n"
    "| 1 | SIMPLE | t | {type} | {possible} | {key} | 8 | NULL | {rows} | Using where |\n"
)


@for_each(
    ("cells", "is_unused"),
    [
        ({"type": "index", "possible": "ix_a,ix_b", "key": "PRIMARY", "rows": 20000}, True),
        ({"type": "index", "possible": "ix_a,ix_b", "key": "ix_b", "rows": 20000}, False),
        ({"type": "ref", "possible": "ix_a", "key": "ix_a", "rows": 20000}, False),
        ({"type": "index", "possible": "NULL", "key": "PRIMARY", "rows": 20000}, False),
    ],
)
def test_walking_another_index_leaves_the_possible_ones_unused(cells: dict[str, object], is_unused: bool) -> None:
    """A plan that walks an index which is none of the possible keys does not use them."""
    assert ("P-2015" in told("mysql", PLAN.format(**cells))) == is_unused


@for_each(("user", "seconds", "is_long"), [("system user", 900, True), ("system user", 5, False), ("app", 900, False)])
def test_the_applier_in_one_statement_is_seen_in_the_processlist(user: str, seconds: int, is_long: bool) -> None:
    """Only the applier's own thread, in a statement for more than a minute, is the applier at one transaction."""
    heading = "| id | user | command | time | state | info |\n"
    rows = f"{heading}| 6 | {user} | Query | {seconds} | altering table | ALTER TABLE a ADD b INT |\n"
    assert ("P-2069" in told("mysql", f"on the replica:\n{rows}")) == is_long


@for_each(
    ("age", "query", "counts"),
    [("00:40:00", "NULL", True), ("00:00:03", "NULL", False), ("00:40:00", "UPDATE a", False)],
)
def test_an_old_transaction_without_a_statement_is_idle(age: str, query: str, counts: bool) -> None:
    """The blocker of a wait is idle in its transaction where it runs nothing and began long ago."""
    wait = "*** 1. row ***\nwait_age: 00:00:04\nwaiting_pid: 88\nblocking_pid: 77\n"
    message = f"{wait}blocking_query: {query}\nblocking_trx_age: {age}\n"
    assert ("P-2026" in told("mysql", message)) == counts
