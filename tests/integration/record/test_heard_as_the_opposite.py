"""What was heard as the opposite gives way to the log, to what is insisted on, and to a protest."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Item
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

SLOTS, DEADLOCK, SWAP = "P-0043", "P-0027", "P-0146"
FATAL = "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute"
LOG = "\n".join(f"2025-11-27 23:4{at}:07.338 UTC [2881{at}] orders@prod {FATAL}" for at in range(3))
TOP = "P-0101"
RUNNING = "\n".join(
    [" pid | runtime | state | wait_event | query", "-----+---------+--------+--------------+-------"]
    + [
        f" 204{at} | 00:00:{at} | active | DataFileRead | SELECT id FROM orders WHERE coupon = $1"
        for at in range(11, 19)
    ]
)
PLAN = """ Gather Merge  (cost=3184220.11..3184268.30 rows=413 width=36)
   Workers Planned: 2
   ->  Sort
         Sort Key: created_at DESC
         ->  Parallel Seq Scan on orders  (cost=0.00..3183206.33 rows=206 width=36)
               Filter: ((coupon_code)::text = 'XMAS20'::text)"""
NONE_SEEN = {
    "zh": "没有 too many clients 报错，语句普遍变慢",
    "en": "no too many clients errors, all statements are slow",
}


def verdict_of(talk: Talk, phenomenon: str) -> Verdict | None:
    """What stands of a phenomenon."""
    entry = talk.session.active_for(phenomenon)
    return entry.verdict if entry else None


@pytest.mark.parametrize("language", sorted(NONE_SEEN))
@pytest.mark.parametrize(
    "later", [LOG, "im telling you for the 4th time, we get too many clients", "明明报 too many clients，都说了三遍了"]
)
def test_the_log_and_what_is_insisted_on_outrank_words(running: House, language: str, later: str) -> None:
    """What was only read from words goes at once, and nobody is asked which of the two holds."""
    talk = running.told(NONE_SEEN[language], later)
    assert verdict_of(talk, SLOTS) is Verdict.CONFIRMED
    assert talk.turns[-1].clarification is None


@pytest.mark.parametrize(
    ("first", "protest"),
    [
        ("no too many clients errors", "no no, we DO get that error. thats the whole problem"),
        ("no too many clients errors", "we do see that"),
        ("没有 too many clients 报错", "我们明明有这个报错"),
        ("没有 too many clients 报错", "不是，确实有"),
    ],
)
def test_a_no_that_is_protested_against_is_a_yes(running: House, first: str, protest: str) -> None:
    """Who insists that there is what was heard not to be there need not name it."""
    talk = running.told(first, protest)
    assert verdict_of(talk, SLOTS) is Verdict.CONFIRMED


def test_words_of_what_was_told_ask_for_no_value_of_another_thing(running: House) -> None:
    """ "The slots one" is the error that was told, and no replication slot."""
    talk = running.told(f"orders throws {FATAL}", "the slots one, every 10 min or so")
    assert talk.turns[-1].clarification is None


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("没有死锁", "死锁我没查过啊"),
        ("没有死锁", "我不知道有没有死锁"),
        ("没有死锁", "我没说没死锁，也没查过什么死锁"),
        ("no deadlocks", "i never checked for deadlocks"),
        ("no deadlocks", "i dont know about deadlocks, didnt look"),
    ],
)
def test_who_has_not_looked_has_denied_nothing(running: House, first: str, later: str) -> None:
    """A no to what somebody has not looked at, or does not know, comes off the record."""
    assert verdict_of(running.told(first, later), DEADLOCK) is None


@pytest.mark.parametrize(
    "later",
    ["写不写我不知道。就是碰到客户表的都卡，别的没事", "only the customers table hangs, everything else is fine"],
)
def test_that_all_else_is_fine_denies_nothing_that_was_asked(running: House, later: str) -> None:
    """Beside a fact of its own it is said of the application, and of no item of the list."""
    talk = running.told("没人能登录了，cpu倒是很闲" if "表" in later else "nobody can log in, cpu is idle")
    before = {entry.phenomenon_id for entry in talk.session.active()}
    talk.say(later)
    assert not [
        entry
        for entry in talk.session.active()
        if entry.verdict is Verdict.DENIED and entry.phenomenon_id not in before
    ]


@pytest.mark.parametrize(
    ("later", "denied"),
    [
        ("那它只是在等啊，自己又没动", ""),
        ("反了！我说的是它在等锁，没在跑。你那条不对", ""),
        ("没人说pg_dump", ""),
        ("nobody said pg_dump. it just waits, it's not running", ""),
        ("pg_dump 没在跑", "P-0116"),
    ],
)
def test_a_verb_without_its_object_names_nothing(running: House, later: str, denied: str) -> None:
    """That "it" waits or does not run is said of what was spoken of, and of no other item."""
    talk = running.told("碰到客户表的语句都卡住", "DDL 在等 AccessExclusiveLock，后面查询都在排队")
    talk.session.pending = tuple(
        Item(at, name, running.catalog.phenomenon_name(name))
        for at, name in enumerate(("P-0035", "P-0020", "P-0116"), 1)
    )
    before = {entry.entry_id for entry in talk.session.active()}
    talk.say(later)
    new = [entry for entry in talk.session.active() if entry.entry_id not in before]
    assert {entry.phenomenon_id for entry in new} == {denied} - {""}


def test_a_graph_that_drops_is_of_no_table(running: House) -> None:
    """What drops is what was spoken of; no rows are lost where no table is named."""
    talk = running.told(
        f"orders throws {FATAL}", "the graph drops to nearly nothing whenever somebody bounces the pods"
    )
    assert verdict_of(talk, "P-0286") is None


def test_what_is_only_guessed_is_asked(running: House) -> None:
    """A hedge at the end of the sentence makes a question of the answer, whatever it rests on."""
    talk = running.told("prod db is crawling, everything slow. cpu on db box is at 95%")
    talk.session.pending = (Item(1, SWAP, running.catalog.phenomenon_name(SWAP)),)
    talk.say("vmstat shows si so jumping, 20-300 every line, so yeah swapping i guess")
    assert verdict_of(talk, SWAP) is None
    assert any(each.phenomenon_id == SWAP for each in talk.session.proposed)


@pytest.mark.parametrize(
    "said",
    [
        "cant do pg_stat_statements, extension isnt installed there. heres whats running instead",
        "没装pg_stat_statements，查不了",
    ],
)
def test_rows_shown_in_place_of_a_check_are_read(running: House, said: str) -> None:
    """That a check cannot be run does not put its question aside where rows of another query speak of it."""
    talk = running.told("everything on our shop db is slow" if said.isascii() else "整个库都慢", "cpu 95%")
    talk.session.pending = (Item(1, TOP, running.catalog.phenomenon_name(TOP)),)
    talk.say(f"{said}\n\n{RUNNING}")
    assert verdict_of(talk, TOP) is Verdict.CONFIRMED  # Every row runs it.
    assert talk.session.clarification is None
    assert verdict_of(talk, "P-0153") is None


@pytest.mark.parametrize("said", ["explain says", "执行计划是这样的"])
def test_a_plan_that_was_not_run_counts_by_what_it_expects(running: House, said: str) -> None:
    """A Seq Scan that reads far more than it returns is on record, whatever cause is in front."""
    talk = running.told("everything on our shop db is slow" if said.isascii() else "整个库都慢", "cpu 95%")
    talk.say(f"{said}\n\n{PLAN}\n\norders is 80 mio rows")
    assert verdict_of(talk, "P-0077") is Verdict.CONFIRMED
