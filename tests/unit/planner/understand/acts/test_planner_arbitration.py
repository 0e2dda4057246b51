"""Rules and a model: what a model may change at all, and what it leaves as it is."""

from __future__ import annotations

from typing import Any

import pytest

from services.chassis.llm import ScriptedModel
from services.planner.llm.understand import refine_plan, select_parts
from services.planner.llm.unread_parts import TRUST, part_of
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Item,
    ItemList,
    Language,
    ObservationStep,
    PlanSource,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Text,
    TurnPlan,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.treatment.case_talk import add_case_talk
from services.planner.understand.acts.labels import Label
from services.planner.understand.acts.likelihood import likely_label
from services.planner.understand.answers.plan_checks import mark_by_name
from services.planner.understand.questions.question_topics import give_topics
from services.planner.understand.read import read_message
from services.planner.understand.text.pasted_output import split_off_pastes
from services.planner.ways.planned import with_ways
from tests.unit.planner.plan_scoring import read_cases
from tests.unit.planner.understand.test_planner_cases import HERE

VIEW = SessionView(
    language=Language.EN,
    turn=2,
    pending=(
        Item(1, "P-0001", Text("写入或提交很慢", "Writes or commits are slow")),
        Item(2, "P-0002", Text("索引异常增大", "An index has grown")),
    ),
)
NO = FeedbackStep(Reference(ordinal=1, list=ItemList.PENDING), Verdict.DENIED, "1 no")


async def read_as(message: str, part: str, steps: tuple[PlanStep, ...], **row: Any) -> tuple[TurnPlan, int]:
    """The plan when the rules made `steps`, unsure of `part`, and a model reads it as `row`; with the model's calls."""
    model = ScriptedModel({"Reading": {"rows": [{"part": 1, "words": part, **row}]}})
    rules = TurnPlan(steps, Language.EN, PlanSource.RULES)
    plan, usage = await refine_plan(model, message, VIEW, rules, (part,))
    return plan, usage.calls


async def test_a_reading_that_is_never_said_so_is_not_taken() -> None:
    """What is many times likelier to be something else does not become what a model says."""
    part = "could it be the raid controller"
    likely = likely_label(part, VIEW)
    assert likely.of(Label.FACT) * TRUST < likely.share
    assert "observation" not in part_of(part, VIEW).may
    stated = (SuggestionStep("the raid controller"),)
    plan, _ = await read_as(part, part, stated, kind="talk")
    assert plan.steps == stated


async def test_talk_takes_the_place_of_a_fact_about_nothing() -> None:
    """An aside that the rules took for a fact is dropped; alone it is talk."""
    part = "let me fetch a coffee first"
    aside = ObservationStep(part)
    assert (await read_as(f"1 no, {part}", part, (NO, aside), kind="talk"))[0].steps == (NO,)
    alone = (await read_as(part, part, (aside,), kind="talk"))[0].steps
    assert alone == (SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE),)


async def test_a_fact_of_the_field_never_becomes_talk() -> None:
    """Words of the field are no talk, whatever a model says."""
    part = "the replica's replay lag is odd"
    assert "talk" not in part_of(part, VIEW).may
    plan, _ = await read_as(part, part, (ObservationStep(part),), kind="talk")
    assert plan.steps == (ObservationStep(part),)


async def test_what_the_rules_left_out_beside_an_answer_is_no_new_fact() -> None:
    """A clause that only tells more of an answer, or fills, stays out however a model reads it."""
    part = "took us ages to find"
    plan, _ = await read_as(f"1 no, {part}", part, (NO,), kind="observation")
    assert plan.steps == (NO,)


async def test_a_new_step_stands_where_it_was_said() -> None:
    """The order of a plan is the order of the message."""
    question, part = QuestionStep(QuestionKind.PROGRESS, text="where are we"), "the thing took ages to come up"
    plan, _ = await read_as(
        f"{part}. where are we",
        part,
        (SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE), question),
        kind="question",
        question="help",
    )
    assert [step.kind for step in plan.steps if isinstance(step, QuestionStep)][-1] is QuestionKind.PROGRESS


@pytest.mark.parametrize(
    "name", ["fresh", *(pytest.param(name, marks=pytest.mark.slow) for name in ("dev", "held_out"))]
)
async def test_a_model_that_has_nothing_to_change_is_not_asked(name: str) -> None:
    """It is asked about few messages, and about none where each part can only be what the rules made of it."""
    cases = read_cases(HERE / "cases" / f"{name}.jsonl")
    asked = 0
    for case in cases:
        said, _ = split_off_pastes(case.message)
        plan, unsure = read_message(said, VIEW) if said.strip() else (TurnPlan(), ())
        parts = select_parts(plan, unsure, said, VIEW)
        model = ScriptedModel({"Reading": {"rows": [{"part": n, "kind": "unclear"} for n in range(1, len(parts) + 1)]}})
        helped = await Planner(model).decide(VIEW, case.message)
        ruled = add_case_talk(give_topics(mark_by_name(plan), said, VIEW), said, case.message, VIEW)
        assert with_ways(ruled, said, case.message, VIEW).steps == helped.plan.steps
        assert len(model.asked) == (1 if parts else 0)
        asked += bool(parts)
    assert asked <= 0.3 * len(cases)


async def test_what_is_asked_back_becomes_no_fact() -> None:
    """Where the rules ask what was meant, a model makes no fact of it."""
    for part in ("' OR 1=1 --", "it took ages to come up", "the thing is full"):
        asked_back = (ClarifyStep(ClarifyKind.VAGUE, part),)
        plan, _ = await read_as(part, part, asked_back, kind="observation")
        assert plan.steps == asked_back
