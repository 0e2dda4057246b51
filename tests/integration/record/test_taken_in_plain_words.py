"""What was heard wrongly goes by plain words, and what was refused or taken back is not asked again at once."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

INDEX, CPU, WRITES, ARCHIVING = "P-0205", "P-0008", "P-0004", "P-0130"


def recorded(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


@pytest.mark.parametrize(
    "message",
    [
        "no index was added by anybody, I was ASKING if I should create it",
        "you got that wrong, nobody added an index",
        "没人加过索引，我只是问要不要加",
        "你记错了，没人动过索引",
    ],
)
def test_what_was_heard_wrongly_goes_without_a_question(running: House, message: str) -> None:
    """Who says that it was heard wrongly is not asked which of the two holds."""
    talk = running.told("reports are slow", "someone added an index yesterday")
    assert recorded(talk).get(INDEX) is Verdict.CONFIRMED
    turn = talk.say(message)
    assert recorded(talk).get(INDEX) is not Verdict.CONFIRMED
    assert turn.clarification is None or INDEX not in {each.phenomenon_id for each in turn.clarification.options}


@pytest.mark.parametrize("message", ["no index was added", "CPU usage is low"])
def test_a_plain_contradiction_is_told_and_not_asked_about(running: House, message: str) -> None:
    """Without such words the newer statement takes the place of the older one, and the reply says so."""
    talk = running.told("reports are slow and CPU is at 95%", "someone added an index yesterday")
    turn = talk.say(message)
    assert turn.clarification is None
    assert [each.corrected for each in turn.corrections] == [message]


@pytest.mark.parametrize("message", ["I never said writes are slow", "我没说写入慢"])
def test_what_was_just_taken_back_is_not_asked_next(running: House, message: str) -> None:
    """The person has told how it is, and another check is more worth the walk."""
    talk = running.told("writes are slow and CPU is at 95%", message)
    assert WRITES not in recorded(talk)
    assert WRITES not in {item.phenomenon_id for item in talk.session.pending}


@pytest.mark.parametrize("message", ["i won't run that", "不跑"])
def test_a_refused_check_is_not_asked_again(running: House, message: str) -> None:
    """Refused right after it was shown, it is on record as one that nobody can tell."""
    talk = running.told("reports are slow", "how do I check 1")
    (first, *_) = [item.phenomenon_id for item in talk.session.pending]
    talk.say(message)
    assert recorded(talk)[first] is Verdict.UNKNOWN
    assert first not in {item.phenomenon_id for item in talk.session.pending}


def test_words_that_tell_stand_over_a_refusal(running: House) -> None:
    """Who will not run the check because archiving is off has answered it."""
    talk = running.told("数据盘 94%，pg_wal 412G，max_wal_size 4GB")
    assert ARCHIVING in {item.phenomenon_id for item in talk.session.pending}
    talk.say("都说了没开归档，归档那条不跑")
    assert recorded(talk)[ARCHIVING] is Verdict.DENIED
