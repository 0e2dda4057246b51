"""The first look: statements whose rows tell most causes apart, shown while none stands out."""

from __future__ import annotations

import psycopg
import pytest
from dbdiag.planner.v1.planner_types import Language
from dbdiag.vocabulary import Verdict

from gateway.turn.opening.looks import closer_looks, statement_of
from gateway.turn.opening.troubles import openings
from tests.support.servers.postgres import postgres
from tests.support.talks import House

SLOW, DISK, FULL = (
    "the shop db is dog slow since this morning, everything crawls",
    "disk 94 % full on the pg host",
    '"FATAL: remaining connection slots are reserved for non-replication superuser connections" on all services',
)
QUEUE = """\
 pid   | usename | state  | wait_event_type | wait_event | age        | blocked_by | query
-------+---------+--------+-----------------+------------+------------+------------+------
 31001 | web     | active | Lock | relation | 00:04:11.2 | {30870} | SELECT * FROM members WHERE id = $1
 31002 | web     | active | Lock | relation | 00:04:10.9 | {30870} | SELECT * FROM members WHERE id = $1
 31003 | web     | active | Lock | relation | 00:04:10.1 | {30870} | UPDATE members SET seen = now() WHERE id = $1
 30870 | deploy  | active | Lock | relation | 00:04:15.7 | {29011} | ALTER TABLE members ADD COLUMN level int
 29011 | bi      | active |      |          | 03:02:15.7 | {}      | SELECT region, count(*) FROM members GROUP BY 1
"""
SPACE = """\
 files | wal_size | max_wal_size
-------+----------+--------------
  3012 | 47 GB    | 1GB

 slot_name | slot_type | active | wal_status | retained
-----------+-----------+--------+------------+----------
 audit_old | logical   | f      | extended   | 46 GB

 archived_count | failed_count | last_archived_time  | last_failed_time
----------------+--------------+---------------------+------------------
         883921 |            0 | 2026-11-28 06:01:02 |
"""
IDLE = """\
 usename | application_name | client_addr | state  | sessions | unchanged_over_1h | max_connections
---------+------------------+-------------+--------+----------+-------------------+-----------------
 billing | billing          | 10.2.3.11   | idle   |      371 |               344 | 500
 orders  | orders           | 10.2.3.12   | idle   |       42 |                 0 | 500
 orders  | orders           | 10.2.3.12   | active |        6 |                 0 | 500
 users   | users            | 10.2.3.13   | idle   |       66 |                 0 | 500
"""
FOUND = [
    (SLOW, QUEUE, "A long transaction blocks a DDL, which blocks everyone"),
    (DISK, SPACE, "An inactive replication slot retains WAL"),
    ("the app gets no connection from its pool", IDLE, "Application leaks connections"),
]


@pytest.mark.parametrize(("told", "rows", "cause"), FOUND)
def test_the_rows_of_the_look_find_the_cause(running: House, told: str, rows: str, cause: str) -> None:
    """A complaint and the rows of the look that it gets are enough for a cause to be likely."""
    talk = running.told(told)
    assert talk.replies[0].count("```") == 2
    talk.say(rows)
    leader = talk.session.beliefs()[0]
    assert leader.name.en == cause
    assert leader.confidence > 0.85


@pytest.mark.parametrize("told", [SLOW, DISK])
def test_a_look_is_printed_once_and_waits(running: House, told: str) -> None:
    """Until something is told, only who asks what to look at sees the look again."""
    talk = running.told(told, "ffs the boss is calling", "my phone wont stop buzzing", "what should i look at?")
    assert ["```" in reply for reply in talk.replies] == [True, False, False, True]
    assert "pid" in talk.replies[3] or "wal_size" in talk.replies[3]


@pytest.mark.parametrize("refusal", ["can't run that", "这个我跑不了", "that query is not allowed for my user"])
def test_a_look_that_cannot_be_run_answers_no_check(running: House, refusal: str) -> None:
    """Nothing goes on record as unknown, and the next check is named."""
    talk = running.told(SLOW, refusal)
    assert all(entry.verdict is Verdict.CONFIRMED for entry in talk.session.active())
    assert f"1. {talk.session.pending[0].name.say(talk.session.language)}" in talk.replies[1]
    assert not talk.session.look_shown


def test_the_look_follows_what_is_on_record(running: House) -> None:
    """Where one statement is slow, its plan is asked for."""
    assert "EXPLAIN" in running.told("our daily report is crawling, normally takes a minute").replies[0]


@pytest.mark.parametrize(
    ("told", "shows"),
    [
        ("disk is at 96% on the db box, postgres 15. no psql on this laptop yet", "du -sh"),
        ("数据库磁盘96%了，我这没有psql", "du -sh"),
        ("the db is slow as hell, i have no psql here, only a shell on the box", "vmstat"),
    ],
)
def test_who_has_no_psql_gets_a_look_at_the_host(running: House, told: str, shows: str) -> None:
    """Nothing that psql would run is shown."""
    talk = running.told(told)
    assert shows in talk.replies[0]
    assert "```sql" not in talk.replies[0]
    assert "EXPLAIN" not in talk.replies[0]


def test_any_output_ends_the_wait_for_a_look(running: House) -> None:
    """Who pastes something else has gone on: the rows of the look are not demanded again, and their own end it too."""
    other = "\n".join(["Name | Type | Size", "------+-------+------", "notes | table | 12 MB", "tags | table | 3 MB"])
    assert not running.told(DISK, other).session.look_shown
    assert not running.told(DISK, SPACE).session.look_shown


def test_an_archiver_without_failures_denies_them(running: House) -> None:
    """Files were archived and none failed: archiving works."""
    rows = SPACE.split("\n\n")[2]
    names = {
        running.catalog.phenomenon_name(e.phenomenon_id).en: e.verdict
        for e in running.told(DISK, rows).session.active()
    }
    assert names.get("WAL archiving is failing") is Verdict.DENIED


def test_the_statements_follow_once_psql_is_there(running: House) -> None:
    """Who says that psql can be run now gets what psql runs."""
    assert "SELECT" in running.told("disk 94 % full on the pg host. no psql here", "got psql now").replies[1]


@pytest.mark.parametrize(
    "messages",
    [
        ("凌晨库一顿一顿的卡，pg15",),
        ("每天凌晨1点左右库一顿一顿的卡，pg15",),
        ("pg 14, every nite around 1 the app freezes for a minute or two",),
        ("库很卡", "什么都卡，读也卡写也卡。过一会又好了，现在白天，那个sql跑了看不到东西"),
    ],
)
def test_what_comes_and_goes_is_looked_up_in_the_log(running: House, messages: tuple[str, ...]) -> None:
    """Sessions of now show nothing of the night: the server log of that hour does."""
    talk = running.told(*messages)
    assert "grep -hE 'checkpoint" in talk.replies[-1]
    assert "pg_stat_activity" not in talk.replies[-1]


@pytest.mark.parametrize("told", ["db throwing errors since the deploy, 500s all over", "应用报错了，500"])
def test_errors_are_looked_up_by_their_text(running: House, told: str) -> None:
    """Where errors are told, their text tells, not a list of sessions."""
    reply = running.told(told).replies[0]
    assert "ERROR|FATAL" in reply
    assert "pg_stat_activity" not in reply


def test_every_look_has_statements_in_both_languages(running: House) -> None:
    """Each look that an opening names, or that follows what is on record, has statements for PostgreSQL."""
    names = {found.name.en for found in running.catalog.phenomena.values()}
    looks = {opening.overview for opening in openings().values()} | set(closer_looks(names))
    for look in looks:
        statement = statement_of(running.catalog, look)
        assert statement.say(Language.ZH)
        assert statement.say(Language.EN)
    assert "plan" in looks


def test_the_looks_run_on_a_server(running: House) -> None:
    """What a look prints runs in a transaction that may only read."""
    looks = {opening.overview for opening in openings().values()}
    with postgres() as address, psycopg.connect(address) as connection:
        connection.read_only = True
        for look in sorted(looks):
            text = statement_of(running.catalog, look).en
            for statement in () if text.startswith("#") else text.split(";"):
                if statement.strip():
                    assert connection.execute(statement.encode()).description


FITTING = [
    ("everything is slow and the disk is at 100% util", "iostat"),
    ("昨晚开始隔几个小时数据库就自己重启一次，所有连接全断", "dmesg"),
    ("every few minutes everything hangs for ten seconds, then it's fine again", "checkpoint"),
]


@pytest.mark.parametrize(("told", "part"), FITTING)
def test_the_look_fits_what_was_told(running: House, told: str, part: str) -> None:
    """A busy disk, a server that went down, and trouble that comes and goes get a look of their own."""
    assert part in running.told(told).replies[0]


@pytest.mark.parametrize(
    ("told", "refused"), [("one report takes forever, pg14", "can't run that"), ("月结报表跑不动了", "这个跑不了")]
)
def test_who_cannot_run_the_statement_may_have_its_plan_estimated(running: House, told: str, refused: str) -> None:
    """Where EXPLAIN ANALYZE cannot be run, a plain EXPLAIN follows, which runs nothing."""
    talk = running.told(told, refused)
    assert "EXPLAIN (ANALYZE" in talk.replies[0]
    assert "EXPLAIN <" in talk.replies[1]


@pytest.mark.parametrize(
    "told", ["mysql 8.0 is slow since we moved it to a new box", "mysql8.0 迁到新实例之后整个系统都慢了"]
)
def test_what_was_pasted_is_not_asked_for_again(running: House, told: str) -> None:
    """A busy disk brings a look at the load only where its figures were not pasted."""
    pasted = (
        "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\nnvme1n1 5932.0 94912.0 11.84 41.0 980.0 1.1 70.2 99.6"
    )
    assert "iostat" not in running.told(told, pasted).replies[1]
