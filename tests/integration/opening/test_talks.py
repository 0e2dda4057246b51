"""What holds of whole conversations, whatever is said in them: the real loop, services and library."""

from __future__ import annotations

import pytest
from dbdiag.engine.v1.engine_types import Evidence, Hypothesis
from dbdiag.planner.v1.planner_types import ClarifyKind, Status
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from gateway.session.belief_points import BeliefPoint
from gateway.turn.context import Turn
from tests.support.examples import examples
from tests.support.talks import House, Talk

STUCK = 3
FEW = settings(
    max_examples=examples(20),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
IDS = [f"P-{number:04d}" for number in range(1, 61)]
YES, NO = True, False
SAID = {("zh", YES): "{id} 有", ("zh", NO): "{id} 没有", ("en", YES): "{id} yes", ("en", NO): "{id} no"}
CORRECTED = {
    ("zh", YES): "{id} 说错了，其实有",
    ("zh", NO): "{id} 说错了，其实没有",
    ("en", YES): "{id} was wrong, it is actually yes",
    ("en", NO): "{id} was wrong, it is actually no",
}
TAKEN_BACK = {"zh": ["收回 {id}", "{id} 收回"], "en": ["take back {id}", "scratch {id}"]}
ASIDES = {
    "zh": ["进展如何", "有哪些可能", "为什么是它", "会不会是锁的问题", "刚才都查了什么"],
    "en": ["how far are we?", "what else could it be?", "why that one", "could it be locks?", "what did I tell you?"],
}
UNCLEAR = [
    "db is slow", "it's just slow", "慢", "数据库很慢", "有", "嗯", "yes", "可能有吧", "maybe", "9有", "7 yes",
    "P-9999 有", "something is odd", "不太对劲", "the new one", "不知道是啥", "0没有", "connections", "？", "那个",
]  # fmt: skip
languages = st.sampled_from(["zh", "en"])
facts = st.lists(st.tuples(st.sampled_from(IDS), st.booleans()), min_size=1, max_size=4, unique_by=lambda fact: fact[0])
asides = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=2)


def talked(running: House, messages: list[str]) -> Talk:
    """A conversation of these messages."""
    talk = running.talk()
    for message in messages:
        talk.say(message)
    return talk


def stands(talk: Talk) -> tuple[Status, tuple[Evidence, ...], BeliefPoint | None, object, int]:
    """Where a conversation stands: all that its next turn depends on, without when things were said."""
    points = talk.session.case_points()
    last = points[-1] if points and talk.session.active() else None
    return (
        talk.session.status(STUCK),
        talk.turns[-1].active_evidence(),
        BeliefPoint(1, 0, last.beliefs, True, last.concluded, last.surprise_bits, last.contradiction) if last else None,
        talk.session.pending if last else None,
        talk.session.idle_turns(),
    )


def with_asides(messages: list[str], inserted: list[tuple[int, int]], language: str) -> list[str]:
    """The messages with questions and suspicions between them, never as the last."""
    mixed = list(messages)
    for place, which in inserted:
        mixed.insert(min(place, len(mixed) - 1), ASIDES[language][which])
    return mixed


@FEW
@given(language=languages, said=facts, slip=st.tuples(st.sampled_from(IDS), st.booleans()), data=st.data())
def test_what_is_taken_back_was_never_said(
    running: House, language: str, said: list[tuple[str, bool]], slip: tuple[str, bool], data: st.DataObject
) -> None:
    """Said and taken back again, anywhere in a conversation, leaves beliefs, questions and status as if never said."""
    said = [fact for fact in said if fact[0] != slip[0]]
    plain = [SAID[language, verdict].format(id=found) for found, verdict in said]
    at = data.draw(st.integers(0, len(plain)))
    back = data.draw(st.integers(at, len(plain)))
    how = data.draw(st.sampled_from(TAKEN_BACK[language])) if back > at else "/undo"
    retold = list(plain)
    retold.insert(back, how.format(id=slip[0]))
    retold.insert(at, SAID[language, slip[1]].format(id=slip[0]))
    talk = talked(running, with_asides(retold, data.draw(asides) if how != "/undo" else [], language))
    if plain:
        assert stands(talk) == stands(talked(running, plain))
    else:
        assert (talk.session.active(), talk.session.status(STUCK)) == ([], Status.EXPLORING)


@FEW
@given(language=languages, said=facts, data=st.data())
def test_what_is_corrected_was_said_right_the_first_time(
    running: House, language: str, said: list[tuple[str, bool]], data: st.DataObject
) -> None:
    """A correction leaves everything as if the right thing had been said in place of the wrong one, and tells it."""
    at = data.draw(st.integers(0, len(said) - 1))
    slip, verdict = said[at]
    right = [SAID[language, given].format(id=found) for found, given in said]
    wrong = [*right[:at], SAID[language, not verdict].format(id=slip), *right[at + 1 :]]
    mixed = with_asides([*wrong, CORRECTED[language, verdict].format(id=slip)], data.draw(asides), language)
    talk = talked(running, mixed)
    assert stands(talk) == stands(talked(running, right))
    _tells(talk, running, slip)


def _tells(talk: Talk, running: House, slip: str) -> None:
    """The answer names what changed, and each belief it gives is the one before and the one after."""
    turn, before = talk.turns[-1], talk.turns[-2].session.beliefs()
    name = running.catalog.phenomenon_name(slip).say(turn.language)
    assert len(turn.corrections) == 1
    assert name.replace("“", "").replace("”", "") in talk.replies[-1].replace("“", "").replace("”", "")
    earlier = {belief.root_cause_id: belief.confidence for belief in _beliefs_before(talk)}
    now = {belief.root_cause_id: belief.confidence for belief in turn.session.beliefs()}
    assert before
    assert turn.corrections[0].changes
    for change in turn.corrections[0].changes:
        assert change.confidence_before == pytest.approx(earlier.get(change.root_cause_id, change.confidence_before))
        assert change.confidence_after == pytest.approx(now.get(change.root_cause_id, change.confidence_after))


def _beliefs_before(talk: Talk) -> tuple[Hypothesis, ...]:
    evaluated = [turn.diagnosis for turn in talk.turns[:-1] if turn.diagnosis is not None]
    return evaluated[-1].hypotheses


def test_stuck_is_forgotten_with_what_it_was_stuck_on(running: House) -> None:
    """Answers that moved nothing make it stuck; taking one back leaves as many as stand."""
    talk = talked(running, ["P-0001 看不了", "P-0002 看不了", "P-0004 看不了", "P-0005 看不了"])
    assert talk.session.status(STUCK) is Status.STUCK
    talk.say("收回 P-0005")
    assert talk.session.status(STUCK) is not Status.STUCK


@FEW
@given(language=languages, said=facts, cause=st.integers(0, 68))
def test_a_suspicion_counts_for_its_turn_only(
    running: House, language: str, said: list[tuple[str, bool]], cause: int
) -> None:
    """It gets a verdict from the beliefs as they are, moves none, and is gone in the next turn."""
    # After a comma there may as well stand a fact.
    named = [
        found.name
        for found in running.catalog.root_causes.values()
        if not set(found.name.zh + found.name.en) & set("，,:")
    ]
    name = named[cause % len(named)]
    talk = talked(running, [SAID[language, verdict].format(id=found) for found, verdict in said])
    beliefs, evidence = talk.session.beliefs(), talk.turns[-1].active_evidence()
    turn = talk.say(f"我怀疑是{name.zh}" if language == "zh" else f"I suspect {name.en}")
    assert turn.active_evidence() == evidence
    assert talk.session.beliefs() == beliefs
    for hint in turn.suggestions:
        assert hint.boost == 0.0
        assert hint.effective_confidence == hint.confidence
        told = hint.name.say(turn.language)
        assert not hint.root_cause_id or hint.matter.area or told in talk.replies[-1]
    after = talk.say("进展如何" if language == "zh" else "how far are we?")
    assert after.diagnosis is None or all(item.boost == 0.0 for item in after.diagnosis.hypotheses)
    control = talked(running, [SAID[language, verdict].format(id=found) for found, verdict in said])
    assert stands(talk) == stands(control)


@pytest.mark.parametrize(
    ("complaint", "suspicion", "cause"),
    [
        ("报表变慢", "会不会是统计信息过期？", "统计信息过期导致计划变差"),
        ("reports are slow", "could it be index bloat?", "索引膨胀"),
        ("应用连不上数据库，报 too many clients", "我怀疑是连接泄漏", "应用不归还连接，连接泄漏"),
    ],
)
def test_a_suspicion_steers_the_next_question(running: House, complaint: str, suspicion: str, cause: str) -> None:
    """What tells most of a suspected cause that is open is asked first, and the cause stands by its belief."""
    talk = talked(running, [complaint])
    turn = talk.say(suspicion)
    assert turn.diagnosis_view is not None
    suspected = turn.suggestions[0]
    assert suspected.name is not None
    assert suspected.name.zh == cause
    shown = [item.root_cause_id for item in turn.diagnosis_view.hypotheses]
    order = [item.effective_confidence for item in turn.diagnosis_view.hypotheses]
    assert suspected.root_cause_id in shown
    assert order == sorted(order, reverse=True)
    first = turn.diagnosis_view.recommendations[0]
    assert first.if_yes is not None
    assert first.if_yes.beliefs[0].root_cause_id == suspected.root_cause_id


@FEW
@given(messages=st.lists(st.one_of(st.sampled_from(UNCLEAR), st.sampled_from(["1有", "2 no", "CPU 95%"])), max_size=6))
def test_nothing_is_asked_back_twice(running: House, messages: list[str]) -> None:
    """One question back a turn with something to choose from or free words, and never the same one again."""
    talk = running.talk()
    asked: list[object] = []
    for message in messages:
        turn = talk.say(message)
        assert talk.replies[-1].strip()
        if turn.clarification is not None:
            same = (turn.clarification.kind, turn.clarification.words, turn.clarification.options)
            assert same not in asked
            asked.append(same)
        assert turn.clarification is not None or _goes_on(turn), (message, talk.replies[-1])


def _goes_on(turn: Turn) -> bool:
    """Whether an answer does something, or shows what to look at next."""
    recommended = turn.diagnosis_view is not None
    return bool(recommended or turn.noted or turn.corrections or turn.answers or turn.smalltalk or turn.reset)


@FEW
@given(
    known=st.lists(st.tuples(st.sampled_from(IDS), st.booleans()), min_size=1, max_size=2, unique_by=lambda f: f[0]),
    unknown=st.integers(2000, 9999),
    first=st.booleans(),
    language=languages,
)
def test_an_unknown_id_is_asked_back_and_the_rest_counts(
    running: House, known: list[tuple[str, bool]], unknown: int, first: bool, language: str
) -> None:
    """An id that does not exist is never guessed; what else the message says is on record."""
    parts = [SAID[language, verdict].format(id=found) for found, verdict in known]
    parts.insert(0 if first else len(parts), SAID[language, YES].format(id=f"P-{unknown}"))
    turn = talked(running, [("，" if language == "zh" else ", ").join(parts)]).turns[-1]
    assert {entry.phenomenon_id for entry in turn.session.active()} == {found for found, _ in known}
    assert turn.clarification is not None
    assert turn.clarification.kind is ClarifyKind.NO_SUCH_ITEM
    assert str(unknown) in turn.clarification.words


@FEW
@given(number=st.integers(4, 99), language=languages)
def test_an_unknown_number_is_asked_back_and_the_rest_counts(running: House, number: int, language: str) -> None:
    """A number that was not shown is never guessed; what else the message says is on record, and no option is stale."""
    talk = talked(running, ["报表变慢" if language == "zh" else "reports are slow"])
    first = talk.session.pending[0].phenomenon_id
    turn = talk.say(f"{number}有，1没有" if language == "zh" else f"{number} yes, 1 no")
    assert turn.session.active_for(first) is not None
    assert len(turn.session.active()) == 2
    assert turn.clarification is not None
    assert turn.clarification.kind is ClarifyKind.NO_SUCH_ITEM
    assert first not in {option.phenomenon_id for option in turn.clarification.options}


REPEATED = {
    "zh": ("归档是好的", "归档没报错，磁盘 97%", "归档"),
    "en": ("archiving works fine", "no archiver errors, and the data disk is 97 % full", "archiv"),
}


@pytest.mark.parametrize("language", REPEATED)
def test_what_stands_is_not_reported_again_beside_news(language: str, running: House) -> None:
    """A fact said again stays as it is, and the answer reports what is new; said alone, it is confirmed."""
    first, second, subject = REPEATED[language]
    talk = talked(running, [first, second])
    assert talk.session.active_for("P-0016") is not None
    assert subject not in talk.replies[-1].split("\n")[0].lower()
    assert subject in talked(running, [first, first]).replies[-1].lower()


@pytest.mark.parametrize("message", ["一共 480/500 了", "it's 480/500 all in all"])
def test_words_that_are_taken_up_are_not_set_aside(message: str, running: House) -> None:
    """Words that are on record, or that the answer asks about, are not left out in the same breath."""
    turn = talked(running, ["the app can't get connections", "P-0045 yes", "P-0048 no", message]).turns[-1]
    assert [entry.words for entry in turn.session.active() if entry.phenomenon_id == "P-0044"] == [message]
    assert turn.results().unmatched == ()


ALIKE = {
    "zh": "CPU 97%，另外空闲连接老是被断开，报 connection reset",
    "en": "cpu is at 97%. our pooled connections keep dying while they sit unused, reset by peer",
}


@pytest.mark.parametrize("language", ALIKE)
def test_likeness_beside_a_fact_is_asked_about(language: str, running: House) -> None:
    """Words beside a fact that are very like one phenomenon are on record or asked about, never dropped."""
    talk = talked(running, [ALIKE[language]])
    heard = {entry.phenomenon_id for entry in talk.session.active()}
    heard |= {item.phenomenon_id for item in talk.session.proposed}
    assert heard >= {"P-0008", "P-0056"}


REACH = {
    "zh": ("提交很慢", "操作系统我登不进去，只能连数据库", "不影响排序"),
    "en": ("commits are slow", "i can only see the database, no shell on the box", "does not change"),
}


@pytest.mark.parametrize("language", REACH)
def test_what_a_person_can_look_at_is_no_symptom(language: str, running: House) -> None:
    """Words on what is within reach are neither recorded nor reported as something that fits nothing."""
    opening, message, unplaced = REACH[language]
    talk = talked(running, [opening, message])
    assert [entry.phenomenon_id for entry in talk.session.active()] == ["P-0004"]
    assert unplaced not in talk.replies[-1].split("\n")[0]


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("日志里 still waiting for AccessExclusiveLock；自增ID到了整型上限", {"P-0022", "P-0099"}),
        (
            "log says still waiting for AccessExclusiveLock; FATAL connection slots reserved after a while",
            {"P-0022", "P-0043"},
        ),
    ],
)
def test_every_part_that_is_like_one_phenomenon_is_kept(running: House, message: str, meant: set[str]) -> None:
    """What each part may mean is on record or waits for a yes, and what is not likely enough is not asked about."""
    turn = running.talk().say(message)
    waiting = {item.phenomenon_id for item in turn.session.proposed}
    assert waiting | {entry.phenomenon_id for entry in turn.noted} >= meant
    assert turn.clarification is None
