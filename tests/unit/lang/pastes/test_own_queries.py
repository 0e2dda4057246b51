"""Laws of people's own queries: what an expression makes counts under any name, and no rows may be an answer."""

from __future__ import annotations

import pytest

from lang.pastes import Check, CheckIndex, RowRule, View, ViewRule, judge_paste
from tests.support.cases import for_each
from tests.support.texts.printed_tables import PRINTERS

VIEWS = [
    View.model_validate(
        {
            "id": "sessions",
            "relations": ["pg_stat_activity"],
            "columns": [
                {"name": "pid", "type": "number"},
                {"name": "state", "values": ["active", "idle", "idle in transaction"]},
                {"name": "xact_age", "type": "duration", "made_of": ["- xact_start", "age xact_start"]},
                {"name": "age", "type": "duration", "aliases": ["since"]},
                {"name": "session_age", "type": "duration", "made_of": ["- backend_start"]},
                {"name": "state_change", "type": "time"},
                {"name": "sessions", "type": "number", "made_of": ["count"]},
            ],
            "known_by": [["pid", "state"], ["state", "sessions"]],
            "key": ["pid"],
            "weight": "sessions",
        }
    ),
    View.model_validate(
        {
            "id": "slots",
            "relations": ["pg_replication_slots"],
            "columns": [
                {"name": "slot_name"},
                {"name": "retained", "type": "bytes", "made_of": ["pg_wal_lsn_diff restart_lsn"]},
                {"name": "restart_lsn", "type": "lsn"},
                {"name": "flush_lsn", "type": "lsn"},
            ],
            "known_by": [["slot_name", "retained"], ["slot_name", "restart_lsn"]],
        }
    ),
    View.model_validate(
        {
            "id": "prepared",
            "relations": ["pg_prepared_xacts"],
            "columns": [{"name": "gid"}, {"name": "prepared", "type": "time"}],
            "known_by": [["gid", "prepared"]],
        }
    ),
]
RULES = {
    "P-0001": ViewRule(view="sessions", confirmed="any(xact_age > 1 h)"),
    "P-0002": ViewRule(view="sessions", confirmed="any(age > 1 h)"),
    "P-0003": ViewRule(view="sessions", confirmed="any(since(state_change) > 1 h)"),
    "P-0004": ViewRule(
        view="sessions", confirmed="sumof(weight if state == 'idle' else 0) >= 9", none=("state = 'idle'",)
    ),
    "P-0005": ViewRule(view="slots", confirmed="any(retained > 1 GB)"),
    "P-0006": ViewRule(view="slots", confirmed="any(flush_lsn - restart_lsn > 1 GB)"),
    "P-0007": ViewRule(view="prepared", confirmed="any(ago(prepared) > 1 d)", none=("",)),
    "P-0008": ViewRule(
        view="sessions",
        confirmed="sumof(weight if state == 'active' else 0) >= 3",
        none=("state in ('active', 'disabled')", "extract(epoch from now() - xact_start) > 60"),
        least=3,
    ),
}
INDEX = CheckIndex.of((Check(phenomenon_id=name, how=(), views=(rule,)) for name, rule in RULES.items()), VIEWS)


def found(query: str, names: str, *rows: str, now: float = 0.0) -> dict[str, str]:
    """The verdict of each phenomenon that a query's output decides. rows: cells apart by ` / `."""
    table = PRINTERS["aligned"](names.split(), [row.split(" / ") for row in rows])
    message = f"{query};\n{table}" if query else table
    return {each.phenomenon_id: each.verdict for each in judge_paste(message, INDEX, now=now).findings}


@for_each(
    "expression",
    [
        "now() - xact_start",
        "clock_timestamp() - a.xact_start",
        "age(now(), xact_start)",
        "date_trunc('second', now() - xact_start)",
        "extract(epoch from now() - xact_start)",
        "extract(epoch from (now() - xact_start)) / 60",
    ],
)
def test_what_an_expression_makes_counts_whatever_it_is_called(expression: str) -> None:
    """The age of a transaction is one under any heading, as an interval or as a number of seconds or minutes."""
    number = "epoch" in expression
    scale = 60 if "/ 60" in expression else 1
    for hours, is_long in ((2, True), (0.5, False)):
        cell = str(hours * 3600 / scale) if number else f"{int(hours):02}:{int(hours * 60 % 60):02}:00"
        query = f"select pid, {expression} as t, state from pg_stat_activity a"
        assert ("P-0001" in found(query, "pid t state", f"7 / {cell} / active")) is is_long


@for_each("alias", ["as age", "age", 'as "age"'])
def test_the_age_of_a_connection_is_no_other_age(alias: str) -> None:
    """A heading that an expression gives another meaning is not read by its name."""
    row = "7 / active / 03:00:00"
    asked = f"select pid, state, now() - backend_start {alias} from pg_stat_activity"
    assert found(asked, "pid state age", row) == {}
    assert found("", "pid state age", row) == {"P-0002": "confirmed"}


def test_a_renamed_column_is_the_column() -> None:
    """`state AS s` and `pid p` are the columns that they rename."""
    query = "select a.pid p, a.state as s, now() - a.xact_start as t from pg_stat_activity a"
    assert found(query, "p s t", "7 / active / 02:00:00") == {"P-0001": "confirmed"}


@pytest.mark.parametrize(("expression", "is_count"), [("count(*)", True), ("count(*) filter (where pid > 9)", False)])
def test_only_a_whole_count_weighs_a_row(expression: str, is_count: bool) -> None:
    """A count of some of the rows is not the count of all that a row stands for."""
    query = f"select state, {expression} as x from pg_stat_activity group by 1"
    assert ("P-0004" in found(query, "state x", "idle / 12")) is is_count


@pytest.mark.parametrize(("divisor", "cell", "is_much"), [("", "2000000000", True), (" / 1024 / 1024", "2000", True)])
def test_bytes_are_divided_as_the_expression_divides_them(divisor: str, cell: str, is_much: bool) -> None:
    """A difference of positions is in bytes, or in what it was divided by."""
    query = (
        f"select slot_name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn){divisor} as x from pg_replication_slots"
    )
    assert ("P-0005" in found(query, "slot_name x", f"s / {cell}")) is is_much
    assert found(query, "slot_name x", "s / 20") == {}


def test_positions_in_the_wal_are_numbers() -> None:
    """The distance of two positions is in bytes."""
    assert found("", "slot_name restart_lsn flush_lsn", "s / 5D0/02114A30 / 5D1/C2000000") == {"P-0006": "confirmed"}
    assert found("", "slot_name restart_lsn flush_lsn", "s / 5D1/C1FF0000 / 5D1/C2000000") == {}


def test_a_time_is_as_old_as_the_latest_time_in_the_output_tells() -> None:
    """Nothing was printed before the latest time in it; a single time has no age."""
    old, new = "7 / idle / 2026-01-02 10:00:00+00", "8 / active / 2026-01-02 11:30:00+00"
    assert found("", "pid state state_change", old, new) == {"P-0003": "confirmed"}
    assert found("", "pid state state_change", old) == {}


def test_a_time_is_old_by_the_clock_only_where_there_is_one() -> None:
    """`ago` is unknown without the time of the message."""
    row = "tx1 / 2026-01-02 10:00:00+00"
    assert found("", "gid prepared", row) == {}
    assert found("", "gid prepared", row, now=1767607200.0) == {"P-0007": "confirmed"}
    assert found("", "gid prepared", row, now=1767348600.0) == {}


@for_each(
    ("query", "names", "is_denied"),
    [
        ("select * from pg_prepared_xacts", "gid prepared", True),
        ("select gid, prepared from pg_catalog.pg_prepared_xacts order by 2 limit 5", "gid prepared", True),
        ("", "gid prepared", True),
        ("select * from pg_prepared_xacts where database = 'crm'", "gid prepared", False),
        ("select * from pg_prepared_xacts offset 5", "gid prepared", False),
        ("select p.* from pg_prepared_xacts p join pg_database d on d.datname = p.database", "gid prepared", False),
        ("select * from pg_stat_activity where state = 'idle'", "pid state", True),
        ("select pid, state from pg_stat_activity a where a.state = 'idle' order by 1", "pid state", True),
        ("select * from pg_stat_activity where state = 'idle' and usename = 'app'", "pid state", False),
        ("", "pid state", False),
    ],
)
def test_no_rows_deny_under_the_condition_of_a_rule(query: str, names: str, is_denied: bool) -> None:
    """An empty result answers only a query of everything that the rule is about."""
    assert ("denied" in found(query, names).values()) is is_denied


@pytest.mark.parametrize(("number", "is_denied"), [("0", True), ("2", False)])
def test_a_count_of_nothing_is_no_rows(number: str, is_denied: bool) -> None:
    """`count(*)` that is zero denies like an empty result; another number does not tell what was counted."""
    assert (found("select count(*) from pg_prepared_xacts", "count", number) == {"P-0007": "denied"}) is is_denied


@for_each("condition", ["state in ('active', 'disabled')", "extract(epoch from now()-xact_start) > 60"])
@for_each(("number", "verdict"), [("0", "denied"), ("2", "denied"), ("3", "confirmed")])
def test_a_count_under_the_condition_of_a_rule_is_judged_by_its_least(
    condition: str, number: str, verdict: str
) -> None:
    """So many rows confirm, fewer deny; under another condition a number says nothing."""
    query = f"select count(*) from pg_stat_activity a where {condition}"
    assert found(query, "count", number) == {"P-0008": verdict}
    assert found(f"{query} and pid > 9", "count", number) == {}


@for_each(
    ("query", "is_all"),
    [
        ("select gid, prepared from pg_prepared_xacts", True),
        ("select gid, prepared from pg_prepared_xacts limit 1", False),
        ("select gid, prepared from pg_prepared_xacts where owner = 'app'", False),
        ("", False),
    ],
)
def test_all_that_there_is_denies_where_the_rule_is_false_of_it(query: str, is_all: bool) -> None:
    """Rows that may be a part deny nothing; neither do rows that lack what the rule compares."""
    noon, later = 1767348000.0, 1767351600.0
    row = "tx1 / 2026-01-02 10:00:00+00"
    assert found(query, "gid prepared", row, now=later) == ({"P-0007": "denied"} if is_all else {})
    assert found(query, "gid prepared", row, "tx2 / ", now=noon) == {}


def test_an_output_of_another_thing_of_the_kind_is_only_likely() -> None:
    """A rule for who was asked confirms nothing else, is likely as it says, and denies as before."""
    rule = RowRule(confirmed="any(w_await > 20)", likely="n() == 1 and any(w_await > 20)", asked_only=True)
    index = CheckIndex.of([Check(phenomenon_id="P-0001", how=("iostat -dx 1 10",), rows=rule)])
    one = "Device r/s w/s r_await w_await %util\nsda 1 2 0.5 {}  9.0"
    two = one + "\nsdb 1 2 0.5 0.4 9.0"
    standing = {
        (message, asked): [(each.verdict, each.standing) for each in judge_paste(message, index, asked).findings]
        for message in (one.format(41), one.format(4), two.format(41))
        for asked in ((), ("P-0001",))
    }
    assert standing[one.format(41), ()] == [("confirmed", "proposed")]
    assert standing[one.format(41), ("P-0001",)] == [("confirmed", "counts")]
    assert standing[one.format(4), ()] == [("denied", "counts")]
    assert standing[two.format(41), ()] == []
