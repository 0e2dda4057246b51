"""How something is seen is answered by the thing that is named, on its platform; what an act risks, by the act."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from services.planner.model import (
    HelpAnswer,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    TurnResults,
    Utterance,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.ways.acts import ASPECTS, acts, acts_in
from services.planner.ways.looks import PLATFORM, Way, looks, platform_in, who_may
from services.planner.ways.looks_asked import looks_in
from tests.support.cases import for_each

LANGUAGES = (Language.EN, Language.ZH)


@for_each(
    ("said", "key"),
    [
        ("where can I see how busy the disk is? we only have the console", "disk_io"),
        ("去哪看磁盘延迟？没有 shell", "disk_io"),
        ("how do I find out who holds the lock?", "blockers"),
        ("怎么查是谁堵着它", "blockers"),
        ("how can I tell how far the rollback is", "rollback_progress"),
        ("怎么看回滚到哪了", "rollback_progress"),
        ("how would I check which session writes the temp files?", "temp_file_writer"),
        ("怎么查 pgsql_tmp 是哪个会话写的", "temp_file_writer"),
        ("how do I see whether somebody added a foreign key yesterday", "schema_changes"),
        ("怎么看外键是不是新加的", "schema_changes"),
        ("how do i check if there is enough room for 20GB", "free_space"),
        ("磁盘还剩多少空间怎么看", "free_space"),
        ("how do I see whether it was the oom killer or somebody", "oom_or_killed"),
        ("怎么知道是不是 oom", "oom_or_killed"),
        ("give me a query that shows replication lag", "replication_lag"),
        ("再给我一条看当前连接数的 SQL", "connection_count"),
        ("send me a query for the biggest tables", "table_size"),
        ("who changed the setting and when, can I see that?", "who_changed_setting"),
        ("谁改的参数，能查到吗", "who_changed_setting"),
    ],
)
def test_the_thing_that_is_to_be_seen_is_the_one_named(said: str, key: str) -> None:
    """A sentence that asks for a way to look names one thing, in either language and in any order of words."""
    assert [each.key for each in looks_in(said)] == [key]


@for_each(
    "said",
    [
        "how do I fix the disk?",
        "the disk is slow and io wait is at 40 %",
        "could it be the disk?",
        "是不是磁盘的问题",
        "what should I look at next?",
        "下一步看什么",
        "how do you know that?",
        "你怎么知道是锁",
        "怎么解决锁等待",
        "how do I check 2",
        "so what have you ruled out?",
        "how long does it take?",
    ],
)
def test_what_asks_for_no_look_at_a_thing_is_left_alone(said: str) -> None:
    """A remedy, a guess, the case itself and a listed item are no things to be shown a way to."""
    assert not list(looks_in(said))


@for_each(
    ("said", "key", "aspects"),
    [
        ("can I just rm pgsql_tmp files?", "remove_temp_files", {"may"}),
        ("pgsql_tmp 里的临时文件能直接 rm 吗", "remove_temp_files", {"may"}),
        (
            "lower the binlog retention to 5 days. what's the command, does it need a restart?",
            "binlog_retention",
            {"how", "restart"},
        ),
        ("is it safe to reset pg_stat_statements?", "reset_statistics", {"may"}),
        ("pg_stat_statements 要不要 reset 一下？", "reset_statistics", {"may"}),
        ("is a restart faster than the rollback, should we?", "restart_in_rollback", {"may"}),
        ("how do we prevent anybody from alter system?", "guard_settings", {"how"}),
        ("can we drop the foreign key now?", "drop_foreign_key", {"may"}),
    ],
)
def test_an_act_is_asked_about_by_its_name(said: str, key: str, aspects: set[str]) -> None:
    """The act and what is asked of it are those of the words; a sentence that only goes on asks of the act before."""
    found = list(acts_in(said))
    assert {each.key for each in found} == {key}
    assert aspects <= {aspect for each in found for aspect in each.aspects}


@for_each(
    "said",
    ["we dropped the foreign key", "外键已经删了", "the binlog retention is 7 days", "can we go home now?", "能重启吗"],
)
def test_no_act_is_taken_from_what_is_told_or_not_named(said: str) -> None:
    """What was done, what is so, and acts that are not named ask about none of these."""
    assert not list(acts_in(said))


def tell(key: str, language: Language, *objects: NamedObject, told: str = "") -> str:
    """The answer to a question with this key."""
    answer = HelpAnswer((), None, f"how do I see it\n{told}", QuestionTopic.COMMON, common_question=key)
    return compose(TurnResults(answers=(answer,), objects=objects), language, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_platform_without_a_shell_gets_its_own_way(language: Language) -> None:
    """On RDS the disk is looked at by the cloud's metrics and never by a command of the host."""
    assert "iostat" in tell("look disk_io", language)
    on_rds = tell("look disk_io", language, NamedObject(PLATFORM, "rds", said=True))
    assert "iostat" not in on_rds
    assert "cloudwatch" in on_rds.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_is_that_of_the_version_that_was_told(language: Language) -> None:
    """A view that came with a later version is not shown to whoever has an earlier one."""
    shown = tell("look checkpoints", language, NamedObject("setting", "server_version=15", said=True))
    assert "FROM pg_stat_bgwriter" in shown
    assert "FROM pg_stat_checkpointer" not in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_the_question_brought_fill_the_statement(language: Language) -> None:
    """The number in the name of a temporary file stands in the statement as the session."""
    assert "WHERE pid = 23817" in tell("look temp_file_writer", language, told="temp_pid=23817")


def test_a_platform_is_kept_as_it_was_named() -> None:
    """Only what names a platform tells of one."""
    assert [each.name for each in platform_in("we run on RDS, no shell")] == ["rds"]
    assert [each.name for each in platform_in("阿里云上的库")] == ["cloud"]
    assert not list(platform_in("the words and cards of the order"))


async def test_one_that_points_is_about_what_was_asked_before() -> None:
    """A question that names nothing but points is about the thing of the question before, and about no other."""
    before = Utterance(Speaker.USER, "pgsql_tmp 里的文件是谁写的，怎么查")
    view = SessionView(history=(before,), language=Language.ZH)
    steps = (await Planner().decide(view, "那怎么找到那条 SQL")).plan.steps
    keys = [each.common_question for each in steps if isinstance(each, QuestionStep)]
    assert keys == ["look temp_file_writer"]


@pytest.mark.parametrize(
    "said", ["which of those two roles can run ANALYZE events?", "用哪个账号能跑 ANALYZE events？"]
)
async def test_who_may_is_asked_of_the_act_in_the_words(said: str) -> None:
    """With which role something may be done is asked of the act in the sentence, not of the next step."""
    steps = (await Planner().decide(SessionView(), said)).plan.steps
    asked = [(each.topic, each.action) for each in steps if isinstance(each, QuestionStep)]
    assert asked == [(QuestionTopic.RIGHTS, "analyze")]


def _texts(way: Way) -> tuple[Mapping[str, str], ...]:
    return tuple({"en": each.en, "zh": each.zh} for each in (way.read, way.told))


def test_every_thing_and_act_is_told_in_both_languages() -> None:
    """Names, readings and facts stand in both languages, and every statement has somebody who may run it."""
    for key, look in looks().items():
        assert look.is_.en, key
        assert look.is_.zh, key
        for way in look.ways.values():
            assert way.who in who_may(), key
            assert bool(way.run) != bool(way.told.en), key
            assert all(bool(text["en"]) == bool(text["zh"]) for text in _texts(way)), key
    for key, act in acts().items():
        for facts in act.facts.values():
            assert set(facts) <= {*ASPECTS}, key
            assert all(text.en and text.zh for text in facts.values()), key
