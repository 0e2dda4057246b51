"""A question is answered in the form in which it is asked, by an answer about what it asks of."""

from __future__ import annotations

import pytest

from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    CauseQuestion,
    HypothesisView,
    Language,
    PlanSource,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Text,
    TurnPlan,
)
from services.planner.questions_asked.answer_forms import answers_of_cause, without_verdict
from services.planner.questions_asked.by_form import with_fitting_answers
from services.planner.questions_asked.forms import Form, forms_of, protests, restarted
from services.planner.questions_asked.parts import asking_in
from tests.support.cases import for_each

VIEW = SessionView()


@for_each(
    ("words", "form"),
    [
        ("how long will the rebuild run?", Form.LONG),
        ("when will the queue be empty", Form.LONG),
        ("还要多久才能追上", Form.LONG),
        ("how many workers is too many?", Form.MUCH),
        ("这个值设多少合适", Form.MUCH),
        ("why did nobody get an alarm?", Form.WHY),
        ("为啥只有晚上慢", Form.WHY),
        ("how do i see who holds it", Form.HOW),
        ("怎么看它跑到哪了", Form.HOW),
        ("which of the two goes first?", Form.WHICH),
        ("这事归谁管", Form.WHICH),
        ("does that need a restart", Form.WHETHER),
        ("ok, is it gone for good", Form.WHETHER),
        ("要不要先停写入", Form.WHETHER),
        ("会丢数据吗", Form.WHETHER),
        ("the index too?", Form.WHETHER),
        ("what does the second column mean", Form.WHAT),
        ("这一列是什么", Form.WHAT),
    ],
)
def test_the_form_of_a_question_is_known_by_its_words(words: str, form: Form) -> None:
    """How long, how much, why, how, which, whether or what: each is told by the words that ask."""
    assert form in forms_of(words)


@for_each(
    ("words", "kinds"),
    [
        ("do i restart postgres or not", {"restart_server"}),
        ("do we have to restart the API?", {"restart_app"}),
        ("pgbouncer 要重启吗", {"restart_pooler"}),
        ("应用要重启吗", {"restart_app"}),
        ("restart the connector?", {"restart_connector"}),
        ("does the api see it?", set()),
    ],
)
def test_what_would_be_restarted_is_told_apart(words: str, kinds: set[str]) -> None:
    """A restart is of the server, a program, a pooler, a connector or a job."""
    assert restarted(words) == kinds


@for_each(
    ("said", "parts"),
    [
        (
            "is it safe to end it, and will orders come back at once?",
            ["is it safe to end it", "and will orders come back at once?"],
        ),
        ("现在能重启吗？还要等多久？", ["现在能重启吗？", "还要等多久？"]),
        ("能不能先停, 会丢数据吗", ["能不能先停", "会丢数据吗"]),
        ("we have two nodes, do both need it?", ["we have two nodes, do both need it?"]),
        ("could it be the disk, or can we rule that out?", ["could it be the disk, or can we rule that out?"]),
        ("是不是该建在 (shop_id, created_at) 上？", ["是不是该建在 (shop_id, created_at) 上？"]),
        ("nothing happened since.", []),
    ],
)
def test_each_question_of_a_message_stands_by_itself(said: str, parts: list[str]) -> None:
    """Sentences and clauses that ask each on their own are parted; what is told stays with its question."""
    assert asking_in(said) == parts


@for_each(
    ("words", "objects"),
    [
        ("drop the table??", True),
        ("who said anything about a failover?", True),
        ("谁说要删了？", True),
        ("你怎么又说网络？", True),
        ("did you even read it?", True),
        ("一会说有一会又说没有，到底有没有？", True),
        ("can i drop the table?", False),
        ("网络会不会有问题？", False),
    ],
)
def test_an_objection_wants_no_answer(words: str, objects: bool) -> None:
    """Words that only object to what was said have the look of a question, and are none."""
    assert protests(words) == objects


@for_each("said", ["is it gone? yes or no?", "能删吗？到底行不行？"])
def test_a_bare_yes_or_no_asks_nothing_of_its_own(said: str) -> None:
    """Who wants a yes or a no asks it of the question before."""
    assert len(asking_in(said)) == 1


OF_RESTART = CauseQuestion(
    ("要重启数据库吗",), ("does the database need a restart",), Text("不用，reload 就行。", "No, a reload will do.")
)


@for_each(
    ("words", "answered"),
    [
        ("do we have to restart the database?", True),
        ("do we have to restart the app servers?", False),
        ("how long does that take?", False),
        ("数据库要重启吗", True),
        ("应用要重启吗", False),
    ],
)
def test_an_answer_is_to_the_thing_and_the_form_asked(words: str, answered: bool) -> None:
    """Whether the database restarts answers neither whether programs do nor how long anything takes."""
    assert answers_of_cause(OF_RESTART, words) == answered


def plan_of(*steps: PlanStep) -> TurnPlan:
    return TurnPlan(steps, Language.EN, PlanSource.RULES)


@for_each(
    ("words", "topic", "stays"),
    [
        ("am i finished for tonight?", QuestionTopic.CLOSING, False),
        ("how do i close the case?", QuestionTopic.CLOSING, True),
        ("is that a problem for the others too?", QuestionTopic.URGENCY, False),
        ("how long till the disk is full?", QuestionTopic.URGENCY, True),
        ("which session is it?", QuestionTopic.OBJECT, True),
    ],
)
def test_no_answer_stands_that_is_to_another_form(words: str, topic: QuestionTopic, stays: bool) -> None:
    """What words were taken for by their sound gives way where its answer is none to what they want to know."""
    step = QuestionStep(QuestionKind.HELP, None, words, topic=topic)
    assert (step in with_fitting_answers(plan_of(step), words, VIEW).steps) == stays


def test_a_question_of_a_cause_in_another_form_gives_way() -> None:
    """A library's answer whether something is so is none to how long it takes."""
    cause = HypothesisView("RC-1", Text("甲", "A"), 0.9, questions=(OF_RESTART,))
    view = SessionView(hypotheses=(cause,))
    words = "how long is the database down for the restart?"
    step = QuestionStep(QuestionKind.HELP, Reference(id="RC-1"), words, topic=QuestionTopic.OF_CAUSE, cause_question=1)
    assert step not in with_fitting_answers(plan_of(step), words, view).steps


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("No, the idle one stays.", "The idle one stays."),
        ("不会，只影响新连接。", "只影响新连接。"),
        ("Nothing is lost.", "Nothing is lost."),
        ("会话一断就放锁。", "会话一断就放锁。"),
    ],
)
def test_a_verdict_that_nobody_asked_for_is_left_out(answer: str, rest: str) -> None:
    """Without its yes or no an answer begins with its reason; one that begins with none stays."""
    assert without_verdict(answer) == rest


def test_no_shipped_answer_is_only_a_verdict() -> None:
    """Of every shipped answer something is left without its yes or no, in both languages."""
    told = [text for each in known_answers().values() for text in (each.answer.en, each.answer.zh)]
    assert all(len(without_verdict(text)) > len(text) / 2 for text in told)
