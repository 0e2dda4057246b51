"""Common questions of the field: what is kept of them, how they are found, and what they do to a turn's plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lang import deferred_re as re
from services.planner.common_questions import finder
from services.planner.common_questions.finder import find_question, shipped
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    HelpAnswer,
    Language,
    NamedObject,
    ObservationStep,
    PlanSource,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    TurnPlan,
    TurnResults,
    Verdict,
)
from services.planner.questions_asked.in_message import with_questions
from services.planner.questions_asked.of_field import LIKELY, questions_in
from services.planner.questions_asked.parts import parts_of
from services.planner.questions_asked.question_model import Asked, from_bytes, to_bytes
from services.planner.speak.compose import compose
from services.planner.training.common_questions import digest_inputs, load_asked
from tests.support.cases import for_each

HELD = Path(__file__).parents[1] / "common_questions" / "held.jsonl"
_HAN = re.compile(r"[\u4e00-\u9fff]")
IN_TALKS = HELD.with_name("in_talks.jsonl")
ASKED = "does ANALYZE lock the table, its prod and people are on it"


def held() -> list[tuple[str, str]]:
    """Words of hands that taught nothing, each with the key of the question they ask; none where they ask none."""
    rows = map(json.loads, HELD.read_text("utf-8").splitlines())
    return [(words, row["key"]) for row in rows for words in (*row["en"], *row["zh"])]


VIEW = SessionView()


def question_in(words: str, engine: str = finder.USUAL, before: str = "") -> Asked | None:
    return next(iter(questions_in(words, engine, before)), None)


def plan_of(*steps: PlanStep) -> TurnPlan:
    return TurnPlan(steps, Language.EN, PlanSource.RULES)


def test_every_question_is_answered_in_both_languages() -> None:
    """An answer in Chinese has Chinese words, one in English has none, and neither is long."""
    for key, entry in known_answers().items():
        assert all(map(_HAN.search, (entry.answer.zh, entry.asked.zh))), key
        assert not any(map(_HAN.search, (entry.answer.en, entry.asked.en))), key
        assert max(len(entry.answer.en), 2 * len(entry.answer.zh)) <= 700, key


def test_the_shipped_weights_are_those_of_the_words() -> None:
    """Whoever changes a question, an answer or how it is asked has to learn anew."""
    assert shipped().digest == digest_inputs(), "run make train"


@pytest.mark.slow
def test_a_file_of_weights_gives_the_same_model() -> None:
    """Written and read again, the weights are the same bytes."""
    content = finder.FILE.read_bytes()
    assert to_bytes(from_bytes(content)) == content


def test_no_held_words_were_learned_from() -> None:
    """The words that measure are none of those that teach."""
    assert not {each.words for each in load_asked()} & {words for words, _ in held()}


@pytest.mark.slow
def test_most_questions_of_other_hands_are_answered_and_few_wrong() -> None:
    """Of questions in others' words most are answered, nearly all of them right: a wrong answer is worse than none."""
    found = [(find_question(words, known_answers()[key].engine), key) for words, key in held() if key]
    given = [(each.key, key) for each, key in found if each is not None and each.probability >= LIKELY]
    assert len(given) >= 0.6 * len(found)
    assert sum(answered == asked for answered, asked in given) >= 0.92 * len(given)


def test_words_that_ask_no_common_question_get_no_answer() -> None:
    """Facts, protests and questions of the case with the field's words are seldom taken for a common question."""
    said = [words for words, key in held() if not key]
    taken = [words for words in said if (asked := question_in(words)) and asked.found.probability >= LIKELY]
    assert len(taken) <= 0.1 * len(said), taken


def test_in_a_talk_what_is_answered_was_asked() -> None:
    """Of what people said in talks few questions get the answer to another one, and those that have one get theirs."""
    rows = [json.loads(row) for row in IN_TALKS.read_text("utf-8").splitlines()]
    found = [(question_in(row["words"], "postgresql", row["before"]), row["keys"]) for row in rows]
    given = [(asked.found.key, keys) for asked, keys in found if asked and asked.found.probability >= LIKELY]
    right = sum(key in keys for key, keys in given)
    assert right >= 0.9 * len(given), [each for each in given if each[0] not in each[1]]
    assert right >= 0.45 * sum(bool(keys) for _, keys in found)


@for_each(
    ("words", "before"),
    [
        ("what r they even waiting for?", "Application leaks connections"),
        ("restarting it meanwhile ok?", "Application leaks connections"),
        ("那现在要不要动它", "连接泄漏"),
    ],
)
def test_no_answer_about_what_was_not_named(words: str, before: str) -> None:
    """Words that leave out what they are about get no answer about a thing that nobody spoke of."""
    asked = question_in(words, "postgresql", before)
    told = asked is not None and asked.found.probability >= LIKELY
    assert not told or asked is None or asked.found.key == "idle_sessions_wait_for_their_client"


def test_a_common_question_takes_the_place_of_what_its_words_were_taken_for() -> None:
    """A riddle or a question without an object gives way; there is one step with the key."""
    riddle = ClarifyStep(ClarifyKind.VAGUE, ASKED)
    steps = with_questions(plan_of(riddle), ASKED, VIEW).steps
    assert [step.topic for step in steps if isinstance(step, QuestionStep)] == [QuestionTopic.COMMON]
    assert riddle not in steps


@for_each(
    "kept",
    [
        FeedbackStep(Reference(ordinal=1), Verdict.DENIED, "1 no"),
        ObservationStep("cpu is at 98 percent"),
        QuestionStep(QuestionKind.HELP, text=ASKED, topic=QuestionTopic.SUMMARY),
        QuestionStep(QuestionKind.HELP, Reference(ordinal=2), "how do I check 2"),
    ],
    ids=lambda step: type(step).__name__,
)
def test_what_else_a_message_says_stays(kept: PlanStep) -> None:
    """Answers, facts and questions that point at something are read beside a common question."""
    assert kept in with_questions(plan_of(kept), ASKED, VIEW).steps


def test_a_command_asks_nothing() -> None:
    """What begins with a slash is a command, whatever its words."""
    assert with_questions(plan_of(), f"/why {ASKED}", VIEW).steps == ()


@for_each(
    ("asked", "session"),
    [
        ("if i cancel 20411 is it half applied", "20411"),
        ("18822 or 20411, cancel which", "<pid>"),
        ("can i cancel it", "<pid>"),
    ],
)
def test_a_session_is_filled_in_only_where_the_question_names_it(asked: str, session: str) -> None:
    """The session that holds others up is not put into a command for another one."""
    answer = HelpAnswer((), None, asked, QuestionTopic.COMMON, common_question="cancel_loses_only_that_statement")
    results = TurnResults(answers=(answer,), objects=(NamedObject("pid", "18822", "holds"),), turn=5)
    assert f"pg_cancel_backend({session})" in compose(results, Language.EN)


@for_each(
    "words",
    [
        "select啥的秒回",
        "主要就是orders这张表,别的表没啥感觉",
        "别的查询没什么变化",
        "月报要跑两个小时呢",
        "thats what the slot was for prob",
    ],
)
def test_an_interrogative_that_asks_nothing_makes_no_question(words: str) -> None:
    """What ends a list, denies with 没啥, stresses a fact or points at a thing gets no answer to a common question."""
    assert question_in(words) is None


@for_each("words", ["9120这个进程是干啥的", "这是啥的锁一直没放", "有没有什么办法不重启"])
def test_an_interrogative_that_asks_stays_a_question(words: str) -> None:
    """Beside 的 or behind 有没有 the same words ask."""
    assert list(parts_of(words))
