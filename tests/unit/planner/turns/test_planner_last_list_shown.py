"""Numbers count in the list that a person saw last, and figures of other kinds are no numbers of items."""

from __future__ import annotations

import pytest

from services.planner.model import (
    EvidenceView,
    FeedbackStep,
    Item,
    QuestionStep,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

LOCKS = EvidenceView("P-0021", Text("等锁", "Three or more sessions wait for locks"), Verdict.CONFIRMED, "x", 1)
SEEN = (
    Item(1, "P-0124", Text("写盘尖峰与检查点重合", "Disk write spikes coincide with checkpoints")),
    Item(2, "P-0128", Text("WAL 盘写延迟超过 20 ms", "WAL device write latency above 20 ms")),
    Item(3, "P-0087", Text("临时文件增长快", "Temp files grow fast")),
)
UNSEEN = (Item(1, "P-0123", Text("max_wal_size 不超过 1 GB", "max_wal_size 1 GB or less")),)


def case(pending: tuple[Item, ...], *answers: tuple[Item, ...]) -> SessionView:
    """A case in which the answers showed these lists, and these checks are open."""
    said = tuple(Utterance(Speaker.ASSISTANT, "…", items) for items in answers)
    return SessionView(turn=5, evidence=(LOCKS,), pending=pending, history=(Utterance(Speaker.USER, "slow"), *said))


async def plan_of(message: str, view: SessionView) -> TurnPlan:
    """The plan of a message in this case."""
    return (await Planner().decide(view, message)).plan


@pytest.mark.parametrize(("message", "verdict"), [("2 no", Verdict.DENIED), ("2 有，刚看的", Verdict.CONFIRMED)])
async def test_a_number_is_of_the_list_that_was_shown_last(message: str, verdict: Verdict) -> None:
    """What was asked since and never shown has no numbers."""
    for pending in (UNSEEN, ()):
        plan = await plan_of(message, case(pending, SEEN, ()))
        said = [(step.reference.id, step.verdict) for step in plan.steps if isinstance(step, FeedbackStep)]
        assert said == [("P-0128", verdict)]


async def test_a_sheet_of_answers_is_of_the_list_that_was_shown_last() -> None:
    """Several numbers at once are of it as well."""
    plan = await plan_of("1 no 2 yes", case(SEEN[::-1], SEEN, ()))
    said = [(step.reference.id, step.verdict) for step in plan.steps if isinstance(step, FeedbackStep)]
    assert said == [("P-0124", Verdict.DENIED), ("P-0128", Verdict.CONFIRMED)]


@pytest.mark.parametrize("message", ["how do i check 1", "1 怎么看"])
async def test_how_to_check_a_number_is_of_the_list_that_was_shown_last(message: str) -> None:
    """The same holds for a question by number."""
    plan = await plan_of(message, case(UNSEEN, SEEN, ()))
    subjects = [step.subject for step in plan.steps if isinstance(step, QuestionStep)]
    assert [subject.id for subject in subjects if subject] == ["P-0124"]


@for_each(
    "message",
    ["2 of 7 sounds like nothing", "only 1 out of 9 tickets has it", "3 除以 400 没多少", "跑了半天，最后还是报出来了"],
)
async def test_a_share_a_sum_and_an_end_point_at_no_item(message: str) -> None:
    """ "2 of 7" is a share, "3 除以 400" a sum, and 最后 before a verb tells when."""
    plan = await plan_of(message, case(SEEN, SEEN))
    assert not [step for step in plan.steps if isinstance(step, FeedbackStep)]


async def test_the_last_item_is_still_pointed_at() -> None:
    """With a verdict, or as "the last one", the last item is meant."""
    for message in ("最后没有", "最后一个没有", "last one no"):
        plan = await plan_of(message, case(SEEN, SEEN))
        said = [(step.reference.ordinal, step.verdict) for step in plan.steps if isinstance(step, FeedbackStep)]
        assert said == [(3, Verdict.DENIED)]
