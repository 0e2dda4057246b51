"""That a look cannot be run is said of the look, and of nothing else."""

from __future__ import annotations

import pytest

from services.planner.model import (
    FeedbackStep,
    Item,
    Language,
    PlanSource,
    QuestionKind,
    QuestionStep,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Text,
    TurnPlan,
    Verdict,
)
from services.planner.understand.answers.look_refused import with_look_refused

CHECK = Item(1, "P-0015", Text("重启之后开始", "Began right after restart"))


def refused(words: str, phenomenon_id: str) -> TurnPlan:
    """A plan that says of a check that it cannot be run."""
    step = FeedbackStep(Reference(id=phenomenon_id), Verdict.UNKNOWN, words)
    return TurnPlan((step,), Language.EN, PlanSource.RULES)


@pytest.mark.parametrize("words", ["can't run that", "这个我跑不了"])
def test_a_refusal_without_a_name_is_of_the_look(words: str) -> None:
    """No check is answered by it; the next one is asked for."""
    plan = with_look_refused(refused(words, CHECK.phenomenon_id), SessionView(pending=(CHECK,), look_shown=True))
    assert SmalltalkStep(SmalltalkKind.NOT_LOOKED) in plan.steps
    assert QuestionStep(QuestionKind.PROGRESS, text=words) in plan.steps
    assert not any(isinstance(step, FeedbackStep) for step in plan.steps)


@pytest.mark.parametrize("view", [SessionView(look_shown=True), SessionView(pending=(CHECK,))])
def test_a_refusal_of_another_check_stays(view: SessionView) -> None:
    """What is said of a check that no list has, or where no look waits, stays as it is."""
    plan = refused("can't run that", "P-0044")
    assert with_look_refused(plan, view) == plan
