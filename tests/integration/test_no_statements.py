"""What says nothing of the system: an "ok" that opens a sentence, a wish, what a question supposes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.talks import House, house

STATES_NOTHING = [
    ("ok select count(*) from pg_stat_activity state active", "an ok that only opens"),
    ("ok temp files", "an ok that only opens"),
    ("other tables r fine", "are, typed short"),
    ("我不想月报再被杀", "a wish"),
    ("i dont want the report to hang again", "a wish"),
    (
        "so if deploy runs it with lock_timeout 2s while the report is still going, it just errors and nobody gets "
        "stuck, right?",
        "a question that supposes",
    ),
    ("如果报表还在跑的时候执行，会不会卡住别人？", "a question that supposes"),
]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all conversations."""
    with house(tmp_path_factory.mktemp("no_statements")) as opened:
        yield opened


@pytest.mark.parametrize(("words", "why"), STATES_NOTHING)
def test_words_that_state_nothing_put_nothing_on_record(running: House, words: str, why: str) -> None:
    """Beside what was on record nothing is, whatever the words name."""
    talk = running.talk()
    talk.say("cpu 97%")
    before = [entry.phenomenon_id for entry in talk.session.active()]
    talk.say(words)
    assert [entry.phenomenon_id for entry in talk.session.active()] == before, why


def test_an_ok_of_a_thing_still_is_one(running: House) -> None:
    """ "Locks are ok" denies waits for locks."""
    talk = running.talk()
    talk.say("cpu 97%")
    talk.say("lock waits are ok")
    assert len(talk.session.active()) == 2
