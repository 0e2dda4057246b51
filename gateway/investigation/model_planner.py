"""A language model as the planner of rounds, behind PlannerService; it gets redacted signals, never raw output."""

from __future__ import annotations

from dataclasses import dataclass

from dbdiag.planner.v1.planner_types import CheckView, HypothesisView, PlanEvidenceRequest, SignalView

from gateway.contracts.clients import PlannerClient
from gateway.investigation.model import Case, CheckRun, Ending, Signal
from gateway.investigation.model_proposals import Proposal, Wish
from gateway.investigation.planning import Plan
from gateway.investigation.state import State
from services.chassis.errors import DbdiagError

_HYPOTHESES, _SUMMARY = 5, 400


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
