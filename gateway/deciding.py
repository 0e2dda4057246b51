"""What the planner is asked for the next move, and its answer: dbdiag.planner.v1, as the gateway holds it."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.language import ModelUsage
from gateway.plan import SessionView, Tool, ToolOutcome, TurnPlan


@dataclass(frozen=True)
class DecideRequest:
    """Asks for the next move."""

    view: SessionView
    message: str
    plan: TurnPlan | None = None
    done: tuple[ToolOutcome, ...] = ()


@dataclass(frozen=True)
class ToolCall:
    """The next move is this tool."""

    tool: Tool


@dataclass(frozen=True)
class RespondCall:
    """The next move is to answer."""


@dataclass(frozen=True)
class Decision:
    """The plan and the next move."""

    plan: TurnPlan
    call: ToolCall | None = None
    respond: RespondCall | None = None
    usage: ModelUsage = ModelUsage()
