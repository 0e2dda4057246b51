"""Every question of a message gets an answer of its own, and none of another question."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    SolutionStep,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.follow_ups.several import asked_apart
from services.planner.speak.voice import load_phrases
from services.planner.treatment.actions import actions_in, read_actions
from services.planner.treatment.agreed import clauses_that_tell
from services.planner.treatment.deeds import forgoes
from services.planner.treatment.wanted.wants import TOPICS, notions_in, state_in, wants_in
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
RELEASE = (NamedObject("bearing", "release"),)
RETRY = SolutionStep(
    Text("应用对 40P01 自动重试", "Let the application retry on 40P01"),
    risk="low",
    helps="within hours",
)
FOUND = ConclusionView(
    "RC-0004", Text("互相死锁", "Transactions deadlock"), 0.97, solution=(RETRY,), repeated_conclusion=True
)
DEADLOCK = EvidenceView("P-0027", Text("报 deadlock detected", "Deadlock detected errors"), Verdict.CONFIRMED, "", 1)
FAILOVER = EvidenceView("P-0171", Text("发生过主备切换", "Failover in the last 24 hours"), Verdict.CONFIRMED, "", 1)


def answered(asked: str, action: str, language: Language, previous: str = "", *seen: EvidenceView) -> str:
    """What is said to a question of an action."""
    answer = HelpAnswer((), FOUND, asked, QuestionTopic.RISK, action=action)
    return compose(TurnResults(answers=(answer,), objects=RELEASE, seen=seen), language, previous)


@for_each(
    ("asked", "action", "without"),
    [
        ("不回滚行不行", "roll_back_release", True),
        ("不重启能解决吗", "restart", True),
        ("别杀 4711 可以吗", "terminate", True),
        ("can we do without rolling back?", "roll_back_release", True),
        ("is there something instead of restarting?", "restart", True),
        ("can we not roll back?", "roll_back_release", True),
        ("要不要回滚", "roll_back_release", False),
        ("杀不杀 4711", "terminate", False),
        ("能不能重启", "restart", False),
        ("要不重启吧？", "restart", False),
        ("为什么不重启", "restart", False),
        ("why not restart it?", "restart", False),
        ("can't I just kill it?", "terminate", False),
        ("roll back or not?", "roll_back_release", False),
    ],
)
def test_an_action_that_is_to_be_left_out_is_told_from_one_that_is_asked_about(
    asked: str, action: str, without: bool
) -> None:
    """Only a negation right before the verb asks what there is without it; either-or and suggestions do not."""
    assert forgoes(action, asked) is without


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_to_be_left_out_is_not_advised(language: Language) -> None:
    """Whoever asks to do without going back is told the other steps, and no word for going back."""
    asked = {Language.ZH: "不回滚行不行", Language.EN: "can we do without rolling back?"}[language]
    text = answered(asked, "roll_back_release", language)
    assert str(load_phrases(language)["leave_release"]) not in text
    assert RETRY.action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_action_of_a_message_has_its_own_answer(language: Language) -> None:
    """Two actions in clauses of their own get a ruling each; two that are weighed are one question."""
    asked, weighed = {
        Language.ZH: ("不回滚行不行 失败的能不能自动再来一次？", "回滚好还是重启好？"),
        Language.EN: (
            "can we do without rolling back? can the app just retry?",
            "roll back or restart it, which is better?",
        ),
    }[language]
    answer = HelpAnswer((), FOUND, asked, QuestionTopic.RISK, action="roll_back_release")
    assert [each.action for each in asked_apart(answer)] == ["roll_back_release", "retry"]
    assert len(asked_apart(HelpAnswer((), FOUND, weighed, QuestionTopic.RISK, action="roll_back_release"))) == 1
    assert str(load_phrases(language)["act_retry"]) in answered(asked, "roll_back_release", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_retry_is_a_plain_yes_only_where_the_server_has_rolled_back(language: Language) -> None:
    """With deadlocks on record a retry is safe; without, it is told what has to hold."""
    phrases, asked = load_phrases(language), {Language.ZH: "能不能重试", Language.EN: "can the app retry?"}[language]
    assert answered(asked, "retry", language, "", DEADLOCK).startswith(str(phrases["leave_yes"]))
    assert not answered(asked, "retry", language).startswith(str(phrases["leave_yes"]))


@for_each(
    ("asked", "want"),
    [
        ("数据丢了没", "lost"),
        ("数据丢没丢", "lost"),
        ("did we lose any data?", "lost"),
        ("was any data lost?", "lost"),
        ("会不会双主啊", "is_so"),
        ("双主到底有没有", "is_so"),
        ("is it split brain?", "is_so"),
        ("are there two primaries now?", "is_so"),
    ],
)
def test_a_question_of_how_things_are_is_none_of_an_action(asked: str, want: str) -> None:
    """What has happened and what state the servers are in is asked of the case, and no leave for what was told last."""
    text = read_actions(asked)
    assert want in wants_in(text)
    assert TOPICS[want] is not QuestionTopic.RISK
    assert bool(state_in(text)) is (want == "is_so")


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_a_failover_lost_data_is_not_claimed(language: Language) -> None:
    """After a failover nobody here has seen what is lost, so that is said, with what would tell."""
    answer = HelpAnswer((), None, "?", QuestionTopic.COMMON, common_question="data_lost_or_not")
    told = str(load_phrases(language)["lost_by_failover"])
    assert told in compose(TurnResults(answers=(answer,), seen=(FAILOVER,)), language)
    assert told not in compose(TurnResults(answers=(answer,), seen=(DEADLOCK,)), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_of_it_is_answered_though_leave_was_just_given(language: Language) -> None:
    """After a yes, whether a retry does harm is answered with what it does, and not with the same yes alone."""
    phrases = load_phrases(language)
    first, asked = {
        Language.ZH: ("能不能重试", "重试会不会重复扣款"),
        Language.EN: ("can the app retry?", "can a retry charge them twice?"),
    }[language]
    before = answered(first, "retry", language, "", DEADLOCK)
    assert str(phrases["act_retry"]) in answered(asked, "retry", language, before, DEADLOCK)
    assert str(phrases["act_retry"]) not in answered(first, "retry", language, before, DEADLOCK)


@for_each(
    ("asked", "action"),
    [
        ("just turn the pool back on?", "enable_pool"),
        ("把连接池打开行吗", "enable_pool"),
        ("can we turn the pool off?", ""),
        ("把连接池关掉行吗", ""),
    ],
)
def test_a_pool_that_is_to_be_switched_on_is_not_taken_for_one_to_be_switched_off(asked: str, action: str) -> None:
    """What is asked of a pool has its direction: on is an action of its own, off is not that one."""
    assert ("enable_pool" in actions_in(asked)) is bool(action)


@pytest.mark.parametrize("language", LANGUAGES)
def test_leave_to_go_back_is_not_told_twice_in_the_same_words(language: Language) -> None:
    """Asked again whether to roll back, the answer is a short yes that names it."""
    asked = {Language.ZH: "要不要回滚", Language.EN: "should we roll back?"}[language]
    first = answered(asked, "roll_back_release", language)
    again = answered(asked, "roll_back_release", language, first)
    assert str(load_phrases(language)["name_roll_back_release"]) in again
    assert len(again) < len(first) / 3


@for_each("asked", ["能不能重跑", "会不会有人用", "今晚migration能不能重跑,还是等vacuum跑完?"])
def test_a_condition_that_is_asked_about_is_not_stated(asked: str) -> None:
    """Whether something can be repeated is asked, and so tells nothing that has to hold before another action."""
    assert clauses_that_tell("", (asked,)) == ()


@pytest.mark.parametrize(
    "asked", ["今晚migration能不能重跑,还是等vacuum跑完?", "rerun the migration now or wait for the vacuum to finish?"]
)
def test_whether_to_run_a_change_of_a_table_now_is_asked_of_that_change(asked: str) -> None:
    """Now or later is answered with how it is run so that it does no harm, and not with leave for something else."""
    assert "notion_ddl_retry" in notions_in(asked)
