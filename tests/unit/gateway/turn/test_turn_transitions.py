"""What comes next, as a table."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    Group,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    ResetStep,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    Tool,
    TurnPlan,
    Verdict,
)

from gateway.turn.transitions import Standing, ToolOutcome, next_tool
from tests.support.cases import for_each

NEW = Standing()
RUNNING = Standing(evidence=True, evaluated=True)
UNDIAGNOSED = Standing(evidence=True)
CONCLUDED = Standing(evidence=True, evaluated=True, concluded=True)
FACT = ObservationStep("IO is high")
ANSWER = FeedbackStep(Reference(ordinal=1), Verdict.CONFIRMED, "1 yes")
UNDO = CorrectionStep(Reference(group=Group.LAST_TURN), retract=True)
REWORDED = CorrectionStep(Reference(words="IO is fine"), words="IO is high")
ASK_BACK = ClarifyStep(ClarifyKind.VAGUE, "it is slow")
LOOK, NO_LOOK = LookStep(words="look yourself"), LookStep(declined=True)
TALK = SmalltalkStep(SmalltalkKind.THANKS)
ADVICE = QuestionStep(QuestionKind.HELP, text="what should I do")
ABILITIES = QuestionStep(QuestionKind.HELP, text="what can you do")
HOW_TO_LOOK = QuestionStep(QuestionKind.HELP, Reference(ordinal=2), "how do I check 2")
MATCH, DIAGNOSE, COLLECT = Tool.MATCH_PHENOMENA, Tool.DIAGNOSE, Tool.COLLECT_EVIDENCE


def question(kind: QuestionKind) -> QuestionStep:
    return QuestionStep(kind, text="?")


@for_each(
    ("steps", "standing", "tools"),
    [
        ([FACT], NEW, [MATCH, DIAGNOSE]),
        ([LOOK], NEW, [COLLECT, DIAGNOSE]),
        ([ANSWER, FACT, LOOK], RUNNING, [MATCH, COLLECT, DIAGNOSE]),
        ([NO_LOOK], RUNNING, []),
        ([ANSWER], RUNNING, [DIAGNOSE]),
        ([ANSWER, FACT], RUNNING, [MATCH, DIAGNOSE]),
        ([UNDO], RUNNING, [DIAGNOSE]),
        ([REWORDED], RUNNING, [MATCH, DIAGNOSE]),
        ([SuggestionStep("the disk")], RUNNING, [MATCH, DIAGNOSE]),
        ([ASK_BACK], NEW, []),
        ([TALK], RUNNING, []),
        ([ResetStep()], RUNNING, []),
        ([TALK], UNDIAGNOSED, [DIAGNOSE]),
        ([question(QuestionKind.PROGRESS)], RUNNING, [Tool.QUERY_PROGRESS]),
        ([question(QuestionKind.HYPOTHESES)], NEW, [Tool.QUERY_HYPOTHESES]),
        ([question(QuestionKind.RELATIONS)], RUNNING, [Tool.QUERY_RELATIONS]),
        ([question(QuestionKind.HISTORY)], RUNNING, [Tool.SHOW_HISTORY]),
        ([question(QuestionKind.REASONING)], RUNNING, [Tool.EXPLAIN_REASONING]),
        ([question(QuestionKind.WHAT_IF)], RUNNING, [Tool.WHAT_IF]),
        ([question(QuestionKind.DATA)], RUNNING, []),
        ([ADVICE], RUNNING, [DIAGNOSE]),
        ([ADVICE], CONCLUDED, []),
        ([ADVICE], NEW, []),
        ([ABILITIES], RUNNING, []),
        ([HOW_TO_LOOK], RUNNING, []),
        (
            [FACT, question(QuestionKind.REASONING), question(QuestionKind.PROGRESS)],
            RUNNING,
            [MATCH, DIAGNOSE, Tool.EXPLAIN_REASONING, Tool.QUERY_PROGRESS],
        ),
    ],
)
def test_the_tools_of_a_turn_follow_from_its_plan(steps: list[PlanStep], standing: Standing, tools: list[Tool]) -> None:
    """Words are matched, changed evidence is diagnosed, each question is looked up once, then comes the answer."""
    done: list[ToolOutcome] = []
    while (tool := next_tool(TurnPlan(tuple(steps)), standing, done)) is not None:
        done.append(ToolOutcome(tool, evidence_changed=tool is MATCH))
    assert [outcome.tool for outcome in done] == tools


@for_each("failing", list(Tool))
def test_a_failed_tool_is_not_called_again_and_the_others_go_on(failing: Tool) -> None:
    """Whatever fails, every other tool of the turn still runs, each once."""
    plan = TurnPlan((FACT, ANSWER, LOOK, *(question(kind) for kind in list(QuestionKind)[:6])))
    done: list[ToolOutcome] = []
    while (tool := next_tool(plan, RUNNING, done)) is not None:
        done.append(ToolOutcome(tool, failed=tool is failing, evidence_changed=tool is MATCH is not failing))
    assert sorted(outcome.tool for outcome in done) == sorted(list(Tool))


def test_a_look_that_failed_and_brought_nothing_is_not_diagnosed() -> None:
    """What could not be looked at changes no belief; what came before it failed does."""
    failed = ToolOutcome(COLLECT, failed=True)
    assert next_tool(TurnPlan((LOOK,)), NEW, [failed]) is None
    assert next_tool(TurnPlan((LOOK,)), NEW, [ToolOutcome(COLLECT, failed=True, evidence_changed=True)]) is DIAGNOSE


def test_what_is_only_unclear_is_not_diagnosed() -> None:
    """Words that need clarifying and recorded nothing lead straight to the question back."""
    matched = ToolOutcome(MATCH, needs_clarification=True)
    assert next_tool(TurnPlan((FACT,)), RUNNING, [matched]) is None
