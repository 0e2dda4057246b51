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
