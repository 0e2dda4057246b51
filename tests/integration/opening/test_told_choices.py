"""A choice of the opening question that the first words tell is taken, and one that they exclude is not offered."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

ONE = "One statement became slow, others are fine"
WRITES = "Writes or commits are slow"
TOLD = [
    (("就登录查会员那块的卡",), ONE),
    (("库有点慢", "凡是读orders的都慢,别的表没感觉"), ONE),
    (("读正常、写卡",), WRITES),
    (("only the search page hangs, the rest of the site works fine",), ONE),
]


@pytest.mark.parametrize(("messages", "choice"), TOLD)
def test_a_told_choice_is_taken_and_the_look_follows(running: House, messages: tuple[str, ...], choice: str) -> None:
    """It goes on record, is said in the reply, and the question is not asked again."""
    talk = running.talk()
    for message in messages:
        talk.say(message)
    names = {running.catalog.phenomenon_name(e.phenomenon_id).en: e.verdict for e in talk.session.active()}
    assert names == {choice: Verdict.CONFIRMED}
    assert not talk.session.proposed
    assert talk.session.clarification is None
    assert "```" in "".join(talk.replies)


@pytest.mark.parametrize(
    "message", ["网站其他页面都正常,就登录不行", "some trouble with the checkout, all other pages are fine"]
)
def test_a_choice_that_cannot_be_is_not_offered(running: House, message: str) -> None:
    """Where the rest works, nobody is asked whether everything is slow or nothing connects."""
    talk = running.talk()
    talk.say(message)
    asked = talk.session.clarification
    assert asked is not None
    offered = {running.catalog.phenomenon_name(each.phenomenon_id).en for each in asked.options}
    assert ONE in offered
    assert not offered & {"Most statements are slower than usual", "Application times out getting a pooled connection"}


@pytest.mark.parametrize(
    "message",
    [
        "billing page is super slow since this morning, postgres 14. we deployed smth at 8ish",
        "订单详情页今天特别慢，早上八点刚发了个版",
    ],
)
def test_a_look_stands_beside_the_question_whether_it_began_with_a_release(running: House, message: str) -> None:
    """A complaint with a release beside it records the complaint, asks of the release, and gives something to run."""
    talk = running.told(message)
    names = {running.catalog.phenomenon_name(e.phenomenon_id).en for e in talk.session.active()}
    assert ONE in names
    assert "EXPLAIN" in talk.replies[0]


@pytest.mark.parametrize(
    "message", ["活动8点上线，之后接口全超时", "our campaign went live at 8, all pages time out since"]
)
def test_a_campaign_is_no_release(running: House, message: str) -> None:
    """What goes live may be a campaign: nobody is asked about a release."""
    talk = running.told(message)
    named = {each.phenomenon_id for each in talk.session.active()}
    named |= {each.phenomenon_id for each in talk.session.proposed}
    names = {running.catalog.phenomenon_name(each).en for each in named}
    assert "Began right after a release or migration" not in names
