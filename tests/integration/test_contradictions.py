"""Said the opposite of what stands: asked about once, with both sides, and settled however it is put."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import ClarifyKind, Tool
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

CPU = "P-0008"
SAID = {
    "zh": ("报表变慢，CPU 使用率 95%", "CPU 不高", "内存占用 97%，CPU 不高"),
    "en": ("reports are slow and CPU is at 95%", "CPU usage is low", "memory is 97% used, and CPU usage is low"),
}
EARLIER = {
    "zh": ["1", "之前的对", "以之前的为准", "有", "2没有"],
    "en": ["1", "the earlier one was right", "yes", "the first", "2 no"],
}
LATER = {
    "zh": ["2", "以现在的为准", "之前说错了", "没有", "CPU 不高"],
    "en": ["2", "the new one", "the latter", "no", "CPU usage is low"],
}
TOOLS = {
    "zh": [
        ("报表变慢，IO 等待很高", [Tool.MATCH_PHENOMENA, Tool.DIAGNOSE]),
        ("进展如何", [Tool.QUERY_PROGRESS]),
        ("有哪些可能", [Tool.QUERY_HYPOTHESES]),
        ("P-0012 是什么引起的", [Tool.QUERY_RELATIONS]),
        ("刚才都查了什么", [Tool.SHOW_HISTORY]),
        ("为什么问 1", [Tool.EXPLAIN_REASONING]),
        ("如果 1 有呢", [Tool.WHAT_IF]),
        ("2没有。为什么问 1？如果 3 有呢？", [Tool.DIAGNOSE, Tool.EXPLAIN_REASONING, Tool.WHAT_IF]),
    ],
    "en": [
        ("reports are slow and IO waits are high", [Tool.MATCH_PHENOMENA, Tool.DIAGNOSE]),
        ("how far are we?", [Tool.QUERY_PROGRESS]),
        ("what else could it be?", [Tool.QUERY_HYPOTHESES]),
        ("what causes P-0012?", [Tool.QUERY_RELATIONS]),
        ("what did I tell you so far?", [Tool.SHOW_HISTORY]),
        ("why 1?", [Tool.EXPLAIN_REASONING]),
        ("what if 1 were yes?", [Tool.WHAT_IF]),
        ("2 no. why 1? what if 3 were yes?", [Tool.DIAGNOSE, Tool.EXPLAIN_REASONING, Tool.WHAT_IF]),
    ],
}
LANGUAGES = sorted(SAID)


def contradicted(running: House, language: str, which: int = 1) -> Talk:
    """A conversation that has just said the opposite of what it said first."""
    talk = running.talk()
    talk.say(SAID[language][0])
    talk.say(SAID[language][which])
    return talk


def verdict_of(talk: Talk) -> Verdict | None:
    """What stands of the processor."""
    entry = talk.session.active_for(CPU)
    return entry.verdict if entry else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_sides_are_named_and_the_earlier_one_counts(running: House, language: str) -> None:
    """The question has both statements in the person's own words, two options, and changes nothing yet."""
    talk = contradicted(running, language)
    asked = talk.turns[-1].clarification
    assert asked is not None
    assert asked.kind is ClarifyKind.CONTRADICTION
    assert [option.ordinal for option in asked.options] == [1, 2]
    assert verdict_of(talk) is Verdict.CONFIRMED
    assert "95%" in talk.replies[-1]
    assert SAID[language][1] in talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "answer"), [(language, said) for language in LANGUAGES for said in EARLIER[language]]
)
def test_the_earlier_one_may_hold(running: House, language: str, answer: str) -> None:
    """By number or in words: what stood stands, nothing is corrected, and the next check is there."""
    talk = contradicted(running, language)
    turn = talk.say(answer)
    assert verdict_of(talk) is Verdict.CONFIRMED
    assert turn.clarification is None
    assert not turn.corrections
    assert turn.diagnosis_view is not None


@pytest.mark.parametrize(
    ("language", "answer"), [(language, said) for language in LANGUAGES for said in LATER[language]]
)
def test_the_later_one_may_hold(running: House, language: str, answer: str) -> None:
    """By number or in words: it is a correction, told with the beliefs before and after."""
    talk = contradicted(running, language)
    turn = talk.say(answer)
    assert verdict_of(talk) is Verdict.DENIED
    assert len(turn.corrections) == 1
    assert "→" in talk.replies[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_else_the_message_says_counts_at_once(running: House, language: str) -> None:
    """Only the statement in doubt waits."""
    talk = contradicted(running, language, 2)
    assert talk.turns[-1].clarification is not None
    assert verdict_of(talk) is Verdict.CONFIRMED
    assert len(talk.turns[-1].noted) == 1
    assert talk.turns[-1].diagnosis_view is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_left_unanswered_it_is_not_asked_again(running: House, language: str) -> None:
    """The talk goes on; said once more, the later statement holds, and the answer says what changed."""
    talk = contradicted(running, language)
    turn = talk.say("1没有" if language == "zh" else "what if IO waits were high?")
    assert turn.clarification is None
    talk.say(SAID[language][1])
    assert talk.turns[-1].clarification is None
    assert verdict_of(talk) is Verdict.DENIED


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_correction_is_not_asked_about(running: House, language: str) -> None:
    """Marked as one, it holds at once."""
    talk = running.talk()
    talk.say(SAID[language][0])
    turn = talk.say("刚才说错了，其实 CPU 不高" if language == "zh" else "I was wrong, actually CPU usage is low")
    assert turn.clarification is None
    assert verdict_of(talk) is not Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("words", "value", "verdict"),
    [("CPU 有点变化", "95%", Verdict.CONFIRMED), ("CPU usage changed", "about 40%", Verdict.DENIED)],
)
def test_a_missing_value_is_asked_for_and_settles_it(running: House, words: str, value: str, verdict: Verdict) -> None:
    """Nothing is on record before the number is said, the answer shows where it stands, and the number decides."""
    talk = running.talk()
    asked = talk.say(words).clarification
    assert "vmstat" in talk.replies[-1]
    assert asked is not None
    assert asked.kind is ClarifyKind.MISSING_VALUE
    assert verdict_of(talk) is None
    talk.say(value)
    assert verdict_of(talk) is verdict


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tool_answers_by_its_name(running: House, language: str) -> None:
    """One conversation uses each tool, several in one turn at the end, and none of them fails."""
    talk = running.talk()
    for message, tools in TOOLS[language]:
        turn = talk.say(message)
        assert [outcome.tool for outcome in turn.done] == tools, message
        assert not turn.failures
        assert talk.replies[-1].strip()


@pytest.mark.parametrize(
    ("complaint", "fact"),
    [
        ("所有语句都变慢了", "等锁的会话都在等 transactionid"),
        ("most statements are slow", "all waiters are waiting on transactionid"),
    ],
)
def test_a_complaint_contradicts_no_fact(running: House, complaint: str, fact: str) -> None:
    """An impression of the whole and a fact that rarely goes with it are not held against each other."""
    talk = running.talk()
    talk.say(complaint)
    answered = talk.say(fact)
    assert {entry.phenomenon_id for entry in talk.session.active()} >= {"P-0001", "P-0420"}
    assert answered.diagnosis is not None
    assert answered.diagnosis.contradiction is not None
    assert answered.diagnosis_view is not None
    assert answered.diagnosis_view.contradiction is None
