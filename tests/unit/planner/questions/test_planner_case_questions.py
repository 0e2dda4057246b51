"""Questions of the case: what words ask, whatever the case is about, and what that does to a turn's plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from services.planner.case_questions import finder
from services.planner.case_questions.asked import LIKELY
from services.planner.case_questions.finder import OF_THE_FIELD, find_case_question, masked, shipped
from services.planner.case_questions.questions import CASE_QUESTIONS
from services.planner.model import (
    EvidenceView,
    HypothesisView,
    Language,
    ObservationStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    Speaker,
    Status,
    Text,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.questions_asked.question_model import NOTHING, from_bytes, to_bytes
from services.planner.training.case_questions import digest_case_inputs, load_case_asked
from tests.support.cases import for_each

HELD = Path(__file__).parents[1] / "case_questions" / "held.jsonl"


def held() -> list[tuple[str, frozenset[str]]]:
    """Questions as they were typed in talks that taught nothing, each with the keys that answer it."""
    rows = map(json.loads, HELD.read_text("utf-8").splitlines())
    return [(row["words"], frozenset(row["keys"])) for row in rows]


def view_of(reply: str = "Very likely it is **A forgotten transaction** (94 %).") -> SessionView:
    """A case in its third turn, with a leading cause."""
    return SessionView(
        Language.EN,
        3,
        evidence=(EvidenceView("P-0001", Text("会话空闲", "Session idle"), Verdict.CONFIRMED, "18733 idle", 1),),
        hypotheses=(HypothesisView("RC-0001", Text("忘记提交的事务", "A forgotten transaction"), 0.94),),
        history=(Utterance(Speaker.USER, "all updates hang"), Utterance(Speaker.ASSISTANT, reply)),
        status=Status.NARROWING,
    )


def test_the_shipped_weights_are_those_of_the_words() -> None:
    """Whoever changes how something is asked has to learn anew."""
    assert shipped().digest == digest_case_inputs(), "run make train"


def test_a_file_of_weights_gives_the_same_model() -> None:
    """Written and read again, the weights are the same bytes."""
    content = finder.FILE.read_bytes()
    assert to_bytes(from_bytes(content)) == content


def test_each_question_of_the_case_is_learned_and_answered() -> None:
    """The model knows the questions that the planner answers, and no other."""
    assert {*shipped().keys} - {OF_THE_FIELD, NOTHING} == {*CASE_QUESTIONS}


@pytest.mark.slow
def test_no_held_words_were_learned_from() -> None:
    """The words that measure are none of those that teach."""
    assert not {each.words for each in load_case_asked()} & {masked(words) for words, _ in held()}


def test_most_questions_in_talks_are_known_and_few_taken_wrong() -> None:
    """Of what people asked in the middle of a talk, more than half is known, four in five of that as it was meant."""
    found = [(find_case_question(words), keys) for words, keys in held()]
    given = [(each.key, keys) for each, keys in found if each is not None and each.probability >= LIKELY]
    assert len(given) >= 0.55 * len(found)
    assert sum(key in keys for key, keys in given) >= 0.75 * len(given)


@for_each(
    ("asked", "topic"),
    [
        (
            "how can I see for myself that 9931 is really the one, before I end it",
            QuestionTopic.IDENTIFICATION,
        ),
        ("怎么看出来就是9931在挡路", QuestionTopic.IDENTIFICATION),
        ("cancel or terminate, what is the difference here", QuestionTopic.COMPARISON),
        ("cancel 和 terminate 差在哪 选哪个", QuestionTopic.COMPARISON),
        ("I have no superuser here, who has to end that session for me", QuestionTopic.RIGHTS),
        ("我没有superuser 这个得谁来杀", QuestionTopic.RIGHTS),
        ("I can't get at the log, is there some other way to see that", QuestionTopic.ALTERNATIVE),
        ("日志我碰不到 能换个法子看不", QuestionTopic.ALTERNATIVE),
        ("when may the nightly import run again", QuestionTopic.RESUMING),
        ("那个导入任务啥时候能重跑", QuestionTopic.RESUMING),
        ("which line did you take that from", QuestionTopic.SOURCE),
        ("这个你是从哪行看出来的", QuestionTopic.SOURCE),
    ],
)
async def test_a_question_of_the_case_has_its_topic(asked: str, topic: QuestionTopic) -> None:
    """What is asked of the case is found whatever it is about, and nothing of it is evidence."""
    plan = (await Planner().decide(view_of(), asked)).plan
    assert [step.topic for step in plan.steps if isinstance(step, QuestionStep)] == [topic]
    assert not any(isinstance(step, ObservationStep) for step in plan.steps)


@pytest.mark.parametrize("asked", ["where do you see that", "你从哪看出来的"])
async def test_without_a_case_nothing_is_asked_of_it(asked: str) -> None:
    """Before anything is on record, no words ask where it is from."""
    plan = (await Planner().decide(SessionView(), asked)).plan
    assert not any(isinstance(step, QuestionStep) and step.topic is QuestionTopic.SOURCE for step in plan.steps)


@pytest.mark.parametrize("asked", ["who won the game last night?", "今晚吃啥好呢"])
async def test_what_is_beside_the_case_is_no_question_of_it(asked: str) -> None:
    """A question without a word of the field stays out of scope, however it sounds."""
    (step,) = (await Planner().decide(view_of(), asked)).plan.steps
    assert isinstance(step, SmalltalkStep)


@pytest.mark.parametrize(
    "said", ['"互相死锁"啥意思 为啥你觉得是这个', "what is a deadlock? why do you think its that one"]
)
async def test_what_is_asked_beside_the_meaning_of_a_term_is_answered_too(said: str) -> None:
    """A term is explained, and why the cause is believed is told as well."""
    steps = (await Planner().decide(view_of(), said)).plan.steps
    asked = [step for step in steps if isinstance(step, QuestionStep)]
    assert [step.topic for step in asked][:1] == [QuestionTopic.MEANING]
    assert any(step.kind is QuestionKind.REASONING for step in asked)
