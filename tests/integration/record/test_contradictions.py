"""Said the opposite of what stands: the newer words hold at once; of what a check saw it is asked which holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from dbdiag.planner.v1.planner_types import ClarifyKind, Tool
from dbdiag.vocabulary import Verdict

from gateway.session.ledger import COLLECTED
from tests.support.talks import House, Talk

CPU = "P-0008"
SAID = {
    "zh": ("报表变慢，CPU 使用率 95%", "CPU 不高", "内存占用 97%，CPU 不高"),
    "en": ("reports are slow and CPU is at 95%", "CPU usage is low", "memory is 97% used, and CPU usage is low"),
}
# What holds after the newer words took the place of the older ones: these again, or those.
BACK = {
    "zh": ["改回去", "我没撤那条", "我没撤 CPU 那条", "撤销", "之前的是对的", "以之前的为准"],
    "en": [
        "put it back",
        "i did not take that back",
        "i never took back the cpu one",
        "undo",
        "the earlier one is right",
    ],
}
BOTH = {"zh": ["都对", "两个都对！", "都是对的，你再看看"], "en": ["both", "both are true", "both! look again"]}
ROWS = (
    " relname | n_live_tup | n_dead_tup | last_vacuum | last_autovacuum\n"
    "---------+------------+------------+-------------+----------------------------\n"
    " orders  |   18204113 |   71920446 |             | 2024-05-14 15:41:07.22+02\n"
)
DEAD, GROWN = "P-0063", "P-0109"
FEW_DEAD = {"zh": "orders 死元组不高", "en": "there are hardly any dead tuples in orders"}
EARLIER = {
    "zh": ["1", "之前的对", "以之前的为准", "有", "2没有"],
    "en": ["1", "the earlier one was right", "yes", "the first", "2 no"],
}
LATER = {
    "zh": ["2", "以现在的为准", "之前说错了", "没有", "CPU 不高"],
    "en": ["2", "the new one", "the latter", "no", "CPU usage is low"],
}
REPORTS = {"zh": "报表变慢", "en": "reports are slow"}
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


def seen_before(running: House, language: str, which: int = 1) -> Talk:
    """A conversation that has just said the opposite of what a check saw."""
    talk = running.talk()
    talk.say(REPORTS[language])
    seen = talk.session.entry(CPU, Verdict.CONFIRMED, 1.0, "95%", COLLECTED)
    talk.session.record(replace(seen, turn=1))
    talk.say(SAID[language][which])
    return talk


def verdict_of(talk: Talk) -> Verdict | None:
    """What stands of the processor."""
    entry = talk.session.active_for(CPU)
    return entry.verdict if entry else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_newer_words_hold_at_once(running: House, language: str) -> None:
    """Nothing is asked; one line has both statements in the person's own words, and what moved by it."""
    talk = contradicted(running, language)
    turn = talk.turns[-1]
    assert turn.clarification is None
    assert verdict_of(talk) is Verdict.DENIED
    assert len(turn.corrections) == 1
    told = next(line for line in talk.replies[-1].splitlines() if "95%" in line)
    assert SAID[language][1] in told
    assert told.count("→") <= 2


@pytest.mark.parametrize(("language", "words"), [(language, each) for language in LANGUAGES for each in BACK[language]])
def test_what_was_replaced_can_be_put_back(running: House, language: str, words: str) -> None:
    """Whoever objects, or takes the newer words back, has the older ones on record again, and nothing else moved."""
    talk = contradicted(running, language)
    before = {entry.phenomenon_id for entry in talk.session.active()}
    talk.say(words)
    assert verdict_of(talk) is Verdict.CONFIRMED
    assert {entry.phenomenon_id for entry in talk.session.active()} == before


@pytest.mark.parametrize(("language", "words"), [(language, each) for language in LANGUAGES for each in BOTH[language]])
def test_of_one_thing_only_one_counts(running: House, language: str, words: str) -> None:
    """ "Both" answers nothing that is asked; the reply says which of the two counts."""
    talk = contradicted(running, language)
    before = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    turn = talk.say(words)
    assert {entry.phenomenon_id: entry.verdict for entry in talk.session.active()} == before
    assert turn.clarification is None
    assert SAID[language][1] in talk.replies[-1]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("data volume grew 5x", "row count is normal"),
        ("数据量涨了5倍", "行数正常"),
    ],
)
def test_what_does_not_exclude_the_other_replaces_nothing(running: House, first: str, later: str) -> None:
    """A figure of one thing stands beside another thing that is fine."""
    talk = running.talk()
    talk.say(first)
    before = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert GROWN in before
    turn = talk.say(later)
    assert {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}.items() >= before.items()
    assert not turn.corrections
    assert turn.clarification is None or turn.clarification.kind is not ClarifyKind.CONTRADICTION


@pytest.mark.parametrize(
    ("first", "later", "protest"),
    [
        ("api p95 was 80ms now 4s", "not everything is slow", "I never said everything is slow"),
        ("所有语句都变慢了", "不是所有语句都慢", "我没说过所有语句都慢"),
    ],
)
def test_who_never_said_what_was_replaced_has_the_newer_words(
    running: House, first: str, later: str, protest: str
) -> None:
    """A protest against the older reading agrees with the newer one, which stands."""
    talk = running.talk()
    for message in (first, later, protest):
        talk.say(message)
    held = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert held.get("P-0001") is Verdict.DENIED


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_against_an_output_hold_once_they_are_said_again(running: House, language: str) -> None:
    """At first the output stands, and the words are proposed."""
    talk = running.talk()
    talk.say(ROWS)
    asked = talk.say(FEW_DEAD[language]).clarification
    assert asked is not None
    assert asked.kind is ClarifyKind.PROPOSED
    held = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert held[DEAD] is Verdict.CONFIRMED
    again = {"zh": "说了死元组不高", "en": "i mean it, there are hardly any dead tuples"}
    talk.say(again[language])
    held = {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}
    assert held[DEAD] is Verdict.DENIED


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_what_a_check_saw_it_is_asked(running: House, language: str) -> None:
    """Both sides are named as two options, and the person's word counts until it is settled."""
    talk = seen_before(running, language)
    asked = talk.turns[-1].clarification
    assert asked is not None
    assert (asked.kind, asked.seen_ordinal) == (ClarifyKind.CONTRADICTION, 1)
    assert [option.ordinal for option in asked.options] == [1, 2]
    assert verdict_of(talk) is Verdict.DENIED
    assert "95%" in talk.replies[-1]
    assert SAID[language][1] in talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "answer"), [(language, said) for language in LANGUAGES for said in EARLIER[language]]
)
def test_what_was_seen_may_hold(running: House, language: str, answer: str) -> None:
    """By number or in words: it is on record again, told with the beliefs before and after."""
    talk = seen_before(running, language)
    turn = talk.say(answer)
    assert verdict_of(talk) is Verdict.CONFIRMED
    assert turn.clarification is None
    assert len(turn.corrections) == 1
    assert "→" in talk.replies[-1]


@pytest.mark.parametrize(
    ("language", "answer"), [(language, said) for language in LANGUAGES for said in LATER[language]]
)
def test_what_was_said_may_hold(running: House, language: str, answer: str) -> None:
    """By number or in words: what stood stands, nothing is corrected, and the next check is there."""
    talk = seen_before(running, language)
    turn = talk.say(answer)
    assert verdict_of(talk) is Verdict.DENIED
    assert turn.clarification is None
    assert not turn.corrections
    assert turn.diagnosis_view is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_else_the_message_says_counts_at_once(running: House, language: str) -> None:
    """Only the statement in doubt is asked about."""
    talk = seen_before(running, language, 2)
    assert talk.turns[-1].clarification is not None
    assert len(talk.turns[-1].noted) == 1
    assert talk.turns[-1].diagnosis_view is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_left_unanswered_it_is_not_asked_again(running: House, language: str) -> None:
    """The talk goes on, and the person's word counts."""
    talk = seen_before(running, language)
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
