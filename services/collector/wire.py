"""dbdiag.collector.v1 to and from the model; `from_wire(to_wire(x)) == x` for every pair."""

from __future__ import annotations

import json
from collections.abc import Mapping

from dbdiag.collector.v1 import collector_pb2 as pb

from services.chassis.errors import InvalidInput
from services.chassis.messages import from_plain, to_plain
from services.collector.model import (
    Check,
    CheckCall,
    CheckOutcome,
    CheckParameter,
    CheckResult,
    CollectRequest,
    Evidence,
    Finding,
    LocalizedText,
    Route,
    Signal,
    Target,
    Verdict,
)

MAX_CHECKS = 100


def target_to_wire(target: Target) -> pb.Target:
    """The message of a target."""
    return pb.Target(target_id=target.target_id, kind=target.kind, description=target.description)


def target_from_wire(message: pb.Target) -> Target:
    """The target of a message."""
    return Target(message.target_id, message.kind, message.description)


def check_to_wire(check: Check) -> pb.Check:
    """The message of a check."""
    return pb.Check(
        check_id=check.check_id,
        name=pb.LocalizedText(zh=check.name.zh, en=check.name.en),
        engine=check.engine,
        versions=check.versions,
        categories=check.categories,
        parameters=[
            pb.CheckParameter(
                name=item.name, pattern=item.pattern, required=item.required, default_value=item.default_value
            )
            for item in check.parameters
        ],
        phenomenon_ids=check.phenomenon_ids,
        timeout_seconds=check.timeout_seconds,
        cost=check.cost,
        risk=check.risk,
    )


def check_from_wire(message: pb.Check) -> Check:
    """The check of a message."""
    return Check(
        check_id=message.check_id,
        name=LocalizedText(message.name.zh, message.name.en),
        engine=message.engine,
        versions=message.versions,
        categories=tuple(message.categories),
        parameters=tuple(
            CheckParameter(item.name, item.pattern, item.required, item.default_value) for item in message.parameters
        ),
        phenomenon_ids=tuple(message.phenomenon_ids),
        timeout_seconds=message.timeout_seconds,
        cost=message.cost,
        risk=message.risk,
    )


def route_to_wire(route: Route) -> pb.Route:
    """The message of a route."""
    return pb.Route(
        category=route.category,
        name=pb.LocalizedText(zh=route.name.zh, en=route.name.en),
        check_ids=route.checks,
        minimum_check_ids=route.minimum,
        speaks_for=_weights(route.speaks_for),
        speaks_against=_weights(route.speaks_against),
    )


def _weights(weights: Mapping[str, float]) -> list[pb.Weight]:
    return [pb.Weight(phenomenon_id=name, weight=weight) for name, weight in weights.items()]


def route_from_wire(message: pb.Route) -> Route:
    """The route of a message."""
    return Route(
        category=message.category,
        name=LocalizedText(message.name.zh, message.name.en),
        checks=tuple(message.check_ids),
        minimum=tuple(message.minimum_check_ids),
        speaks_for={item.phenomenon_id: item.weight for item in message.speaks_for},
        speaks_against={item.phenomenon_id: item.weight for item in message.speaks_against},
    )


def request_to_wire(request: CollectRequest) -> pb.CollectRequest:
    """The message of a request to collect."""
    return pb.CollectRequest(
        session_id=request.session_id,
        target_id=request.target_id,
        snapshot_id=request.snapshot_id,
        checks=[pb.CheckCall(check_id=call.check_id, parameters=dict(call.parameters)) for call in request.checks],
        category=request.category,
        time_budget_seconds=request.time_budget_seconds,
        look_id=request.look_id,
    )


def request_from_wire(message: pb.CollectRequest) -> CollectRequest:
    """Raises InvalidInput without a session, a target or checks, with too many, or with a budget below zero."""
    for name in ("session_id", "target_id"):
        if not getattr(message, name):
            raise InvalidInput("invalid_request.empty_field", name=name)
    if not 1 <= len(message.checks) <= MAX_CHECKS:
        raise InvalidInput("invalid_request.check_count", count=len(message.checks), most=MAX_CHECKS)
    if not message.time_budget_seconds >= 0:
        raise InvalidInput("invalid_request.negative_budget")
    return CollectRequest(
        session_id=message.session_id,
        target_id=message.target_id,
        snapshot_id=message.snapshot_id,
        checks=tuple(CheckCall(call.check_id, dict(call.parameters)) for call in message.checks),
        category=message.category,
        time_budget_seconds=message.time_budget_seconds,
        look_id=message.look_id,
    )


def result_to_wire(result: CheckResult) -> pb.CollectResponse:
    """The message of a result."""
    return pb.CollectResponse(
        check_id=result.check_id,
        outcome=pb.CheckOutcome.ValueType(result.outcome),
        reason=result.reason,
        signals=[_signal_to_wire(signal) for signal in result.signals],
        findings=[
            pb.Finding(phenomenon_id=item.phenomenon_id, verdict=pb.Verdict.ValueType(item.verdict), words=item.words)
            for item in result.findings
        ],
        evidence_ref=result.evidence_ref,
        elapsed_seconds=result.elapsed_seconds,
        sha256=result.sha256,
        reason_json=json.dumps(to_plain(result.message), ensure_ascii=False) if result.message else "",
    )


def result_from_wire(message: pb.CollectResponse) -> CheckResult:
    """The result of a message."""
    return CheckResult(
        check_id=message.check_id,
        outcome=CheckOutcome(message.outcome),
        reason=message.reason,
        signals=tuple(_signal_from_wire(signal) for signal in message.signals),
        findings=tuple(Finding(item.phenomenon_id, Verdict(item.verdict), item.words) for item in message.findings),
        evidence_ref=message.evidence_ref,
        elapsed_seconds=message.elapsed_seconds,
        sha256=message.sha256,
        message=from_plain(json.loads(message.reason_json)) if message.reason_json else None,
    )


def _signal_to_wire(signal: Signal) -> pb.Signal:
    message = pb.Signal(name=signal.name, unit=signal.unit)
    if isinstance(signal.value, bool):
        message.boolean = signal.value
    elif isinstance(signal.value, str):
        message.text = signal.value
    else:
        message.number = signal.value
    return message


def _signal_from_wire(message: pb.Signal) -> Signal:
    value = getattr(message, message.WhichOneof("value") or "text")
    return Signal(message.name, value, message.unit)


def evidence_to_wire(evidence: Evidence) -> pb.GetEvidenceResponse:
    """The message of a stored output."""
    return pb.GetEvidenceResponse(
        check_id=evidence.check_id,
        redacted_output=evidence.redacted_output,
        sha256=evidence.sha256,
        collected_at_unix_seconds=evidence.collected_at_unix_seconds,
    )


def evidence_from_wire(message: pb.GetEvidenceResponse) -> Evidence:
    """The stored output of a message."""
    return Evidence(message.check_id, message.redacted_output, message.sha256, message.collected_at_unix_seconds)
