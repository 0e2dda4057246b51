"""Statements that a log shows as slow: the one that its lines have in common is known from then on."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from lang.objects.named_objects import objects_named
from lang.objects.scan_keys import KEY
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.unit.matcher.index.test_matcher_partial_outputs import counted, read, reader

pytestmark = pytest.mark.sampled

ONE_STATEMENT, NO_INDEX = "P-0101", "P-0078"
SLOW = "SELECT id, status FROM orders WHERE phone = {} ORDER BY created_at DESC LIMIT 20"
SERVER = "2024-05-21 10:42:{at}.331 CST [188{at}] LOG:  duration: 3{at}77.402 ms  execute <unnamed>: {said}"
BARE = "duration: 3{at}77.402 ms  statement: {said}"
PLAN = (
    "2024-05-21 10:42:{at} UTC [7] LOG:  duration: 3{at}77.4 ms  plan:\n"
    "\tQuery Text: {said}\n\tLimit  (cost=0.4..9 rows=20)"
)
SPREAD = "2024-05-21 10:42:{at} UTC [7] LOG:  duration: 3{at}77.4 ms  statement: {said}\n\tOFFSET 0"
APPLICATION = "2024-05-21 10:42:{at} WARN [http-{at}] c.e.OrderDao - slow query 3{at}.1s: {said}"
HIBERNATE = "2024-05-21 10:42:{at} INFO org.hibernate.SQL_SLOW - SlowQuery: 3{at}77 milliseconds. SQL: '{said}'"
SPY = "#171629{at} | took 3{at}77ms | statement | connection 4| {said}"
DRUID = "slow sql 3{at}77 millis. {said}"
LEVEL = "LOG:  duration: 3{at}77.402 ms  execute S_1: {said}"
RANKED = "{at}  3{at}s77ms  {said};"
FORMS = [SERVER, BARE, LEVEL, RANKED, PLAN, SPREAD, APPLICATION, HIBERNATE, SPY, DRUID]
INDEXES = """Indexes:
    "orders_pkey" PRIMARY KEY, btree (id)
    "orders_created" btree ({})"""


def log_of(form: str, *statements: str) -> str:
    """Lines of a log, one a statement."""
    return "\n".join(form.format(at=10 + place, said=each) for place, each in enumerate(statements))


@for_each("form", FORMS)
@for_each("value", ["$1", "'139{}0000'"], every=3)
def test_a_statement_in_most_slow_lines_is_the_one_that_dominates(form: str, value: str) -> None:
    """Four slow lines of one statement count, whatever its values are; three are asked about, others say nothing."""
    alike = [SLOW.format(value.format(number)) for number in range(4)]
    assert counted(log_of(form, *alike))[ONE_STATEMENT] is Verdict.CONFIRMED
    assert read(log_of(form, *alike[:3]))[ONE_STATEMENT].standing is Standing.PROPOSED
    others = [f"SELECT a FROM t{number} WHERE b = 1" for number in "abcd"]
    assert ONE_STATEMENT not in read(log_of(form, *others))


@for_each("form", FORMS)
def test_what_slow_lines_filter_by_is_kept(form: str) -> None:
    """The table and the columns of the statement that the lines have in common are known."""
    message = f"这是慢日志里捞的:\n\n{log_of(form, *[SLOW.format('$1')] * 3)}"
    assert KEY in {each.kind for each in objects_named(message) if each.name == "orders (phone)"}


@for_each(("columns", "verdict"), [("created_at", Verdict.CONFIRMED), ("phone", Verdict.DENIED)])
@for_each(
    "told",
    [
        log_of(SERVER, *[SLOW.format("$1")] * 4),
        f"慢的就是这条 {SLOW.format('?')}",
        f"it is always this one:\n{SLOW.format(':phone')}",
        " query | calls | mean_exec_time\n---+---+---\n"
        f" {SLOW.format('$1')} | 900 | 31877.4\n SELECT a FROM users WHERE b = $1 | 20000 | 1.2",
    ],
    every=3,
)
def test_a_list_of_indexes_is_compared_with_a_statement_told_before(told: str, columns: str, verdict: Verdict) -> None:
    """A slow statement of a log, of words or of rows decides whether an index leads with its column."""
    for prompt in ("", "shop=# \\d orders\n"):
        found = reader().read(prompt + INDEXES.format(columns), Topics(before=("还有啥要看的", told)))
        readings = {item.reading.phenomenon_id: item.reading for item in found.readings}
        assert (readings[NO_INDEX].verdict, readings[NO_INDEX].standing) == (verdict, Standing.COUNTS)


def test_the_rows_of_statements_are_weighed_by_calls_and_mean_time() -> None:
    """Where no total is shown, the calls times the mean tell which statement takes most."""
    message = (
        f" query | calls | mean_exec_time\n---+---+---\n {SLOW.format('$1')} | 900 | 31877.4\n SELECT 1 | 20000 | 1.2"
    )
    assert counted(message)[ONE_STATEMENT] is Verdict.CONFIRMED


def test_the_statement_of_an_error_or_of_a_wait_is_no_slow_one() -> None:
    """Only what a line itself reports as slow is, whatever stands between such lines."""
    log = f"""{log_of(SERVER, *[SLOW.format("$1")] * 2)}
2024-05-21 10:43:18 CST [1] ERROR:  canceling statement due to statement timeout
2024-05-21 10:43:18 CST [1] STATEMENT:  SELECT b FROM users WHERE email = 'x'
2024-05-21 10:43:19 CST [2] LOG:  process 2 still waiting for ShareLock on transaction 5 after 1000.123 ms
2024-05-21 10:43:19 CST [2] STATEMENT:  UPDATE carts SET a = 1 WHERE owner = 2
{log_of(SERVER, *[SLOW.format("$1")] * 2)}"""
    assert counted(log)[ONE_STATEMENT] is Verdict.CONFIRMED
    assert {each.name for each in objects_named(log) if each.kind == KEY} == {"orders (phone)"}
