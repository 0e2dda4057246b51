"""Proposals of a language model: a round's checks from the engine's pool, within the same gate.

If a proposal is invalid, the engine's plan of that round replaces it, and the trace records the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from dbdiag.planner.v1.planner_types import CheckView, HypothesisView, PlanEvidenceRequest, SignalView
from pydantic import TypeAdapter, ValidationError

from gateway.contracts.clients import PlannerClient
from gateway.investigation.journal import Event
from gateway.investigation.model import Case, CheckRun, Ending, Signal
from gateway.investigation.planning import Plan, Planned, list_missing
from gateway.investigation.state import State
from services.chassis.errors import DbdiagError, InvalidInput, Precondition

_HYPOTHESES, _SUMMARY = 5, 400


@dataclass(frozen=True)
class Wish:
    """One proposed check with its purpose and the expected signal. priority: 1 first, 5 last."""

    check_id: str
    purpose: str = ""
    expected_signal: str = ""
    priority: int = 5


@dataclass(frozen=True)
class Proposal:
    """A proposal for one round. fallback: why the engine's plan replaces it; empty if it does not."""

    checks: tuple[Wish, ...] = ()
    stop: bool = False
    stop_reason: str = ""
    missing_info: tuple[str, ...] = ()
    fallback: str = ""


class Proposer(Protocol):
    """Proposes checks."""

    async def propose(self, case: Case, state: State, engines: Plan, room: int) -> Proposal:
        """At most `room` checks of the pool of the engine's plan. Never raises an error of the model."""


_reads_proposal = cache(lambda: TypeAdapter(Proposal))


class RecordedProposer:
    """Repeats the recorded proposals, round by round; beyond them it asks `then`, if given."""

    def __init__(self, events: Sequence[Event], then: Proposer | None = None) -> None:
        self._events = [event for event in events if event.get("event") == "proposed"]
        self._then = then

    async def propose(self, case: Case, state: State, engines: Plan, room: int) -> Proposal:
        """See Proposer. Raises Precondition when the record ends, InvalidInput if it is corrupt."""
        if not self._events:
            if self._then is None:
                raise Precondition("trace_incomplete")
            return await self._then.propose(case, state, engines, room)
        try:
            return _reads_proposal().validate_python(self._events.pop(0)["proposal"])
        except (KeyError, ValidationError) as error:
            raise InvalidInput("bad_trace.proposal", problem=str(error)) from error


def has_proposals(events: Sequence[Event]) -> bool:
    """Whether a trace has proposals of a planner."""
    return any(event.get("event") == "proposed" for event in events)


def check_proposal(case: Case, state: State, engines: Plan, proposal: Proposal) -> Proposal:
    """The proposal, with the reason to reject it if it has unknown checks, no check, or stops too early."""
    if proposal.fallback:
        return proposal
    if proposal.stop:
        return replace(proposal, fallback="stop_before_minimum") if list_missing(case, state) else proposal
    if any(wish.check_id not in engines.pool for wish in proposal.checks):
        return replace(proposal, fallback="unknown_checks")
    return proposal if proposal.checks else replace(proposal, fallback="empty_plan")


def apply_proposal(engines: Plan, proposal: Proposal, room: int) -> Plan:
    """The round's plan: the proposed checks by priority, with the engine's worth of each; else the engine's plan."""
    if proposal.fallback:
        return engines
    ordered = sorted(proposal.checks, key=lambda wish: wish.priority)
    names = list(dict.fromkeys(wish.check_id for wish in ordered))[:room]
    own = {step.check_id: step for step in engines.planned}
    planned = tuple(own.get(name, Planned(name, "proposed", 0.0)) for name in names)
    return Plan(planned, engines.pool, tuple(name for name in engines.pool if name not in names))


@dataclass(frozen=True)
class ModelPlanner:
    """See Proposer."""

    planner: PlannerClient

    async def propose(self, case: Case, state: State, engines: Plan, room: int) -> Proposal:
        """See Proposer. If the service is unavailable or has no model, the engine plans the round."""
        try:
            plan = await self.planner.plan_evidence(_make_request(case, state, engines, room))
        except DbdiagError as error:
            return Proposal(fallback=error.reason)
        wishes = tuple(
            Wish(item.check_id, item.purpose, item.expected_signal, item.priority) for item in plan.next_checks
        )
        return Proposal(wishes, plan.stop, plan.stop_reason, plan.missing_info, plan.usage.fallback_reason)


def _make_request(case: Case, state: State, engines: Plan, room: int) -> PlanEvidenceRequest:
    checks = {check.check_id: check for check in case.checks}
    allowed = tuple(
        CheckView(name, checks[name].name, checks[name].phenomenon_ids) for name in engines.pool if name in checks
    )
    beliefs = state.judgement.beliefs[:_HYPOTHESES]
    return PlanEvidenceRequest(
        question=case.question,
        hypotheses=tuple(HypothesisView(item.root_cause_id, item.name, item.confidence) for item in beliefs),
        allowed_checks=allowed,
        signals=tuple(_summarize(look) for look in state.looks if look.ending is Ending.DONE),
        round=state.rounds + 1,
        max_checks=room,
    )


def _summarize(look: CheckRun) -> SignalView:
    told = ", ".join(map(_describe_signal, look.signals))
    return SignalView(look.check_id, told[:_SUMMARY], look.evidence_ref)


def _describe_signal(signal: Signal) -> str:
    value = f"{signal.value:g}" if isinstance(signal.value, float) else str(signal.value)
    return f"{signal.name} = {value} {signal.unit}".strip()
