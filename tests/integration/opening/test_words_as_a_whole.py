"""What all that was told sounds like: which messages it is of, and what becomes of it."""

from __future__ import annotations

import pytest

from tests.support.talks import House, Talk

TOLD = {
    "zh": ("网站从中午开始越来越慢，页面老是转圈", "数据库主机 CPU 97%", "收回刚才那句"),
    "en": (
        "saving one order hangs, all others are fine, restarting the app did not free it",
        "cpu is at 97% and all queries are slow",
        "take that back",
    ),
}
ASIDE = {
    "zh": ["进展如何", "我怀疑是索引膨胀", "P-0001 有", "谢谢", "1 没有", "你有多大把握？为什么？"],
    "en": ["how far are we?", "I suspect index bloat", "P-0001 yes", "thanks", "1 no", "how sure are you? why?"],
}


def sounds(talk: Talk) -> dict[str, float]:
    """The bits of each cause."""
    return {each.root_cause_id: each.bits for each in talk.session.likeness}


@pytest.mark.parametrize("language", TOLD)
def test_a_message_that_is_taken_back_is_not_heard(language: str, running: House) -> None:
    """What was told in one message and taken back leaves the whole, and the beliefs told with it are those before."""
    told, slip, back = TOLD[language]
    talk = running.told(told, slip)
    believed = {each.root_cause_id: each.confidence for each in talk.session.beliefs()}
    assert sounds(talk) != sounds(running.told(told))
    turn = talk.say(back)
    assert sounds(talk) == sounds(running.told(told))
    assert turn.corrections[-1].changes
    for change in turn.corrections[-1].changes:
        assert change.confidence_before == pytest.approx(
            believed.get(change.root_cause_id, change.confidence_before), abs=1e-6
        )


@pytest.mark.parametrize(("language", "aside"), [(each, aside) for each, said in ASIDE.items() for aside in said])
def test_a_message_that_tells_nothing_is_not_heard(language: str, aside: str, running: House) -> None:
    """Questions, suspicions, thanks, and answers by number or id change nothing about what the whole sounds like."""
    told, more, _ = TOLD[language]
    heard = sounds(running.told(told))
    assert heard
    assert sounds(running.told(told, aside)) == heard
    assert sounds(running.told(told, aside, more)) == sounds(running.told(told, more))


@pytest.mark.parametrize("language", TOLD)
def test_another_case_is_heard_for_itself(language: str, running: House) -> None:
    """What was told of one case is no word on the next one, and counts again once that is gone back to."""
    told, more, _ = TOLD[language]
    anew = {"zh": "换个问题", "en": "new problem"}[language]
    talk = running.told(told, anew)
    assert not sounds(talk)
    talk.say(more)
    assert sounds(talk) == sounds(running.told(more))


ROWS = """  pid  |   age    | state  | query
-------+----------+--------+--------------------------------------
 21877 | 00:00:37 | active | SELECT o.* FROM orders o WHERE o.code = $1
 21902 | 00:00:35 | active | SELECT o.* FROM orders o WHERE o.code = $1
 21915 | 00:00:31 | active | SELECT o.* FROM orders o WHERE o.code = $1
"""


def test_only_what_a_person_says_is_quoted(running: House) -> None:
    """The words that are told to sound like a cause are a person's, never rows of an output."""
    likeness = running.told("every page is slow since noon, the cpu is busy", ROWS).session.likeness
    assert any(each.bits >= 1.0 for each in likeness)
    assert not [words for each in likeness for words in each.words if "|" in words or "SELECT" in words]
