"""Who cannot look, asks why or what is next gets the check, and one that they can make."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

SLOW = {"zh": "提交很慢，经常卡好几秒", "en": "saving is slow"}
NO_RIGHTS = {"zh": "看不了，没权限", "en": "can't run that, no permission"}
NO_HOST = {"zh": "操作系统我登不进去，只能连数据库", "en": "can't get on the box, psql only"}
NEXT = {"zh": "下一步查什么？", "en": "what should I check next?"}
WHY = {"zh": "问这个干嘛", "en": "why do you ask that?"}
LANGUAGES = ("zh", "en")


def first_check(talk: Talk) -> str:
    return talk.session.pending[0].phenomenon_id


def name_of(talk: Talk, language: str) -> str:
    item = talk.session.pending[0]
    return item.name.zh if language == "zh" else item.name.en


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_may_not_run_the_look_is_asked_for_nothing_that_reads_the_same(running: House, language: str) -> None:
    """After "no permission" for the sessions, the check asked first is none that reads the sessions."""
    talk = running.talk()
    talk.say(SLOW[language])
    asked = first_check(talk)
    talk.say(NO_RIGHTS[language])
    assert first_check(talk) != asked
    assert all(entry.phenomenon_id != asked for entry in talk.session.active())


@pytest.mark.parametrize(("language", "message"), [("zh", "权限开了，能看了"), ("en", "ok they gave me access now")])
def test_who_gets_access_is_asked_again(running: House, language: str, message: str) -> None:
    """What was left out for lack of rights is no longer left out once there is access."""
    talk = running.talk()
    for said in (SLOW[language], NO_RIGHTS[language]):
        talk.say(said)
    assert talk.session.unlooked
    talk.say(message)
    assert not talk.session.unlooked


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_host_out_of_reach_answers_no_query(running: House, language: str) -> None:
    """Who cannot log in to the host gives up no check that is a query."""
    talk = running.talk()
    for message in (SLOW[language], NO_RIGHTS[language], NO_HOST[language]):
        talk.say(message)
    assert all(entry.verdict is not Verdict.UNKNOWN for entry in talk.session.active())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_next_is_answered_with_the_check(running: House, language: str) -> None:
    """The next check is named each time that it is asked for, the second time with its command."""
    talk = running.talk()
    talk.say("pg_wal keeps growing")
    for _ in range(2):
        talk.say(NEXT[language])
        assert name_of(talk, language) in talk.replies[-1]
    assert "```sql" in talk.replies[-1]
    assert talk.replies[-1] != talk.replies[-2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_look_names_what_it_decides(running: House, language: str) -> None:
    """Why a look is asked for is told by a check that it answers and the causes that it tells apart."""
    talk = running.talk()
    talk.say(
        {"zh": "应用拿不到连接，连接数快满了", "en": "app gets no connection, connections are nearly at the limit"}[
            language
        ]
    )
    assert "```sql" in talk.replies[-1]
    talk.say(WHY[language])
    assert name_of(talk, language) in talk.replies[-1]


@pytest.mark.parametrize("question", ["是哪个会话？", "which session is it?"])
def test_a_session_that_was_told_is_named(running: House, question: str) -> None:
    """Which session it is, is answered by the one on record, not by what to look at in general."""
    talk = running.talk()
    talk.say("pid 23817 idle in transaction 挂了 40 分钟，十几个会话在等锁")
    talk.say(question)
    assert "23817" in talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("zh", "只有导出那条 SQL 变慢了，其他都正常"),
        ("en", "just the export query got slow, the other queries are fine"),
    ],
)
def test_who_told_how_far_it_goes_is_not_asked_for_another_scope(running: House, language: str, message: str) -> None:
    """Once one statement is said to be slow, it is not checked whether all of them are, or the writes, or reports."""
    talk = running.talk()
    talk.say(message)
    told = {entry.phenomenon_id for entry in talk.session.active() if entry.verdict is Verdict.CONFIRMED}
    assert "P-0002" in told
    for _ in range(4):
        asked = {item.phenomenon_id for item in talk.session.pending}
        assert asked.isdisjoint({"P-0001", "P-0003", "P-0004"})
        talk.say(NO_RIGHTS[language])
