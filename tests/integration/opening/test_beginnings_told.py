"""Something done before: it is asked whether the trouble began with it, unless the words themselves say so."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

RELEASE, LOAD = "P-0014", "P-0018"
OPENS = {"zh": "订单接口时不时报错，烦死了", "en": "the order api throws errors now and then"}
SAID = [
    ("zh", "昨天晚上刚上线了新版本就出这破事"),
    ("en", "asked around: billing guys rolled out v4.12 on monday, 3 days ago. thats when this crap started"),
    ("en", "we released on friday and right after it all hung"),
]
REMARKS = [("en", "and i hate migrations on a friday afternoon"), ("zh", "我最烦周五下午发版了")]


@pytest.mark.parametrize(("language", "message"), SAID)
def test_a_beginning_that_is_said_is_not_asked_about(running: House, language: str, message: str) -> None:
    """Words that say that it began with the release are put on record, and nothing asks for them again."""
    talk = running.talk()
    talk.say(OPENS[language])
    turn = talk.say(message)
    entry = talk.session.active_for(RELEASE)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED
    assert turn.clarification is None or all(each.phenomenon_id != RELEASE for each in turn.clarification.options)


@pytest.mark.parametrize(("language", "message"), REMARKS)
def test_a_remark_is_no_beginning(running: House, language: str, message: str) -> None:
    """What somebody thinks of releases is neither recorded nor asked about."""
    talk = running.talk()
    talk.say(OPENS[language])
    turn = talk.say(message)
    assert talk.session.active_for(RELEASE) is None
    assert turn.clarification is None or all(each.phenomenon_id != RELEASE for each in turn.clarification.options)


def test_a_beginning_told_twice_is_a_yes(running: House) -> None:
    """Who says once more what was done, instead of answering, means that it began with it."""
    talk = running.talk()
    talk.say("our monthly numbers report takes 40 min instead of 1")
    talk.say("finance imported 9 million rows into ledger last night i think")
    assert talk.session.active_for(LOAD) is None
    talk.say("as i said, 9 million rows were imported into ledger last night")
    entry = talk.session.active_for(LOAD)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


def test_what_was_only_done_before_is_asked_about(running: House) -> None:
    """A release of the evening before is told for a reason, and whether it is the beginning only the person knows."""
    talk = running.talk()
    talk.say(OPENS["en"])
    turn = talk.say("we deployed 4.2 last night")
    assert talk.session.active_for(RELEASE) is None
    assert turn.clarification is not None
    assert [each.phenomenon_id for each in turn.clarification.options] == [RELEASE]


MANY = [
    "the warehouse people imported the archive of the firm we bought, 25M rows, on sunday. since then it is slow",
    "last night we imported the whole catalogue, 12 million rows",
]


@pytest.mark.parametrize("message", MANY)
def test_no_figure_keeps_a_load_from_being_heard(running: House, message: str) -> None:
    """How many rows were loaded, and when, is told with the load itself: no limit stands against it."""
    talk = running.told("our monthly numbers report takes 40 min instead of 1", message)
    entry = talk.session.active_for(LOAD)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


def test_people_who_migrate_are_no_release(running: House) -> None:
    """Who loaded the rows is no release, though their team is named after a migration."""
    talk = running.told(
        "our monthly numbers report takes 40 min instead of 1",
        "nobody released anything",
        "correction: the migration team copied the old shop's 12 million orders in on friday",
    )
    entry = talk.session.active_for(RELEASE)
    assert entry is None or entry.verdict is Verdict.DENIED


ROUTINE = ["we load about 5 million rows every night, that never was a problem", "nobody loaded anything, not one row"]


@pytest.mark.parametrize("message", ROUTINE)
def test_a_load_that_is_usual_or_denied_is_no_beginning(running: House, message: str) -> None:
    """What runs every night began nothing, and what was not done did not either."""
    talk = running.told("our monthly numbers report takes 40 min instead of 1", message)
    entry = talk.session.active_for(LOAD)
    assert entry is None or entry.verdict is Verdict.DENIED
