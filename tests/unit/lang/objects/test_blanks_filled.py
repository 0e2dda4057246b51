"""The blanks of a step are filled from what outputs show: who has the connections, what the statement filters by."""

from __future__ import annotations

import pytest

from lang.objects import bind, names_to_bind
from lang.objects.named_objects import objects_named
from tests.support.cases import for_each

END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = {} AND state = 'idle';"
BUILD = "CREATE INDEX CONCURRENTLY <name> ON <table> (<column>);"
BY_USER = " usename | state | count\n---------+-------+-------\n billing | idle | 371\n orders | idle | 42\n(2 rows)"
LISTED = " pid | usename | state\n-----+---------+-------\n 17 | billing | idle\n 18 | billing | idle\n ...\n(371 rows)"
BY_APP = BY_USER.replace("usename ", "application_name ")
CODE = " 8121 | active | 00:00:4{} | SELECT id FROM coupons c WHERE c.coupon_code = $1 ORDER BY id"
BUSY = "\n".join([" pid | state | age | query", "-----+---+---+---", *map(CODE.format, range(3))])
ONE_MORE = "\n 9 | active | 00:00:01 | SELECT a FROM users WHERE email = $1"


@for_each("blank", ["'<app>'", ":app"])
@for_each("shown", [BY_USER, LISTED])
def test_where_no_application_is_named_the_user_is(shown: str, blank: str) -> None:
    """The one user who has far more connections than the others takes the place of the application."""
    names = names_to_bind(objects_named(shown))
    assert bind(END.format(blank), names) == END.format("x").replace("application_name = x", "usename = 'billing'")


def test_an_application_goes_before_its_user() -> None:
    """Where the application is told, the command is for that."""
    names = names_to_bind(objects_named(f"{BY_APP}\n\n{BY_USER}"))
    assert bind(END.format("'<app>'"), names) == END.format("'billing'")


@pytest.mark.parametrize("shown", [BUSY, BUSY + ONE_MORE])
def test_an_index_is_on_what_most_of_the_busy_statements_filter_by(shown: str) -> None:
    """Table, column and name come from the statement that most of the rows run."""
    names = names_to_bind(objects_named(shown))
    assert bind(BUILD, names) == "CREATE INDEX CONCURRENTLY coupons_coupon_code_idx ON coupons (coupon_code);"
    assert bind("WHERE tablename = '<表>'", names) == "WHERE tablename = 'coupons'"


@for_each(
    "shown",
    [
        BUSY.replace("active", "idle"),
        BUSY.replace("coupon_code = $1", "id = $1"),
        BUSY + ONE_MORE + ONE_MORE + ONE_MORE + ONE_MORE.replace("email", "name"),
    ],
)
def test_what_sessions_ran_last_or_by_primary_key_wants_no_index(shown: str) -> None:
    """Idle sessions, look-ups by id and statements of many kinds tell no column."""
    assert "<column>" in bind(BUILD, names_to_bind(objects_named(shown)))


def test_a_setting_as_it_was_shown_fills_the_blank_for_its_old_value() -> None:
    """So that the way back is a whole statement; the standbys in it are known by their names."""
    shown = " synchronous_standby_names | required | connected\n---+---+---\n FIRST 1 (node2) | 1 | 0\n(1 row)"
    names = names_to_bind(objects_named(shown))
    assert bind("'<sync_names>'", names) == "'FIRST 1 (node2)'"


def test_the_user_whose_connections_stand_out_is_the_role() -> None:
    """A limit of connections is for that role, whatever the step calls it."""
    assert bind("ALTER ROLE app_role CONNECTION LIMIT 100;", {"user": "billing"}).startswith("ALTER ROLE billing")
