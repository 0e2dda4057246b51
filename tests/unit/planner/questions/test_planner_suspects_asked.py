"""Questions whether something is the cause: what they point at, and that it is no treatment."""

from __future__ import annotations

from services.planner.model import (
    EvidenceView,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

SLOW = EvidenceView("P-0001", Text("全都慢", "Everything is slow"), Verdict.CONFIRMED, "all slow", 1)


async def plan_of(message: str, *before: str) -> TurnPlan:
    """The plan of a message in a case in which these were said."""
    history = tuple(Utterance(Speaker.USER, each) for each in before)
    return (await Planner().decide(SessionView(turn=2, evidence=(SLOW,), history=history), message)).plan


def pointed_at(plan: TurnPlan) -> str:
    """What the question whether it is that is about."""
    asked = [each for each in plan.steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RELATED]
    return (asked[0].subject.words or "") if asked and asked[0].subject is not None else ""


@for_each(
    ("message", "meant"),
    [
        ("the archive script ran at noon. has that anything to do with it?", "archive script"),
        (
            "support cleaned up 9 million events at four in one statement. the app looked fine. is that why?",
            "9 million",
        ),
        ("中午跑过一次归档脚本。跟这次变慢有没有关系？", "归档脚本"),
        ("运维四点钟一条语句清了九百万条流水。应用那边看着正常。这个有关系吗？", "九百万"),
    ],
)
async def test_a_question_that_only_points_is_of_what_was_told_before_it(message: str, meant: str) -> None:
    """ "Is that why?" is of the sentences before it, also where the last of them tells something else."""
    assert meant in pointed_at(await plan_of(message))


@for_each(
    ("before", "message", "meant"),
    [
        ("a backfill wrote 20 million rows at six", "so was the backfill the cause?", "20 million"),
        ("六点有个回填作业写了两千万行", "你没回答，那个回填作业是不是原因？", "两千万"),
    ],
)
async def test_a_thing_that_is_named_again_is_meant_as_it_was_told(before: str, message: str, meant: str) -> None:
    """A question of something that was told before carries what was told of it."""
    assert meant in pointed_at(await plan_of(message, before))


@for_each(
    "message",
    [
        "they deleted 4 million rows at three in one go. could that be it?",
        "他们三点一条语句删了四百万行。跟这个有关吗？",
    ],
)
async def test_what_is_asked_to_be_the_cause_is_no_treatment(message: str) -> None:
    """A deed of which it is asked whether it began the trouble is not kept as something done against it."""
    plan = await plan_of(message)
    assert not plan.treatments
    assert all(getattr(each, "topic", None) is not QuestionTopic.TREATED for each in plan.steps)


@for_each("message", ["we purged 4 million rows from the log table. still slow", "我把日志表的四百万行删了，还是慢"])
async def test_what_is_only_told_stays_a_treatment(message: str) -> None:
    """A deed that nobody asks about is one."""
    assert (await plan_of(message)).treatments


@for_each("message", ["is it safe to end 4711?", "was it the leak?", "is that the same lock?", "杀 4711 安全吗"])
async def test_other_questions_ask_no_verdict_on_what_was_told(message: str) -> None:
    """Leave, how sure it is, and whether it is the same are asked as before."""
    assert not pointed_at(await plan_of(message, "we shipped a release at noon"))
