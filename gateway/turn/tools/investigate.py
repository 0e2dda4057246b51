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
from gateway.investigation.model import Budget, Case, CheckRun, Ending, Finding, as_document
from gateway.investigation.ports import RemoteCollector, RemoteReasoner, make_case
from gateway.investigation.state import QUESTION, collect_findings
from gateway.investigation.targets import CannotLook, LiveTargets
from gateway.session.ledger import LedgerEntry
from gateway.settings import GatewaySettings
from gateway.turn.context import Turn
from gateway.turn.findings import Exchange, Seen, ToolResult
from services.chassis import channel
from services.chassis.errors import DbdiagError, DeadlinePassed

# Reserved of the turn's deadline for judging the results.
_JUDGING_SECONDS = 5.0
# From this duration on, progress names the running checks.
_TOLD_FROM_SECONDS = 1.0
_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}

# Questions about words that may mean several things.
_VAGUE = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)


@dataclass(frozen=True)
class Dependencies:
    """The tool's dependencies."""

    collector: CollectorClient | None
    engine: EngineClient
    targets: LiveTargets
    settings: GatewaySettings


async def collect_evidence(turn: Turn, looking: Dependencies) -> ToolResult:
    """Investigates until the stopping rules apply; results before a failure count. Raises CannotLook."""
    session = turn.session
    words = next((step.words for step in turn.plan.steps if isinstance(step, LookStep)), "")
    target = await looking.targets.of_session(session.target_id, words)
    listed = await looking.targets.checks(target.target_id)
    if not _list_visible(listed) & turn.catalog.phenomena.keys():
        raise CannotLook("other_library", target=target.target_id)
    assert looking.collector is not None
    case = make_case(
        listed, _session_of(turn), target.target_id, session.snapshot_id, _budget(looking), _make_statements(turn)
    )
    names = {check.check_id: check.name for check in listed.checks}
    collector = _make_collector(turn, looking.collector, case, names)
    reasoner = RemoteReasoner(looking.engine, session.snapshot_id, turn.catalog.phenomena.keys(), _list_answers(turn))
    notes: list[Mapping[str, object]] = []
    failure = None
    try:
        await diagnose(case, collector, reasoner, notes.append)
    except DbdiagError as error:
        failure = error
    exchange: Exchange = (Tool.COLLECT_EVIDENCE.value, _describe_case(case), _describe_results(collector, notes))
    return ToolResult(seen=_make_seen(turn, target, case, collector, names), exchanges=(exchange,), failure=failure)


def _session_of(turn: Turn) -> str:
    """The collector's session id: each case of a session has its own record and budget."""
    session = turn.session
    return session.session_id if session.case == 1 else f"{session.session_id}-{session.case}"


def _budget(looking: Dependencies) -> Budget:
    """The budget within the turn's deadline. Raises DeadlinePassed if none is left."""
    left = channel.deadline.get() - time.monotonic() - _JUDGING_SECONDS
    if left <= 0:
        raise DeadlinePassed("deadline_exceeded.turn")
    settings = looking.settings
    seconds = min(settings.gateway_look_seconds, left)
    return Budget(time_budget_seconds=seconds, confidence_threshold=settings.high_confidence_threshold)


def _make_statements(turn: Turn) -> CheckRun:
    """The statements so far as findings, which select the category of faults."""
    said = [entry for entry in turn.session.active() if not entry.collected]
    return CheckRun(QUESTION, Ending.DONE, findings=tuple(_as_finding(entry) for entry in said))


def _as_finding(entry: LedgerEntry) -> Finding:
    return Finding(entry.phenomenon_id, entry.verdict, entry.words)


def _list_answers(turn: Turn) -> tuple[Evidence, ...]:
    """The phenomena that the person decided; unknown ones are left to the checks."""
    said = [entry for entry in turn.session.active() if not entry.collected and entry.verdict in _OPPOSITE]
    return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in said)


def _make_collector(
    turn: Turn, client: CollectorClient, case: Case, names: Mapping[str, LocalizedText]
) -> RemoteCollector:
    began = time.monotonic()

    def on_result(result: CollectResponse) -> None:
        if time.monotonic() - began >= _TOLD_FROM_SECONDS:
            name = names.get(result.check_id, LocalizedText(result.check_id, result.check_id))
            turn.tell(f"{len(collector.looks)} · {name.say(turn.language)}")

    collector = RemoteCollector(
        client,
        case.session_id,
        case.target_id,
        case.snapshot_id,
        case.budget.time_budget_seconds,
        time.monotonic,
        began,
        on_result=on_result,
        # An uncommitted turn is retried under the same number.
        look_id=f"turn-{turn.session.turn}",
    )
    return collector


def _make_seen(
    turn: Turn, target: Target, case: Case, collector: RemoteCollector, names: Mapping[str, LocalizedText]
) -> Seen:
    made = {look.check_id for look in collector.looks}
    left = {name for check in case.checks if check.check_id not in made for name in check.phenomenon_ids}
    return Seen(
        target,
        tuple(
            item for item in collect_findings(collector.looks) if item.finding.phenomenon_id in turn.catalog.phenomena
        ),
        tuple(collector.looks),
        names,
        collector.hashes,
        tuple(sorted(left & turn.catalog.phenomena.keys())),
        collector.seconds(),
    )


def _describe_case(case: Case) -> dict[str, Any]:
    named = {name: getattr(case, name) for name in ("session_id", "target_id", "snapshot_id")}
    return {**named, "budget": asdict(case.budget), "baseline": case.baseline}


def _describe_results(collector: RemoteCollector, notes: list[Mapping[str, object]]) -> dict[str, Any]:
    """The check runs with the hashes of their outputs, and the planning steps between them."""
    looks = [as_document(look) | {"sha256": collector.hashes.get(look.evidence_ref, "")} for look in collector.looks]
    told = [note for note in notes if note["event"] not in ("began", "collected")]
    return {"looks": looks, "notes": told, "seconds": round(collector.seconds(), 4)}


def _list_visible(listed: ListChecksResponse) -> set[str]:
    return {name for check in listed.checks for name in check.phenomenon_ids}


async def offer_to_look(turn: Turn, looking: Dependencies, target: Target) -> LookOffer | None:
    """An offer if a check can decide a pending question, or if the complaint is still vague."""
    try:
        visible = _list_visible(await looking.targets.checks(target.target_id))
    except DbdiagError:
        # The person did not ask for an investigation, so a failure is not reported.
        return None
    count = len(turn.asked_now() & visible)
    vague = turn.clarification is not None and turn.clarification.kind in _VAGUE
    return LookOffer(target.target_id, target.description, count) if count or vague else None
