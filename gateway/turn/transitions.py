"""The transitions of a turn: a pure function from the plan and the outcomes so far to the next tool or None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbdiag.planner.v1.planner_types import (
    CorrectionStep,
    FeedbackStep,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    ResetStep,
    SuggestionStep,
    Tool,
    TurnPlan,
)

from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_QUERIES = {
    QuestionKind.PROGRESS: Tool.QUERY_PROGRESS,
    QuestionKind.HYPOTHESES: Tool.QUERY_HYPOTHESES,
    QuestionKind.RELATIONS: Tool.QUERY_RELATIONS,
    QuestionKind.HISTORY: Tool.SHOW_HISTORY,
    QuestionKind.REASONING: Tool.EXPLAIN_REASONING,
    QuestionKind.WHAT_IF: Tool.WHAT_IF,
}
# "What can you do" is about the assistant; "what should I do" is about the case.
_OF_ASSISTANT = _LISTED.pattern("of_assistant")


@dataclass(frozen=True)
class ToolOutcome:
    """The outcome of a tool. needs_clarification: nothing was recorded and a clarification is open."""

    tool: Tool
    failed: bool = False
    needs_clarification: bool = False
    evidence_changed: bool = False


@dataclass(frozen=True)
class Standing:
    """The state of a session: active evidence, evaluated beliefs, a conclusion."""

    evidence: bool = False
    evaluated: bool = False
    concluded: bool = False
    # The message says more than answers by reference.
    unread: bool = False


def next_tool(plan: TurnPlan, standing: Standing, done: Sequence[ToolOutcome]) -> Tool | None:
    """The next tool: match words, investigate, diagnose, then one query per question; each runs once, failed or not."""
    used = {outcome.tool for outcome in done}
    if Tool.MATCH_PHENOMENA not in used and (standing.unread or any(_has_words(step) for step in plan.steps)):
        return Tool.MATCH_PHENOMENA
    if Tool.COLLECT_EVIDENCE not in used and any(_looks(step) for step in plan.steps):
        return Tool.COLLECT_EVIDENCE
    if Tool.DIAGNOSE not in used and _diagnoses(plan, standing, done):
        return Tool.DIAGNOSE
    queries = (_QUERIES.get(step.kind) for step in plan.steps if isinstance(step, QuestionStep) and step.kind)
    return next((tool for tool in queries if tool is not None and tool not in used), None)


def _has_words(step: PlanStep) -> bool:
    match step:
        case ObservationStep() | SuggestionStep():
            return True
        case CorrectionStep(original=original, words=words):
            return words is not None or original.words is not None
    return False


def _looks(step: PlanStep) -> bool:
    return isinstance(step, LookStep) and not step.declined


def _diagnoses(plan: TurnPlan, standing: Standing, done: Sequence[ToolOutcome]) -> bool:
    """True if the evidence needs evaluation: it changed, a suspicion steers it, or it was never evaluated."""
    if any(outcome.evidence_changed for outcome in done):
        return True
    if any(outcome.tool is Tool.COLLECT_EVIDENCE and not outcome.failed for outcome in done):
        return True
    if any(isinstance(step, SuggestionStep) for step in plan.steps):
        return True
    if standing.evidence and not standing.concluded and plan.limits:
        return True  # What can be checked is another now.
    if standing.evidence and not standing.concluded and any(_asks_what_to_do(step) for step in plan.steps):
        return True
    if any(isinstance(step, ResetStep) for step in plan.steps):
        return _records(plan) and not any(outcome.needs_clarification for outcome in done)
    return _records(plan) or (standing.evidence and not standing.evaluated)


def _asks_what_to_do(step: PlanStep) -> bool:
    """True if it asks for advice on this case, not how to check an item or what the assistant can do."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP:
        return False
    return step.subject is None and not is_of_assistant(step.text)


def is_of_assistant(text: str) -> bool:
    """True if words ask about the assistant, and not about the case."""
    return _OF_ASSISTANT.search(text.lower()) is not None


def _records(plan: TurnPlan) -> bool:
    """True if the plan changes the evidence without a tool: answers and corrections by reference."""
    return any(
        isinstance(step, FeedbackStep) or (isinstance(step, CorrectionStep) and not _has_words(step))
        for step in plan.steps
    )
