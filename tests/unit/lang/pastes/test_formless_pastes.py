"""Laws of pastes that lost their form: rows say the same quoted, wrapped, without signs or without a heading."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.pastes import Check, CheckIndex, View, ViewRule, judge_paste
from tests.support.cases import for_each
from tests.support.texts.printed_tables import PRINTERS

SESSIONS = View.model_validate(
    {
        "id": "sessions",
        "relations": ["pg_stat_activity"],
        "columns": [
            {"name": "pid", "type": "number"},
            {"name": "state", "values": ["active", "idle", "idle in transaction"]},
            {"name": "age", "type": "duration", "aliases": ["dur"]},
            {"name": "query"},
        ],
        "known_by": [["pid", "state"]],
    }
)
PROCESSES = View.model_validate(
    {
        "id": "processes",
        "relations": ["ps"],
        "form": "processes",
        "columns": [{"name": "command"}, {"name": "cpu_pct", "type": "percent"}],
        "known_by": [["command"]],
    }
)
RULES = {
    "P-0001": ViewRule(view="sessions", confirmed="any(state == 'idle in transaction' and age > 5 min)"),
    "P-0002": ViewRule(view="processes", confirmed="any(has(command, 'sending backup'))"),
    "P-0003": ViewRule(view="processes", confirmed="any(has(command, 'startup') and cpu_pct > 90)"),
}
INDEX = CheckIndex.of(
    (Check(phenomenon_id=name, how=(), views=(rule,)) for name, rule in RULES.items()), (SESSIONS, PROCESSES)
)
NAMES = ["pid", "state", "age", "query"]
OTHERS = [["7712", "active", "00:00:00.010203", "select 1"], ["7719", "idle", "00:12:00", "COMMIT"]]


def confirmed(message: str) -> set[str]:
    return {each.phenomenon_id for each in judge_paste(message, INDEX).findings if each.verdict == "confirmed"}


def row(is_old: bool) -> list[str]:
    return ["20817", "idle in transaction", "1 day 00:41:09" if is_old else "00:00:09.33", "UPDATE t SET n = n + 1"]


def aligned(is_old: bool) -> str:
    return PRINTERS["aligned"](NAMES, [OTHERS[0], row(is_old), OTHERS[1]])


def quote(table: str) -> str:
    return "from chat:\n" + "\n".join(f"> {line}" for line in table.split("\n"))


def lose_signs(table: str) -> str:
    lines = [line.replace("|", " ") for line in table.split("\n") if not set(line) <= set("-+")]
    return "\n".join(line for line in lines if not line.startswith("("))


def squeeze(table: str) -> str:
    return "\n".join(re.sub(" +", " ", line).strip() for line in lose_signs(table).split("\n"))


def lose_heading(table: str) -> str:
    return "\n".join(table.split("\n")[2:-1])


def to_pairs(table: str) -> str:
    cells = [[cell.strip() for cell in line.split("|")] for line in table.split("\n")[:-1]]
    return "\n".join(f"{name}: {cell}" for name, cell in zip(cells[0], cells[3], strict=True))


def to_assignments(table: str) -> str:
    cells = [[cell.strip() for cell in line.split("|")] for line in table.split("\n")[:-1]]
    return " ".join(f"{name}='{cell}'" for name, cell in zip(cells[0], cells[3], strict=True))


def fence(table: str) -> str:
    return f"```\n{table}\n```"


@for_each(
    "lose", [quote, lose_signs, squeeze, lose_heading, to_pairs, to_assignments, fence], ids=lambda lose: lose.__name__
)
@for_each("is_old", [True, False])
def test_rows_say_the_same_in_every_form(lose: Callable[[str], str], is_old: bool) -> None:
    """What a table confirms it confirms without its form, too, and nothing more."""
    assert confirmed(lose(aligned(is_old))) == ({"P-0001"} if is_old else set())


@given(width=st.integers(min_value=24, max_value=70), is_old=st.booleans())
def test_a_table_wrapped_at_any_width_says_the_same(width: int, is_old: bool) -> None:
    """A terminal cuts lines where its window ends, within words and rulers."""
    wrapped = "\n".join(
        line[start : start + width] for line in aligned(is_old).split("\n") for start in range(0, len(line), width)
    )
    assert confirmed(wrapped) == ({"P-0001"} if is_old else set())


@for_each("form", ["PT{}M", "{}m0s", "0h {}m", "{} min", "{}分钟", "0:{}:00", "00:{}:00.5", "0 days {} minutes"])
@for_each("minutes", [12, 41])
def test_a_length_of_time_is_read_in_the_form_of_every_client(form: str, minutes: int) -> None:
    """Intervals of servers, of programming languages, of ISO 8601 and of people."""
    cells = ["7", "idle in transaction", form.format(minutes), "COMMIT"]
    rule = ViewRule(view="sessions", confirmed="any(age > 30 min)")
    index = CheckIndex.of([Check(phenomenon_id="P-0001", how=(), views=(rule,))], [SESSIONS])
    found = judge_paste(PRINTERS["aligned"](NAMES, [cells]), index).findings
    assert bool(found) is (minutes > 30)


@for_each(("heading", "cell"), [("age_minutes", "6"), ("age_s", "301"), ("dur_hours", "0.1"), ("age", "6")])
def test_a_heading_tells_the_unit_of_a_bare_number(heading: str, cell: str) -> None:
    """A number without any unit is not read as a length of time."""
    table = PRINTERS["aligned"](["pid", "state", heading], [["7", "idle in transaction", cell]])
    assert confirmed(table) == (set() if heading == "age" else {"P-0001"})


@pytest.mark.parametrize("is_old", [True, False])
def test_one_cell_a_line_is_a_table(is_old: bool) -> None:
    """Headings and cells below each other are rows, if their number comes out even."""
    cells = [*NAMES, *OTHERS[0], *row(is_old)]
    assert confirmed("\n".join(cells)) == ({"P-0001"} if is_old else set())
    assert confirmed("\n".join(cells[:-1])) == set()


TITLES = {
    "P-0002": 'postgres: 16/main: walsender repl 10.0.0.5(51544) sending backup "base"',
    "P-0003": "postgres: startup recovering 0000000300002A11",
}
LINES = {
    "top": "3121 postgres  20   0 8421332   8.1g   8.0g R  99.3 12.7 512:11.02 {}",
    "ps aux": "postgres 29901 38.2  0.1 8415002  41223 ?  Rs  02:00  44:12 {}",
    "ps -ef": "postgres  29901  1811 38 02:00 ?        00:44:12 {}",
    "pgrep": "29901 {}",
    "title": "{}",
}


@for_each("line", LINES)
def test_processes_are_known_by_their_titles(line: str) -> None:
    """A line of any tool shows what a server's process does; only `top` measures what it uses now."""
    assert confirmed(LINES[line].format(TITLES["P-0002"])) == {"P-0002"}
    assert confirmed(LINES[line].format(TITLES["P-0003"])) == ({"P-0003"} if line == "top" else set())


@for_each(
    "words",
    [
        "> 90 % of the connections are used",
        "postgres: is down since three",
        "pg_dump sending backup files to the other site",
        "which columns do you need, pid state age query or more?",
        "state: slow\nquery: the one with the join",
        "we have three stages:  test  staging  production",
        "app | what it does | since when",
    ],
)
def test_sentences_are_no_output(words: str) -> None:
    """Words with signs, gaps or names of columns in them stay the person's own."""
    reading = judge_paste(words, INDEX)
    assert not reading.findings
    assert "".join(span.words for span in reading.prose) == words


def test_places_in_a_quoted_message_are_places_in_the_message() -> None:
    """The person's own words stand where the reading says, before a quotation and inside one."""
    message = "look:\n> all is slow\n> since noon\nbye"
    reading = judge_paste(message, INDEX)
    assert all(message[span.start : span.end] == span.words for span in reading.prose)
    assert [block.kind for block in reading.blocks] == ["prose"] * 4
