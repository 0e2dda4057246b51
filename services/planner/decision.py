"""The next move of a turn: a tool the gateway is to run, what came of the ones before, and what a model's help cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from services.planner.model import TurnPlan


class Tool(IntEnum):
    """What the gateway can run."""

    UNSPECIFIED = 0
    MATCH_PHENOMENA = 1
    DIAGNOSE = 2
    QUERY_PROGRESS = 3
    QUERY_HYPOTHESES = 4
    QUERY_RELATIONS = 5
    SHOW_HISTORY = 6
    EXPLAIN_REASONING = 7
    WHAT_IF = 8
    COLLECT_EVIDENCE = 9


@dataclass(frozen=True)
class ToolOutcome:
    """What a tool of this turn came to."""

    tool: Tool = Tool.UNSPECIFIED
    failed: bool = False
    needs_clarification: bool = False
    evidence_changed: bool = False


@dataclass(frozen=True)
class ModelUsage:
    """Calls and tokens of the language model; why the rules answered in its place, or empty."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fallback_reason: str = ""


NO_MODEL = ModelUsage()


@dataclass(frozen=True)
class Decision:
    """The plan and the next move: one tool, or None to respond."""

    plan: TurnPlan
    tool: Tool | None
    usage: ModelUsage = NO_MODEL
