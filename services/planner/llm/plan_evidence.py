"""Planning a round by a model: it chooses allowed checks by id or stops; code validates the plan."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.chassis.errors import DbdiagError
from services.chassis.llm import LanguageModel, Message, Usage
from services.planner.model import ModelUsage, PlanEvidenceRequest, PlanEvidenceResponse, PlannedCheck

_PROMPT = Path(__file__).parents[1] / "prompts" / "plan_evidence.md"
# Longest text of a model that is kept, in characters, and most entries of `missing_info`.
_WORDS = 300
_MISSING = 5


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CurrentHypothesis(_Row):
    """The model's current hypothesis; informational only."""

    category: str
    confidence: float = Field(ge=0, le=1)
    why: str


class NextCommand(_Row):
    """One of the allowed checks."""

    cmd_id: str
    purpose: str
    expected_signal: str
    timeout_sec: int = Field(default=10, ge=1, le=60)
    priority: int = Field(ge=1, le=5)


class EvidencePlan(_Row):
    """The model's plan of one round."""

    decision: Literal["CONTINUE", "STOP"]
    current_hypothesis: CurrentHypothesis
    next_cmds: list[NextCommand] = Field(default_factory=list)
    missing_info: list[str] = Field(default_factory=list)
    stop_reason: str = ""


async def plan_evidence(model: LanguageModel, request: PlanEvidenceRequest) -> PlanEvidenceResponse:
    """The validated plan of the model. If invalid: no checks, and the reason in `usage`."""
    usage = Usage()
    try:
        plan = await model.structured(_messages(request), EvidencePlan, usage)
    except DbdiagError as error:
        return PlanEvidenceResponse(usage=_report_usage(usage, error.reason))
    if problem := _problem(plan, request):
        return PlanEvidenceResponse(usage=_report_usage(usage, problem))
    rows = sorted(plan.next_cmds, key=lambda row: row.priority)
    checks = {
        row.cmd_id: PlannedCheck(row.cmd_id, row.purpose[:_WORDS], row.expected_signal[:_WORDS], row.priority)
        for row in reversed(rows)
    }
    chosen = tuple(sorted(checks.values(), key=lambda check: check.priority))[: request.max_checks]
    stop = plan.decision == "STOP"
    missing = tuple(text[:_WORDS] for text in plan.missing_info[:_MISSING])
    return PlanEvidenceResponse(
        stop, plan.stop_reason[:_WORDS] if stop else "", () if stop else chosen, missing, _report_usage(usage, "")
    )


def _problem(plan: EvidencePlan, request: PlanEvidenceRequest) -> str:
    """Why a schema-conforming plan is invalid; empty if it is valid."""
    if plan.decision == "STOP":
        return "" if plan.stop_reason.strip() else "model_stops_without_reason"
    if not plan.next_cmds:
        return "model_empty_plan"
    allowed = {check.check_id for check in request.allowed_checks}
    return "" if all(row.cmd_id in allowed for row in plan.next_cmds) else "model_unknown_checks"


def _report_usage(usage: Usage, problem: str) -> ModelUsage:
    return ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem)


@cache
def _system() -> str:
    return _PROMPT.read_text(encoding="utf-8")


def _messages(request: PlanEvidenceRequest) -> list[Message]:
    told = {
        "question": request.question,
        "round": request.round,
        "max_cmds": request.max_checks,
        "hypotheses": [
            {"name": item.name.en or item.name.zh, "confidence": round(item.confidence, 3)}
            for item in request.hypotheses
        ],
        "signals": [
            {"cmd_id": item.check_id, "summary": item.summary, "audit_ref": item.evidence_ref}
            for item in request.signals
        ],
        "allowed_cmd_pool": [
            {"cmd_id": item.check_id, "name": item.name.en or item.name.zh} for item in request.allowed_checks
        ],
    }
    return [{"role": "system", "content": _system()}, {"role": "user", "content": json.dumps(told, ensure_ascii=False)}]
