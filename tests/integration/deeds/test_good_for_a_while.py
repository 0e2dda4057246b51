"""What was good after a restart and then bad again helped for a while, and is no deed in vain."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Aftermath
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

FOR_A_WHILE = "P-0263"
FIRST = {
    "zh": "应用报 too many clients",
    "en": "apps get too many clients errors",
}
RESTARTED = {
    "zh": [
        "半夜重启了 billing 服务，正常了两个小时，然后又跟之前一样了",
        "我们重启过应用，好了一上午，下午又是老样子",
    ],
    "en": [
        "ok so we bounced billing around midnight and everything was fine for like 2 hrs, then same crap again",
        "we restarted the app, it was ok until 3, then the same errors again",
        "we bounced the pods and it helped for 2 hours, then it fills up again",
    ],
}
STAYED = {
    "zh": "重启了 billing 服务，还是一样，没用",
    "en": "we bounced billing, no difference at all",
}


@pytest.mark.parametrize("language", sorted(RESTARTED))
def test_good_and_then_bad_again_is_help_for_a_while(running: House, language: str) -> None:
    """Good after the restart of an application and then bad again: a yes, and no deed in vain on the database."""
    for words in RESTARTED[language]:
        talk = running.told(FIRST[language], words)
        entry = talk.session.active_for(FOR_A_WHILE)
        assert entry is not None, words
        assert entry.verdict is Verdict.CONFIRMED, words
        assert all(each.verdict is Verdict.CONFIRMED for each in talk.session.active()), words
        assert talk.session.aftermath is not Aftermath.UNCHANGED, words
        assert "restart" not in {each.action for each in talk.session.treatments}, words


@pytest.mark.parametrize("language", sorted(STAYED))
def test_a_restart_without_any_good_is_no_help(running: House, language: str) -> None:
    """A restart after which nothing was good at any time denies it."""
    entry = running.told(FIRST[language], STAYED[language]).session.active_for(FOR_A_WHILE)
    assert entry is not None
    assert entry.verdict is Verdict.DENIED


@pytest.mark.parametrize(
    ("language", "asked"),
    [("en", "did you get that the restart of billing helped??"), ("zh", "你记下重启 billing 有用了吗？")],
)
def test_whether_it_was_heard_is_of_the_record(running: House, language: str, asked: str) -> None:
    """Who asks if it was heard that a restart helped is told what is on record, and not how to restart."""
    talk = running.told(FIRST[language], RESTARTED[language][0], asked)
    name = talk.house.catalog.phenomenon_name(FOR_A_WHILE)
    assert (name.zh if language == "zh" else name.en) in talk.replies[-1]
