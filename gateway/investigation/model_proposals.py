"""Proposals of a language model: a round's checks from the engine's pool, within the same gate.

If a proposal is invalid, the engine's plan of that round replaces it, and the trace records the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from gateway.investigation.journal import Event
from gateway.investigation.model import Case
from gateway.investigation.planning import Plan, Planned, list_missing
from gateway.investigation.state import State
from services.chassis.errors import InvalidInput, Precondition


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


_PROPOSAL = TypeAdapter(Proposal)


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
            return _PROPOSAL.validate_python(self._events.pop(0)["proposal"])
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
