"""What a site does without strikes the causes that need it, in a line, until it is said to be there after all."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

SLOW_WRITES = {
    "zh": "提交都很慢，应用拿不到连接，CPU 很闲",
    "en": "writes are slow, app can't get connections, cpu idle",
}
SYNC_LOST, SYNC_SLOW, POOLER = "RC-0051", "RC-0100", "RC-0011"
LACKS = [
    (SLOW_WRITES["zh"], "我们没有备库", (SYNC_LOST, SYNC_SLOW)),
    (SLOW_WRITES["zh"], "备库也没有，我们就一台", (SYNC_LOST, SYNC_SLOW)),
    (SLOW_WRITES["en"], "no standby, just one box", (SYNC_LOST, SYNC_SLOW)),
    ("app can't get connections, everything times out, cpu idle", "the app connects directly, no pooler", (POOLER,)),
]
NEGLIGIBLE = 0.02
BACKUP = "P-0173"


def beliefs(talk: Talk) -> dict[str, float]:
    return {each.root_cause_id: each.confidence for each in talk.session.beliefs()}


@pytest.mark.parametrize(("opening", "message", "causes"), LACKS)
def test_what_is_not_there_strikes_what_needs_it(
    running: House, opening: str, message: str, causes: tuple[str, ...]
) -> None:
    """Causes that need it fall to nearly nothing, stay there, and nothing of them is asked again."""
    talk = running.talk()
    talk.say(opening)
    assert any(beliefs(talk).get(cause, 0.0) > NEGLIGIBLE for cause in causes)
    for said in (message, "no lock waits either"):
        turn = talk.say(said)
        assert all(beliefs(talk).get(cause, 0.0) < NEGLIGIBLE for cause in causes)
        lacking = {entry.phenomenon_id for entry in talk.session.active() if entry.lacking}
        assert len(lacking) > 1
        assert lacking.isdisjoint(turn.asked_now())


def test_a_lack_is_told_in_one_line(running: House) -> None:
    """However much needs it, one line names what is not there."""
    talk = running.talk()
    talk.say(SLOW_WRITES["en"])
    talk.say("no standby, just one box")
    assert talk.replies[-1].startswith("No standby, then; ")
    assert "Replay lag" not in talk.replies[-1]
    talk.say("what do you have so far?")
    assert talk.replies[-1].count("standby") <= 1


def test_what_is_there_after_all_comes_back(running: House) -> None:
    """Said otherwise later, what needs it counts as before."""
    talk = running.talk()
    talk.say(SLOW_WRITES["en"])
    before = {entry.phenomenon_id for entry in talk.session.active()}
    talk.say("no standby here")
    assert len(talk.session.active()) > len(before)
    talk.say("sorry, there is one standby")
    assert {entry.phenomenon_id for entry in talk.session.active()} == before


def test_what_was_seen_stays_beside_a_lack(running: House) -> None:
    """A finding that is on record is not overturned by what its facility is said to be."""
    talk = running.told("the nightly backup is still running, everything is slow", "we have no backups")
    kept = talk.session.active_for(BACKUP)
    assert kept is not None
    assert kept.verdict is Verdict.CONFIRMED


def test_a_later_denial_of_the_finding_itself_replaces_it_openly(running: House) -> None:
    """Who says that there is none of what they told of before is taken at their word, and told what that replaces."""
    told = "the nightly backup is still running"
    talk = running.told(f"{told}, everything is slow", "there are no backups at all, checked")
    entry = talk.session.active_for(BACKUP)
    assert entry is not None
    assert entry.verdict is Verdict.DENIED
    assert f'replaces the earlier "{told}"' in talk.replies[-1]
