"""Laws of people's own tables: the limit decides, whatever the columns are called and however they are printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from lang.pastes import Check, CheckIndex, View, ViewRule, judge_paste
from tests.support.texts.printed_tables import PRINTERS

pytestmark = pytest.mark.sampled

SESSIONS = View.model_validate(
    {
        "id": "sessions",
        "relations": ["pg_stat_activity"],
        "columns": [
            {"name": "pid", "type": "number", "aliases": ["process_id", "procpid"]},
            {"name": "state", "aliases": ["status"], "values": ["active", "idle", "idle in transaction"]},
            {"name": "application_name", "aliases": ["app"]},
            {"name": "xact_age", "type": "duration", "aliases": ["tx_age", "transaction_age"]},
            {"name": "sessions", "type": "number", "aliases": ["count", "n"]},
        ],
        "known_by": [["pid", "state"], ["state", "sessions"]],
        "key": ["pid"],
        "weight": "sessions",
    }
)
SLOTS = View.model_validate(
    {
        "id": "slots",
        "relations": ["pg_replication_slots"],
        "columns": [
            {"name": "slot_name", "aliases": ["slot"]},
            {"name": "active", "type": "bool", "aliases": ["is_active"]},
            {"name": "retained", "type": "bytes", "aliases": ["retained_wal", "lag"]},
        ],
        "known_by": [["slot_name", "active"]],
    }
)
RULES = {
    "P-0001": ViewRule(view="sessions", confirmed="any(xact_age > 1 h)", without=("state == 'idle'",)),
    "P-0002": ViewRule(view="sessions", confirmed="sumof(weight if state == 'active' else 0) >= 4"),
    "P-0003": ViewRule(
        view="sessions",
        confirmed="sumof(weight if state == 'idle' else 0) >= 20",
        by=("application_name",),
        sure=False,
    ),
    "P-0004": ViewRule(view="slots", confirmed="any(active == False and retained > 1 GB)"),
}
INDEX = CheckIndex.of(
    (Check(phenomenon_id=name, how=(), views=(rule,)) for name, rule in RULES.items()), (SESSIONS, SLOTS)
)
NAMES = {column.name: (column.name, *column.aliases) for view in (SESSIONS, SLOTS) for column in view.columns}
STATES = st.sampled_from(SESSIONS.columns[1].values)
printers = pytest.mark.parametrize("printer", [name for name in PRINTERS if name != "border 0"])


def confirmed(message: str) -> dict[str, str]:
    """The confirmed phenomena with their standing; everything else that is found fails."""
    found = judge_paste(message, INDEX).findings
    assert all(finding.verdict == "confirmed" and finding.why == "view" for finding in found)
    return {finding.phenomenon_id: finding.standing for finding in found}


@st.composite
def shuffled(draw: st.DrawFn, columns: dict[str, list[str]]) -> tuple[list[str], list[list[str]]]:
    """The columns in any order, each under one of its names, with other columns among them."""
    count = len(next(iter(columns.values())))
    own = [(draw(st.sampled_from(NAMES[name])), cells) for name, cells in columns.items()]
    others = draw(st.lists(st.sampled_from(["backend_start", "note_id", "plugin"]), unique=True, max_size=2))
    own += [(name, ["x7"] * count) for name in others]
    ordered = draw(st.permutations(own))
    return [name for name, _ in ordered], [[cells[at] for _, cells in ordered] for at in range(count)]


def clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@printers
@given(data=st.data(), rows=st.lists(st.tuples(STATES, st.integers(1, 9000)), min_size=1, max_size=8))
def test_a_listing_confirms_if_and_only_if_the_limit_is_passed(
    data: st.DataObject, rows: list[tuple[str, int]], printer: str
) -> None:
    """A row past a limit, or enough rows, confirm; nothing else does."""
    columns = {
        "pid": [str(100 + at) for at in range(len(rows))],
        "state": [state for state, _ in rows],
        "xact_age": [clock(seconds) for _, seconds in rows],
    }
    found = confirmed(PRINTERS[printer](*data.draw(shuffled(columns))))
    assert ("P-0001" in found) == any(seconds > 3600 and state != "idle" for state, seconds in rows)
    assert ("P-0002" in found) == (sum(state == "active" for state, _ in rows) >= 4)


@printers
@given(data=st.data(), rows=st.lists(st.tuples(STATES, st.integers(0, 30)), min_size=1, max_size=6))
def test_a_grouped_count_stands_for_as_many_rows(
    data: st.DataObject, rows: list[tuple[str, int]], printer: str
) -> None:
    """Counts are added up as the rows would be, for each group where the rule is about groups."""
    columns = {
        "application_name": [f"app{at % 2}" for at in range(len(rows))],
        "state": [state for state, _ in rows],
        "sessions": [str(count) for _, count in rows],
    }
    found = confirmed(PRINTERS[printer](*data.draw(shuffled(columns))))
    idle = [sum(count for state, count in rows[first::2] if state == "idle") for first in (0, 1)]
    assert ("P-0002" in found) == (sum(count for state, count in rows if state == "active") >= 4)
    assert found.get("P-0003") == ("proposed" if max(idle) >= 20 else None)


@printers
@given(data=st.data(), rows=st.lists(st.tuples(st.booleans(), st.integers(1, 4000)), min_size=1, max_size=5))
def test_sizes_are_compared_in_one_unit(data: st.DataObject, rows: list[tuple[bool, int]], printer: str) -> None:
    """A size in megabytes, in bytes, or below a heading with a unit says the same."""
    active = ["t" if is_active else "f" for is_active, _ in rows]
    heading, scale, ending = data.draw(
        st.sampled_from(
            [("retained", 1, " MB"), ("lag", 1048576, ""), ("retained_mb", 1, ""), ("lag_bytes", 1048576, "")]
        )
    )
    cells = [[f"s{at}", active[at], f"{size * scale}{ending}"] for at, (_, size) in enumerate(rows)]
    found = confirmed(PRINTERS[printer](["slot", "active", heading], cells))
    assert ("P-0004" in found) == any(not is_active and size > 1024 for is_active, size in rows)


@printers
def test_nothing_is_said_without_values(printer: str) -> None:
    """A heading alone, no rows, and cells without a value neither confirm nor deny."""
    names = ["pid", "state", "xact_age"]
    assert confirmed(PRINTERS[printer](names, [])) == {}
    assert confirmed(PRINTERS[printer](names, [["", "", ""]] * 5)) == {}
    assert confirmed(PRINTERS[printer](names, [["17", "active", ""]])) == {}


@printers
def test_another_views_table_says_nothing(printer: str) -> None:
    """A value that a column cannot have, and a query of other relations, show that the table is of something else."""
    rows = [["17", "shipped", "02:00:00"], ["18", "active", "02:00:00"]]
    assert confirmed(PRINTERS[printer](["pid", "state", "xact_age"], rows)) == {}
    jobs = PRINTERS[printer](["pid", "state", "xact_age"], rows[1:])
    assert confirmed(f"postgres=# SELECT pid, state, xact_age FROM jobs;\n{jobs}") == {}
    assert confirmed(jobs) == {"P-0001": "counts"}


@pytest.mark.parametrize(("factor", "unit"), [(3600, "seconds"), (60, "minutes"), (1, "hours")])
def test_a_bare_number_has_the_unit_of_its_heading(factor: int, unit: str) -> None:
    """A duration in a bare number counts in the unit that the heading ends in, and not at all without one."""
    rows = [["17", "active", str(2 * factor)]]
    assert "P-0001" in confirmed(PRINTERS["aligned"](["pid", "state", f"xact_age_{unit}"], rows))
    assert confirmed(PRINTERS["aligned"](["pid", "state", "xact_age"], rows)) == {}


@given(copies=st.integers(1, 9))
def test_one_session_in_several_rows_counts_once(copies: int) -> None:
    """Rows of one key, as a join prints them, weigh no more than one row."""
    rows = [["17", "active", "00:00:01"]] * copies
    assert confirmed(PRINTERS["aligned"](["pid", "state", "xact_age"], rows)) == {}


def test_two_headings_for_one_column_mean_neither() -> None:
    """Which of two aliases is meant cannot be told; the usual name goes before an alias."""
    rows = [["17", "active", "02:00:00", "00:00:01"]]
    assert confirmed(PRINTERS["aligned"](["pid", "state", "tx_age", "transaction_age"], rows)) == {}
    assert confirmed(PRINTERS["aligned"](["pid", "state", "xact_age", "tx_age"], rows)) == {"P-0001": "counts"}


@pytest.mark.parametrize(
    "change",
    [
        {"known_by": [["nothing"]]},
        {"key": ["nothing"]},
        {"columns": [{"name": "slot_name"}, {"name": "active", "aliases": ["slot_name"]}]},
        {"columns": [{"name": "slot_name"}, {"name": "active"}, {"name": "weight"}]},
    ],
)
def test_a_view_that_contradicts_itself_is_refused(change: dict[str, object]) -> None:
    """Unknown columns, names of two columns and the reserved name are found when the view is read."""
    with pytest.raises(ValidationError):
        View.model_validate(SLOTS.model_dump() | change)
