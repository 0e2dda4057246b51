"""One turn: understand, let tools work, collect what came of it. The planner decides, this file does.

A tool that fails is recorded and never takes the others with it; what was recorded before stays recorded.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from gateway import asking, queries
from gateway.apply import apply_plan
from gateway.catalog import Catalogs
from gateway.clients import Services
from gateway.deciding import DecideRequest, Decision, ToolCall
from gateway.diagnose_tool import diagnose
from gateway.language import Language
from gateway.live_targets import LiveTargets
from gateway.look_tool import Looking, collect_evidence, offer_to_look
from gateway.match_tool import match_phenomena
from gateway.plan import Tool
from gateway.results import ToolFailure
from gateway.session import Session, view_of
from gateway.settings import GatewaySettings
from gateway.turn import Turn
from services.chassis.errors import DbdiagError


class Progress(Protocol):
    """Hears a turn while it runs."""

    def __call__(self, step: str, note: str = "") -> None:
        """A step begins; with a note, what a step that takes long is at."""


class StepBudgetSpent(DbdiagError):
    """The planner asked for more tools than one turn may use."""

    default_reason = "step_budget_spent"


class Loop:
    """Runs turns against the services. Holds no state of a conversation."""

    def __init__(self, services: Services, catalogs: Catalogs, settings: GatewaySettings) -> None:
        self._services = services
        self._catalogs = catalogs
        self._settings = settings
        self.targets = LiveTargets(services.collector, time.monotonic)
        self._looking = Looking(services.collector, services.engine, self.targets, settings)
        self._tools: dict[Tool, Callable[[Turn], Awaitable[None]]] = {
            Tool.MATCH_PHENOMENA: lambda turn: match_phenomena(turn, services.matcher),
            Tool.DIAGNOSE: lambda turn: diagnose(turn, services.engine),
            Tool.QUERY_PROGRESS: lambda turn: queries.query_progress(turn, services),
            Tool.QUERY_HYPOTHESES: lambda turn: queries.query_hypotheses(turn, services),
            Tool.QUERY_RELATIONS: lambda turn: queries.query_relations(turn, services),
            Tool.SHOW_HISTORY: lambda turn: queries.show_history(turn, services),
            Tool.EXPLAIN_REASONING: lambda turn: queries.explain_reasoning(turn, services),
            Tool.WHAT_IF: lambda turn: queries.what_if(turn, services),
            Tool.COLLECT_EVIDENCE: lambda turn: collect_evidence(turn, self._looking),
        }

    async def run(self, session: Session, message: str, language: Language | None, progress: Progress) -> Turn:
        """Works on one message; `session` is changed in place. Raises only when the message cannot be understood."""
        turn = await self._begin(session, message)
        progress("understand")
        decision = await self._decide(turn)
        turn.plan = decision.plan
        turn.language = language or decision.plan.language or session.language or Language.EN
        session.language = turn.language
        if any(step.reset for step in turn.plan.steps):
            await self._start_case(turn)
        apply_plan(turn)
        call = decision.call
        while call is not None:
            progress(call.tool.value)
            turn.tell = partial(progress, call.tool.value)
            await self._use(turn, call.tool)
            call = await self._next(turn, call.tool)
        await self._finish(turn)
        return turn

    async def _begin(self, session: Session, message: str) -> Turn:
        session.turn += 1
        session.snapshot_id = session.snapshot_id or await self._catalogs.current_id()
        catalog = await self._catalogs.of(session.snapshot_id)
        settings = self._settings
        turn = Turn(session, message, catalog, settings.stuck_detection_rounds, settings.high_confidence_threshold)
        turn.evidence_before = turn.active_evidence()
        return turn

    async def _start_case(self, turn: Turn) -> None:
        turn.session.start_case()
        turn.session.snapshot_id = await self._catalogs.current_id()
        turn.catalog = await self._catalogs.of(turn.session.snapshot_id)
        turn.evidence_before = ()
        turn.reset = True

    async def _decide(self, turn: Turn) -> Decision:
        view = view_of(turn.session, turn.evidence_views(), self._settings.stuck_detection_rounds)
        plan = turn.plan if turn.plan.source is not None else None
        decision = await self._services.planner.decide(DecideRequest(view, turn.message, plan, tuple(turn.done)))
        if plan is None:
            turn.usage["understand"] = decision.usage
        return decision

    async def _use(self, turn: Turn, tool: Tool) -> None:
        try:
            await self._tools[tool](turn)
        except DbdiagError as error:
            self._failed(turn, tool, error)
            turn.done.append(turn.outcome(tool, failed=True))
        else:
            turn.done.append(turn.outcome(tool))

    async def _next(self, turn: Turn, last: Tool) -> ToolCall | None:
        """The next tool. Once a plan is made, not even a planner that is gone may lose what was recorded."""
        try:
            if len(turn.done) >= self._settings.gateway_max_steps:
                raise StepBudgetSpent(f"this turn has used its {self._settings.gateway_max_steps} steps")
            return (await self._decide(turn)).call
        except DbdiagError as error:
            self._failed(turn, last, error)
            return None

    def _failed(self, turn: Turn, tool: Tool, error: DbdiagError) -> None:
        turn.failures.append(ToolFailure(tool, error.reason, error.message))

    async def _finish(self, turn: Turn) -> None:
        last = Tool.QUERY_RELATIONS
        try:
            await queries.help_and_data(turn, self._services)
            last = Tool.DIAGNOSE
            await asking.complete(turn, self._services)
            await offer_to_look(turn, self._looking)
        except DbdiagError as error:
            self._failed(turn, last, error)
        asking.keep(turn)
