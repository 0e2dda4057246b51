"""A no that is a part of a name, and a question that was never asked, tell of no facility."""

from __future__ import annotations

from tests.support.cases import for_each
from tests.support.matching import shipped_reader


@for_each(
    "message",
    [
        "the error is the no partition one",
        "we get a no partition error again",
        "我一直没问连接池",
        "i never asked about the pooler",
        "我没问过备库",
    ],
)
def test_a_no_in_a_name_and_what_nobody_asked_about_rule_nothing_out(message: str) -> None:
    """Words that name an error by its no, or say that a thing was not asked about, do not tell that it is lacking."""
    assert not [each for each in shipped_reader().read(message).facilities if not each.there]


@for_each("message", ["no partitions here", "there's no pooler", "没有连接池", "theres only one server"])
def test_a_plain_lack_is_told(message: str) -> None:
    """What a site is plainly said to do without is lacking."""
    assert [each for each in shipped_reader().read(message).facilities if not each.there]
