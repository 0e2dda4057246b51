"""The trouble is over, or a step done, only where the person plainly says so; a denial undoes what was believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    Aftermath,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Utterance,
)
from services.planner.planner import Planner
from tests.support.cases import for_each
from tests.unit.planner.turns.test_planner_deeds import plan_of, topics_of, view

CONCLUDED = view(status=Status.CONCLUDED)
BELIEVED = replace(CONCLUDED, aftermath=Aftermath.WELL)
RELIEF = "Relief first: `SELECT pg_cancel_backend(31877);`"
# What sounds like good news in one of its words, and tells none.
NO_NEWS = [
    "ok hold on, one more thing",
    "the sort spill is just cause 3M rows got in there",
    "help me fix it",
    "i need to get it back to normal by 6",
    "please clear that up",
    "磁盘很快就满了",
    "怎么才能恢复正常",
    "who said it recovered",
    "谁说好了",
]
BAD_NOW = [
    "selects are back, but the whole machine is maxed now",
    "锁没了 好像好了，不过现在 CPU 很高",
]
STILL_BAD = [
    "what? NOTHING is fixed, its still dead!!",
    "NOTHING is good, i havent done anything yet. still crap right now",
    "but recovered?? NOTHING recovered, the vacuum removed 0 rows, its still 6 sec. how sure r u its her session",
    "its not fixed at all, no idea who told you that. what do i do now, analyze on prod?",
    "没好啊，谁说好了",
    "根本没恢复，还是很慢，我这边报表一直出不来，业务都在催，到底怎么办",
    "一点都没好转",
]
NOTHING_DONE = [
    "why are 1 and 2 left out?? i have done NOTHING yet. and prod isnt a table",
    "steps 1 2 3 are NOT done, i told you i did nothing. what value for a 60gb load?",
    "1 和 2 都还没做",
    "我什么都没做呢",
    "我啥都还没干",
    "i haven't done any of the steps yet",
]


@for_each("message", NO_NEWS)
@for_each("seen", [CONCLUDED, view()])
async def test_a_word_that_sounds_like_good_news_is_none(message: str, seen: SessionView) -> None:
    """Another form of a word, a wish, a need, a doubt or a worse outlook tells no recovery."""
    plan = await plan_of(message, seen)
    assert plan.aftermath is not Aftermath.WELL
    assert QuestionTopic.RECOVERED not in topics_of(plan)


@pytest.mark.parametrize("message", BAD_NOW)
async def test_what_is_bad_now_speaks_against_good_news_beside_it(message: str) -> None:
    """A message that says that something is bad now does not tell that all is over."""
    assert (await plan_of(message, CONCLUDED)).aftermath is not Aftermath.WELL


@for_each("message", STILL_BAD)
async def test_bad_news_takes_back_a_recovery_that_was_believed(message: str) -> None:
    """Who says that nothing is better, at any length, is told that the recovery is off the record."""
    plan = await plan_of(message, BELIEVED)
    assert plan.aftermath is Aftermath.UNCHANGED
    assert QuestionTopic.UNTREATED in topics_of(plan)
    assert QuestionTopic.RECOVERED not in topics_of(plan)


@for_each("message", NOTHING_DONE)
async def test_a_denial_of_all_steps_is_heard_though_none_is_on_record(message: str) -> None:
    """Who has done nothing yet is told that no step counts, and what was believed to be over is not."""
    plan = await plan_of(message, BELIEVED)
    assert plan.aftermath is Aftermath.UNCHANGED
    assert QuestionTopic.UNTREATED in topics_of(plan)
    assert not [step for step in plan.steps if isinstance(step, FeedbackStep | CorrectionStep | ClarifyStep)]


@pytest.mark.parametrize("words", ["ran it:", "跑了:"])
async def test_what_was_run_is_what_was_pasted(words: str) -> None:
    """Whose words that it was run stand beside an output ran the statement that gave it, and no step."""
    pasted = "  pid  | pg_blocking_pids | wait_event\n 31877 | {20411}          | relation\n"
    history = (Utterance(Speaker.USER, "how do i see who it waits for"), Utterance(Speaker.ASSISTANT, RELIEF))
    plan = (await Planner().decide(replace(CONCLUDED, history=history), f"{words}\n{pasted}")).plan
    assert not plan.treatments


async def test_trouble_told_before_a_step_is_no_outcome_of_it() -> None:
    """How it is since a step is told in its clause or after it, never before."""
    told = "coffee machine broke too, still slow. ran vacuum by hand"
    assert (await plan_of(told, view())).aftermath is None
    assert (await plan_of("ran vacuum by hand, still slow", view())).aftermath is Aftermath.UNCHANGED


@for_each("message", ["all good now", "it's back to normal", "恢复了", "现在正常了", "i restarted it, works again"])
async def test_plain_good_news_is_heard(message: str) -> None:
    """Who plainly says that it is over is believed."""
    assert (await plan_of(message, CONCLUDED)).aftermath is Aftermath.WELL
