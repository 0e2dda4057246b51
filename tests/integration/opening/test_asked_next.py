"""What is asked next while no cause stands out: first what the person spoke of."""

from __future__ import annotations

import pytest

from gateway.turn.tools.told_words import left_untied
from tests.support.talks import House, Talk

# Beside what was said there is no lock, no old transaction and nothing that waits for a standby.
QUIET = """\
  pid  | usename | state  | wait_event_type |  wait_event  |       age       | blocked_by | query
-------+---------+--------+-----------------+--------------+-----------------+------------+------------------
 18822 | app     | active | IO              | DataFileRead | 00:00:03.412201 | {}         | SELECT * FROM t1
(1 row)
"""
SPOKEN = [
    (("pg16, our billing page misbehaves", "the payments table went from 30G to 95G, its rows stayed the same", QUIET),
     "Table size grows while its row count does not"),
    (("pg14，订单接口不太对", "表从 40G 涨到 110G 了，可订单量跟上周差不多", QUIET),
     "Table size grows while its row count does not"),
    (("postgres 15, checkout is in trouble", "every login takes forever", QUIET), "Opening a new connection is slow"),
]  # fmt: skip


def main_check(talk: Talk) -> str:
    """The English name of the check that the last reply asks for first."""
    found = talk.turns[-1].diagnosis_view
    assert found is not None
    return found.recommendations[0].name.en


@pytest.mark.parametrize(("said", "check"), SPOKEN)
def test_what_was_spoken_of_is_asked_for_first(running: House, said: tuple[str, ...], check: str) -> None:
    """Words that count as no evidence still say where to look: the check they are near to comes first, or counts."""
    talk = running.told(*said)
    recorded = {running.catalog.phenomenon_name(entry.phenomenon_id).en for entry in talk.session.active()}
    assert check in recorded or main_check(talk) == check


def test_words_that_steer_are_no_evidence(running: House) -> None:
    """What steers the next check moves no belief and is not on record."""
    talk = running.told(*SPOKEN[0][0])
    assert main_check(talk) == SPOKEN[0][1]
    silent = running.told(SPOKEN[0][0][0], SPOKEN[0][0][2])
    assert {entry.phenomenon_id for entry in talk.session.active()} == {
        entry.phenomenon_id for entry in silent.session.active()
    }


def test_a_question_asked_by_words_quotes_them(running: House) -> None:
    """The person is told which of their words the check is asked for."""
    talk = running.told(*SPOKEN[0][0])
    assert 'You said "the payments table went from 30G to 95G' in talk.replies[-1]


@pytest.mark.parametrize(
    ("begun", "asked"),
    [
        (("pg15, our app is not well since an hour, cpu 6%", QUIET), "how sure are you?"),
        (("pg15，应用一小时前开始不太对，cpu 才 6%", QUIET), "你有多大把握？为什么？"),
    ],
)
def test_nothing_is_argued_for_while_nothing_leads(running: House, begun: tuple[str, ...], asked: str) -> None:
    """Asked how sure it is, the answer names no cause at a few per cent, and no answer that would overturn it."""
    talk = running.told(*begun, asked)
    assert talk.session.beliefs()[0].confidence < 0.15
    for cause in talk.session.beliefs()[:3]:
        assert f"**{cause.name.say(talk.turns[-1].language)}**" not in talk.replies[-1]
    assert "overturn" not in talk.replies[-1]
    assert "翻盘" not in talk.replies[-1]


def test_a_check_that_was_shown_needs_new_words_to_come_first_again(running: House) -> None:
    """Whoever was shown a check and says something else is not asked the same again for their old words."""
    talk = running.told(*SPOKEN[0][0])
    assert main_check(talk) == SPOKEN[0][1]
    talk.say("writes are fine")
    assert main_check(talk) != SPOKEN[0][1]
    assert left_untied(talk.turns[-1])
