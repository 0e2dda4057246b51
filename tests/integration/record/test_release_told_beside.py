"""A release that is told beside a denial, of a time right before the trouble, is what it began with."""

from __future__ import annotations

import pytest

from tests.support.talks import House

BEGAN_AFTER_RELEASE = "P-0014"


@pytest.mark.parametrize(
    ("opening", "told", "asked"),
    [
        (
            "整个后台越来越慢,基本啥都慢,昨天下午开始的",
            "没重启过啊,库跑了大半年了。昨天就发了个版,前端加了点东西吧",
            "昨天就发了个版",
        ),
        ("everything is slow since yesterday", "no restart. we only shipped a release yesterday", "shipped a release"),
    ],
)
def test_a_release_beside_a_denial_is_recorded(running: House, opening: str, told: str, asked: str) -> None:
    """That nothing was restarted takes nothing from what else is told."""
    talk = running.told(opening, told)
    assert asked in talk.replies[-1]
    assert BEGAN_AFTER_RELEASE in {item.phenomenon_id for item in talk.session.active()}


@pytest.mark.parametrize(
    ("opening", "told"),
    [
        ("checkout is slow since nine, 40 sessions wait for locks", "the devs shipped a hotfix at 04:10, all good"),
        ("checkout is slow since nine, 40 sessions wait for locks", "ops rolled back the release at 04:10"),
        ("九点开始下单很慢，40 个会话在等锁", "研发四点发了个热修版本"),
        ("九点开始下单很慢，40 个会话在等锁", "四点把版本回滚了"),
    ],
)
def test_a_release_against_the_trouble_is_not_what_it_began_with(running: House, opening: str, told: str) -> None:
    """What is brought out after the trouble was told, to end it, did not set it off."""
    talk = running.told(opening, told)
    heard = {item.phenomenon_id for item in talk.session.active()}
    heard |= {item.phenomenon_id for item in talk.session.proposed}
    assert BEGAN_AFTER_RELEASE not in heard
