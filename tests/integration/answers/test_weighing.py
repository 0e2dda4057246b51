"""What is only weighed is not done, and what is asked not to be the cause is no hint at it."""

from __future__ import annotations

import pytest

from tests.support.talks import House

FIRST = {"zh": ("数据盘92%了还在涨", "1有 2有"), "en": ("data disk at 92% and growing", "1 yes 2 yes")}
WEIGHED = {
    "zh": [
        "删了槽还是封顶了好",
        "删槽还是封顶？",
        "杀了会话还是等它跑完",
        "重启了还是切换了好",
        "到底是删了好还是封顶好",
        "槽删掉还是留着",
    ],
    "en": [
        "so dropped slot or capped slot, which is better",
        "drop it or cap it?",
        "kill the session or let it finish",
        "dropped the slot or restarted, what's better",
    ],
}
DONE = {
    "zh": ["槽删了，盘还是满", "重启了还是慢", "把会话杀了还是卡"],
    "en": [
        "i dropped the slot 10 or 15 min ago",
        "killed the session, still slow",
        "restarted it or whatever, no change",
    ],
}
DENIED = {"zh": ["不是槽？", "难道是归档？不是槽？"], "en": ["so its not the slot?", "not the slot?"]}


def treated(running: House, language: str, words: str) -> bool:
    """Whether the words leave something done on record."""
    talk = running.talk()
    for message in (*FIRST[language], words):
        talk.say(message)
    return any(not each.undone for each in talk.session.treatments)


@pytest.mark.parametrize("language", FIRST)
def test_what_is_weighed_is_not_done(running: House, language: str) -> None:
    """One thing or the other, with or without a question mark."""
    assert [words for words in WEIGHED[language] if treated(running, language, words)] == []


@pytest.mark.parametrize("language", FIRST)
def test_what_was_done_stays_done(running: House, language: str) -> None:
    """A symptom after it, or a vague time, weighs nothing."""
    assert [words for words in DONE[language] if not treated(running, language, words)] == []


@pytest.mark.parametrize("language", FIRST)
def test_a_cause_that_is_doubted_gets_no_hint(running: House, language: str) -> None:
    """Only what is guessed to be the cause is followed."""
    for words in DENIED[language]:
        talk = running.talk()
        for message in (*FIRST[language], words):
            talk.say(message)
        leader = talk.session.beliefs()[0].root_cause_id
        assert leader not in {each.root_cause_id for each in talk.turns[-1].suggestions}, words
