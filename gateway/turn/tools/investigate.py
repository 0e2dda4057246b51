"""The tool collect_evidence: a live investigation, and the offer of one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from dbdiag.collector.v1.collector_types import CollectResponse, ListChecksResponse, Target
from dbdiag.engine.v1.engine_types import Evidence
from dbdiag.planner.v1.planner_types import ClarifyKind, LookOffer, LookStep, Tool
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.contracts.clients import CollectorClient
from gateway.contracts.engine_client import EngineClient
from gateway.investigation.loop import diagnose
from gateway.investigation.model import Budget, Case, Ending, Finding, Looked, as_document
from gateway.investigation.ports import RemoteEyes, RemoteMind, case_of
from gateway.investigation.state import TOLD, findings_of
from gateway.investigation.targets import CannotLook, LiveTargets
from gateway.session.ledger import LedgerEntry
from gateway.settings import GatewaySettings
from gateway.turn.context import Exchange, Seen, ToolResult, Turn
from services.chassis import channel
from services.chassis.errors import DbdiagError, DeadlinePassed

# Reserved of the turn's deadline for judging the results.
_JUDGING_SECONDS = 5.0
# From this duration on, progress names the running checks.
_TOLD_FROM_SECONDS = 1.0
_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}


@dataclass(frozen=True)
class Looking:
    """The tool's dependencies."""

    collector: CollectorClient | None
    engine: EngineClient
    targets: LiveTargets
    settings: GatewaySettings


async def collect_evidence(turn: Turn, looking: Looking) -> ToolResult:
    """Investigates until the stopping rules apply; results before a failure count. Raises CannotLook."""
    session = turn.session
    words = next((step.words for step in turn.plan.steps if isinstance(step, LookStep)), "")
    target = await looking.targets.of_session(session.target_id, words)
    listed = await looking.targets.checks(target.target_id)
    if not _visible(listed) & turn.catalog.phenomena.keys():
        raise CannotLook("other_library", target=target.target_id)
    assert looking.collector is not None
    case = case_of(listed, _session_of(turn), target.target_id, session.snapshot_id, _budget(looking), _told(turn))
    names = {check.check_id: check.name for check in listed.checks}
    eyes = _eyes(turn, looking.collector, case, names)
    mind = RemoteMind(looking.engine, session.snapshot_id, turn.catalog.phenomena.keys(), _said(turn))
    notes: list[Mapping[str, object]] = []
    failure = None
    try:
        await diagnose(case, eyes, mind, notes.append)
    except DbdiagError as error:
        failure = error
    exchange: Exchange = (Tool.COLLECT_EVIDENCE.value, _asked(case), _looks(eyes, notes))
    return ToolResult(seen=_seen(turn, target, case, eyes, names), exchanges=(exchange,), failure=failure)


def _session_of(turn: Turn) -> str:
    """The collector's session id: each case of a session has its own record and budget."""
    session = turn.session
    return session.session_id if session.case == 1 else f"{session.session_id}-{session.case}"


def _budget(looking: Looking) -> Budget:
    """The budget within the turn's deadline. Raises DeadlinePassed if none is left."""
    left = channel.deadline.get() - time.monotonic() - _JUDGING_SECONDS
    if left <= 0:
        raise DeadlinePassed("deadline_exceeded.turn")
    settings = looking.settings
    seconds = min(settings.gateway_look_seconds, left)
    return Budget(time_budget_seconds=seconds, confidence_threshold=settings.high_confidence_threshold)


def _told(turn: Turn) -> Looked:
    """The statements so far as findings, which select the category of faults."""
    said = [entry for entry in turn.session.active() if not entry.collected]
    return Looked(TOLD, Ending.DONE, findings=tuple(_as_finding(entry) for entry in said))


def _as_finding(entry: LedgerEntry) -> Finding:
    return Finding(entry.phenomenon_id, entry.verdict, entry.words)


def _said(turn: Turn) -> tuple[Evidence, ...]:
    """The phenomena that the person decided; unknown ones are left to the checks."""
    said = [entry for entry in turn.session.active() if not entry.collected and entry.verdict in _OPPOSITE]
    return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in said)


def _eyes(turn: Turn, collector: CollectorClient, case: Case, names: Mapping[str, LocalizedText]) -> RemoteEyes:
    began = time.monotonic()

    def heard(result: CollectResponse) -> None:
        if time.monotonic() - began >= _TOLD_FROM_SECONDS:
            name = names.get(result.check_id, LocalizedText(result.check_id, result.check_id))
            turn.tell(f"{len(eyes.looks)} · {name.say(turn.language)}")

    eyes = RemoteEyes(
        collector,
        case.session_id,
        case.target_id,
        case.snapshot_id,
        case.budget.time_budget_seconds,
        time.monotonic,
        began,
        heard=heard,
        # An uncommitted turn is retried under the same number.
        look_id=f"turn-{turn.session.turn}",
    )
    return eyes


def _seen(turn: Turn, target: Target, case: Case, eyes: RemoteEyes, names: Mapping[str, LocalizedText]) -> Seen:
    made = {look.check_id for look in eyes.looks}
    left = {name for check in case.checks if check.check_id not in made for name in check.phenomenon_ids}
    return Seen(
        target,
        tuple(item for item in findings_of(eyes.looks) if item.finding.phenomenon_id in turn.catalog.phenomena),
        tuple(eyes.looks),
        names,
        eyes.hashes,
        tuple(sorted(left & turn.catalog.phenomena.keys())),
        eyes.seconds(),
    )


def _asked(case: Case) -> dict[str, Any]:
    named = {name: getattr(case, name) for name in ("session_id", "target_id", "snapshot_id")}
    return {**named, "budget": asdict(case.budget), "baseline": case.baseline}


def _looks(eyes: RemoteEyes, notes: list[Mapping[str, object]]) -> dict[str, Any]:
    """The check runs with the hashes of their outputs, and the planning steps between them."""
    looks = [as_document(look) | {"sha256": eyes.hashes.get(look.evidence_ref, "")} for look in eyes.looks]
    told = [note for note in notes if note["event"] not in ("began", "collected")]
    return {"looks": looks, "notes": told, "seconds": round(eyes.seconds(), 4)}


def _visible(listed: ListChecksResponse) -> set[str]:
    return {name for check in listed.checks for name in check.phenomenon_ids}


async def offer_to_look(turn: Turn, looking: Looking, target: Target) -> LookOffer | None:
    """An offer if a check can decide a pending question, or if the complaint is still vague."""
    try:
        visible = _visible(await looking.targets.checks(target.target_id))
    except DbdiagError:
        # The person did not ask for an investigation, so a failure is not reported.
        return None
    count = len(turn.asked_now() & visible)
    vague = turn.clarification is not None and turn.clarification.kind is ClarifyKind.VAGUE
    return LookOffer(target.target_id, target.description, count) if count or vague else None
