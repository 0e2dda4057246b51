"""What only sounds like a question of the whole case is none: a report, a complaint, a word within another."""

from __future__ import annotations

from services.planner.model import EvidenceView, Language, QuestionStep, QuestionTopic, SessionView, Text, Verdict
from services.planner.planner import Planner
from tests.support.cases import for_each

SEEN = EvidenceView("P-0024", Text("会话空闲", "Sessions idle"), Verdict.CONFIRMED, "x", 1)


@for_each(
    ("said", "topic"),
    [
        ("发那么多工单干啥，看着就烦。昨晚订单服务发过版", QuestionTopic.SUMMARY),
        ("顺序该怎么改？我好给研发讲", QuestionTopic.SUMMARY),
        ("还有，我说的几个小时一次不对，其实是每天两点，小时数我记错了", QuestionTopic.URGENCY),
        ("reports are capped now. what do i change so the server doesnt die over night?", QuestionTopic.URGENCY),
        ("我们的备库还是异步的，跟这个有什么关系？", QuestionTopic.RUNNING),
        ("so do i run that ALTER SYSTEM now?", QuestionTopic.MEANING),
    ],
)
async def test_words_that_sound_like_a_topic_are_not_answered_by_it(said: str, topic: QuestionTopic) -> None:
    """A report, a complaint or a part of a word asks for no summary, no urgency, no place to run and no lecture."""
    view = SessionView(turn=3, language=Language.EN, evidence=(SEEN,))
    steps = (await Planner().decide(view, said)).plan.steps
    assert topic not in [each.topic for each in steps if isinstance(each, QuestionStep)]


@for_each(
    ("said", "topic"),
    [
        ("nothing changed so far. write a short summary for my manager", QuestionTopic.SUMMARY),
        ("还没动。给我写两句总结，要发给领导", QuestionTopic.SUMMARY),
        ("still rising. how long until it's full?", QuestionTopic.URGENCY),
        ("这个在主库跑还是在备库跑？", QuestionTopic.RUNNING),
    ],
)
async def test_what_is_asked_of_the_whole_case_is_still_heard(said: str, topic: QuestionTopic) -> None:
    """An order for a summary, and questions of the time left and of where to run something, keep their answers."""
    view = SessionView(turn=3, language=Language.EN, evidence=(SEEN,))
    steps = (await Planner().decide(view, said)).plan.steps
    assert topic in [each.topic for each in steps if isinstance(each, QuestionStep)]


async def test_a_cause_of_the_case_is_asked_about_and_not_the_field() -> None:
    """Who wonders why something on record is named again asks of the record, not how autovacuum works in general."""
    off = EvidenceView("P-0064", Text("autovacuum 被关闭", "Autovacuum is switched off"), Verdict.DENIED, "x", 1)
    view = SessionView(turn=3, language=Language.ZH, evidence=(off,))
    steps = (await Planner().decide(view, "autovacuum被关闭早就不成立了，怎么还在上面？没道理啊")).plan.steps
    assert QuestionTopic.MEANING not in [each.topic for each in steps if isinstance(each, QuestionStep)]
