"""What is asked of a leading cause: how it works, how to make sure of it, another way to see it, and when again."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Language

from services.planner.speak.voice import load_phrases
from tests.support.talks import House

FIRST = {
    "en": "five sessions wait for locks, and pid 4711 is idle in transaction for two hours",
    "zh": "有5个会话在等锁，4711 idle in transaction 两个小时了",
}
SURE = {"en": "how do i make sure that's it before i touch anything", "zh": "动手之前怎么确认就是这个原因"}
OTHER = {
    "en": "i can't run that one, is there another way to see it",
    "zh": "这个我跑不了，有没有别的办法能看",
}
HOW = {"en": "how can one idle session hold up all the others", "zh": "一个空闲会话怎么就能把别人全卡住"}
AGAIN = {"en": "when may the nightly job run again", "zh": "晚上那个任务什么时候能再跑"}
LANGUAGES = {"en": Language.EN, "zh": Language.ZH}


def phrase(key: str, language: str) -> str:
    """The beginning of a phrase, before its first blank."""
    return str(load_phrases(LANGUAGES[language])[key]).split("{", maxsplit=1)[0].split("：", maxsplit=1)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cause_is_made_sure_of_by_a_sign_that_is_open(running: House, language: str) -> None:
    """The check that is shown belongs to the leading cause, comes with its command, and is not on record yet."""
    talk = running.told(FIRST[language], SURE[language])
    assert phrase("confirm_look", language) in talk.replies[-1]
    assert "```" in talk.replies[-1] or "`" in talk.replies[-1]
    for entry in talk.session.active():
        name = talk.house.catalog.phenomenon_name(entry.phenomenon_id).say(LANGUAGES[language])
        assert f"**{name}**\n" not in talk.replies[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_way_is_another_check(running: House, language: str) -> None:
    """Where a check cannot be made, the one that is shown instead is a query, and not the same."""
    talk = running.told(FIRST[language])
    asked = talk.session.pending[0].name.say(LANGUAGES[language])
    talk.say(OTHER[language])
    reply = talk.replies[-1]
    assert phrase("alternative_look", language) in reply or phrase("alternative_none", language) in reply
    assert f"**{asked}**\n" not in reply
    assert len(talk.session.active()) == len(talk.turns[0].session.active())


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_it_works_is_told_in_other_words_the_second_time(running: House, language: str) -> None:
    """Who asks again how the cause works gets no word of the first answer again."""
    talk = running.told(FIRST[language], HOW[language], HOW[language])
    first, second = talk.replies[-2:]
    assert first != second
    assert not {line for line in first.splitlines() if len(line) > 30} & {*second.splitlines()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_failed_may_run_again_once_the_trouble_is_seen_to_be_over(running: House, language: str) -> None:
    """When a job may run again is told by how one sees that the cause is gone."""
    talk = running.told(FIRST[language], AGAIN[language])
    leader = talk.session.beliefs()[0].root_cause_id
    verify = talk.house.catalog.root_causes[leader].verify.say(LANGUAGES[language]).rstrip(" .。")
    assert verify in talk.replies[-1]
