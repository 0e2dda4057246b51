"""Questions of a cause: read by the wordings of any library, and put into the plan beside what else a message says."""

from __future__ import annotations

import pytest

from services.planner.model import (
    CauseQuestion,
    EvidenceView,
    FeedbackStep,
    Group,
    HypothesisView,
    Item,
    Language,
    ObservationStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    SuggestionStep,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.questions_asked import placing
from services.planner.questions_asked.cause_reader import find_cause_question
from services.planner.questions_asked.of_causes import LIKELY, with_cause_questions
from services.planner.training.places import digest_places
from tests.support.cases import for_each

# A library of somebody else's: no model has learned any of it.
PAPER = (
    CauseQuestion(
        ("打到一半的文件会丢吗", "排队的任务还在吗", "缺纸会不会把任务弄没"),
        ("is my half printed file lost", "do the waiting jobs survive", "will i have to send it again"),
        Text("不会，加纸后接着打。", "No, it goes on where it stopped once there is paper."),
    ),
    CauseQuestion(
        ("加纸要先关机吗", "要不要重启打印机", "开着就能加吗"),
        ("must i switch it off to refill", "does it need a restart after that", "can i add paper while it is on"),
        Text("不用，开着加就行。", "No, refill it while it is on."),
    ),
    CauseQuestion(
        ("谁负责加纸", "该找谁", "这是谁的活"),
        ("who is in charge of the paper", "whose job is that", "whom do i ask for more"),
        Text("写在机器边上的名字。", "Whoever is named on the note beside it."),
    ),
)
CAUSE = HypothesisView("RC-0901", Text("没有人负责加纸", "Nobody is in charge of the paper"), 0.8, PAPER)
SEEN = EvidenceView("P-0901", Text("打印机没纸", "The printer has no paper"), Verdict.CONFIRMED, "no paper", 1)


def view(*causes: HypothesisView, pending: tuple[Item, ...] = ()) -> SessionView:
    """A session in which the causes lead."""
    last = Utterance(Speaker.ASSISTANT, "**Nobody is in charge of the paper** 80 %.")
    return SessionView(Language.EN, 3, pending, evidence=(SEEN,), hypotheses=causes or (CAUSE,), history=(last,))


def of_causes(plan: TurnPlan) -> list[tuple[str | None, int]]:
    """The causes and places of the questions of causes in a plan."""
    steps = [step for step in plan.steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.OF_CAUSE]
    return [(step.subject.id if step.subject else None, step.cause_question) for step in steps]


@for_each(
    ("words", "at"),
    [
        ("do i have to send the jobs again?", 0),
        ("is the file that was half printed lost now", 0),
        ("排队的那些任务会丢吗", 0),
        ("does the printer need a restart?", 1),
        ("加完纸要不要重启", 1),
        ("whose job would that be?", 2),
        ("加纸这活该找谁", 2),
    ],
)
def test_other_words_are_read_by_the_wordings_alone(words: str, at: int) -> None:
    """A question is found in words of another person, in either language."""
    found = find_cause_question(words, PAPER)
    assert found is not None
    assert found.at == at
    assert found.probability >= LIKELY


@for_each(
    "words",
    [
        "how sure are you",
        "the tray holds 500 sheets",
        "what now?",
        "有多大把握",
        "三楼那台也没纸",
        "what does toner mean",
        "yes",
    ],
)
def test_what_asks_none_of_them_is_none(words: str) -> None:
    """What is told, and what is asked of the case, is no question of the cause."""
    found = find_cause_question(words, PAPER)
    assert found is not None
    assert found.probability < LIKELY


def test_a_cause_without_questions_is_asked_none() -> None:
    """A library need not have them."""
    assert find_cause_question("will it come back?", ()) is None
    plan = TurnPlan((QuestionStep(QuestionKind.HELP, text="will it come back?"),))
    assert with_cause_questions(plan, "will it come back?", view(HypothesisView("RC-1", Text("甲", "a"), 0.8))) == plan


async def test_a_question_of_the_leading_cause_is_in_the_plan() -> None:
    """By its cause and its place, from 1; nothing else was read in its words."""
    plan = (await Planner().decide(view(), "does the printer need a restart after that?")).plan
    assert of_causes(plan) == [("RC-0901", 2)]
    assert len(plan.steps) == 1


async def test_two_questions_of_a_message_are_both_there() -> None:
    """Each sentence asks its own."""
    asked = "does it need a restart after that? and whose job is that?"
    assert of_causes((await Planner().decide(view(), asked)).plan) == [("RC-0901", 2), ("RC-0901", 3)]


def test_what_is_told_and_answered_stays() -> None:
    """Facts and answers in the words that ask are kept beside the question."""
    said = "yes, and does it need a restart after that?"
    told = FeedbackStep(Reference(ordinal=1), Verdict.CONFIRMED, "yes"), ObservationStep(said)
    plan = with_cause_questions(TurnPlan((*told, QuestionStep(QuestionKind.PROGRESS, text=said))), said, view())
    assert plan.steps[:2] == told
    assert of_causes(plan) == [("RC-0901", 2)]
    assert len(plan.steps) == 3


@pytest.mark.parametrize(
    "step",
    [
        QuestionStep(QuestionKind.HELP, Reference(ordinal=2), "must i switch it off to refill 2?"),
        QuestionStep(QuestionKind.REASONING, Reference(id="P-0901"), "must i switch it off to refill 2?"),
    ],
)
def test_what_points_at_an_item_is_not_taken_for_it(step: QuestionStep) -> None:
    """A request that was parsed stays, however near its words are."""
    plan = TurnPlan((step,))
    assert with_cause_questions(plan, step.text, view()) == plan


def test_of_two_causes_the_likelier_one_is_meant() -> None:
    """Both answer the same question: the answer is that of the one that leads."""
    behind = HypothesisView("RC-0902", Text("乙", "another"), 0.3, PAPER)
    first = HypothesisView("RC-0901", CAUSE.name, 0.6, PAPER)
    plan = with_cause_questions(TurnPlan(()), "whose job is that?", view(first, behind))
    assert of_causes(plan) == [("RC-0901", 3)]


def test_the_shipped_places_are_those_of_the_wordings() -> None:
    """What the file was learned from is what is there."""
    assert placing.shipped().digest == digest_places(), "run make train"


@pytest.mark.parametrize(
    ("one", "other", "else_"),
    [
        ("will it come back?", "is that going to happen again tomorrow", "does it need a restart"),
        ("要不要重启才生效", "does it need a restart", "会不会再犯"),
    ],
)
def test_the_same_question_lies_near_in_other_words(one: str, other: str, else_: str) -> None:
    """Nearer than another question, also over languages."""
    place = placing.shipped().place
    assert place(one) @ place(other) > place(one) @ place(else_) + 0.2


async def test_what_points_at_nothing_listed_is_asked_of_the_cause() -> None:
    """ "It" of what was just seen is the cause's where its library surely answers that, and no check's."""
    asked = QuestionStep(QuestionKind.REASONING, Reference(group=Group.JUST_MENTIONED), "whose job is that")
    plan = with_cause_questions(TurnPlan((asked,)), "whose job is that?", view())
    assert of_causes(plan) == [("RC-0901", 3)]


def test_a_suspicion_that_the_library_surely_answers_is_answered() -> None:
    """Another explanation for which the leading cause has an answer is told by that, and is no hint to rank by."""
    said = "whose job is that?"
    plan = with_cause_questions(TurnPlan((SuggestionStep("whose job is that"),)), said, view())
    assert of_causes(plan) == [("RC-0901", 3)]


def test_what_is_asked_beside_it_of_another_act_stays() -> None:
    """Of two questions that were read as one, that which the library does not answer is asked of its own act."""
    words = "要不要先删掉旧任务? 缺纸会不会把任务弄没?"
    read = QuestionStep(QuestionKind.HELP, None, words, topic=QuestionTopic.RISK, action="restart")
    plan = with_cause_questions(TurnPlan((read,)), words, view())
    assert of_causes(plan) == [("RC-0901", 1)]
    left = [step for step in plan.steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RISK]
    assert [each.text for each in left] == ["要不要先删掉旧任务?"]


@for_each(
    ("words", "topic", "action"),
    [
        ("加完纸以后打印机要不要重启", QuestionTopic.RISK, "set_parameter"),
        ("does the printer need a restart", QuestionTopic.EFFECT, "set_parameter"),
        ("那些还排着队的任务会不会没了", QuestionTopic.REMAINING, ""),
    ],
)
def test_the_library_answers_what_is_likely_asked_of_it(words: str, topic: QuestionTopic, action: str) -> None:
    """What a library answers goes before what is read of an effect, of what is left, or of an act and a restart."""
    read = QuestionStep(QuestionKind.HELP, None, words, topic=topic, action=action)
    assert len(of_causes(with_cause_questions(TurnPlan((read,)), words, view()))) == 1


@pytest.mark.parametrize(
    "said",
    ["先去吃口饭 一宿没合眼 …… 那下一步先看哪个", "昨晚值班到三点 困死了 接下来先查哪一个"],
)
async def test_what_is_asked_of_the_case_beside_the_day_is_answered(said: str) -> None:
    """Who tells of the day and asks what to look at next is told that, and not that it is none of our business."""
    plan = (await Planner().decide(view(), said)).plan
    assert [step.kind for step in plan.steps if isinstance(step, QuestionStep)] == [QuestionKind.PROGRESS]
