"""The tool collect_evidence: the assistant looks for itself, and what it saw is put on record beside what was said.

What a person said counts more: where a check saw the opposite, the person's word stands and it is asked which holds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gateway.clients import CollectorClient, EngineClient
from gateway.collecting import CheckList, CheckResult, Target
from gateway.contradictions import ask_about_what_was_seen
from gateway.language import LocalizedText, Verdict
from gateway.live_targets import LiveTargets, cannot
from gateway.looking.loop import diagnose
from gateway.looking.model import Budget, Case, Ending, Finding, Looked
from gateway.looking.remote import RemoteEyes, RemoteMind, case_of
from gateway.looking.state import TOLD, Shown, findings_of
from gateway.plan import ClarifyKind, Tool
from gateway.reasoning import Evidence
from gateway.session import COLLECTED, LedgerEntry
from gateway.settings import GatewaySettings
from gateway.turn import Turn
from gateway.views import LookOffer, LookView, SeenView, UnseenView
from gateway.wording.error_words import in_language, why_in_language
from services.chassis import channel
from services.chassis.errors import DbdiagError, DeadlinePassed, DependencyDown

# Kept of the turn's time for judging what was seen.
_JUDGING_SECONDS = 5.0
# From here on a person who waits is told what is being looked at.
_TOLD_FROM_SECONDS = 1.0
# A check that is not made for what the target is was not left out by anybody.
_NOT_FOR_IT = ("role_not_supported", "version_not_supported", "wrong_platform")
_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}
# What is asked back where nobody knows yet what is meant.
_OPEN_KINDS = (ClarifyKind.VAGUE, ClarifyKind.MULTIPLE_MATCHES)
_ORDER = {Verdict.CONFIRMED: 0, Verdict.DENIED: 1, Verdict.UNKNOWN: 2}


@dataclass(frozen=True)
class Looking:
    """What the tool works with."""

    collector: CollectorClient | None
    engine: EngineClient
    targets: LiveTargets
    settings: GatewaySettings


async def collect_evidence(turn: Turn, looking: Looking) -> None:
    """Looks until the rules of a diagnosis say stop. Raises CannotLook, and what the services raise; what was seen
    before a failure is on record all the same."""
    session = turn.session
    words = next((step.look.words for step in turn.plan.steps if step.look), "")
    target = await looking.targets.of_session(session.target_id, words, turn.language)
    listed = await looking.targets.checks(target.target_id)
    if not _visible(listed) & turn.catalog.phenomena.keys():
        raise cannot("other_library", turn.language, target=target.target_id)
    assert looking.collector is not None
    case = case_of(listed, _session_of(turn), target.target_id, session.snapshot_id, _budget(looking), _told(turn))
    names = {check.check_id: check.name for check in listed.checks}
    eyes = _eyes(turn, looking.collector, case, names)
    mind = RemoteMind(looking.engine, session.snapshot_id, turn.catalog.phenomena.keys(), _said(turn))
    notes: list[Mapping[str, object]] = []
    try:
        await diagnose(case, eyes, mind, notes.append)
    finally:
        _keep(turn, target, case, eyes, names)
        turn.exchanges.append((Tool.COLLECT_EVIDENCE.value, _asked(case), _seen(eyes, notes)))
    _check(turn, eyes, target)


def _session_of(turn: Turn) -> str:
    """Under which name the collector keeps the record: each case of a session has its own, and its own budget."""
    session = turn.session
    return session.session_id if session.case == 1 else f"{session.session_id}-{session.case}"


def _budget(looking: Looking) -> Budget:
    """Raises DeadlinePassed where the turn has no time left to look."""
    left = channel.deadline.get() - time.monotonic() - _JUDGING_SECONDS
    if left <= 0:
        raise DeadlinePassed("looking: the time of this turn is used up")
    settings = looking.settings
    seconds = min(settings.gateway_look_seconds, left)
    return Budget(time_budget_seconds=seconds, confidence_threshold=settings.high_confidence_threshold)


def _told(turn: Turn) -> Looked:
    """What was said so far, as if it had been looked at, so that the kind of trouble is known."""
    said = [entry for entry in turn.session.active() if not entry.collected]
    return Looked(TOLD, Ending.DONE, findings=tuple(_as_finding(entry) for entry in said))


def _as_finding(entry: LedgerEntry) -> Finding:
    return Finding(entry.phenomenon_id, entry.verdict, entry.words)


def _said(turn: Turn) -> tuple[Evidence, ...]:
    """What a person knows about: whoever could not check something is helped by a check."""
    said = [entry for entry in turn.session.active() if not entry.collected and entry.verdict in _OPPOSITE]
    return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in said)


def _eyes(turn: Turn, collector: CollectorClient, case: Case, names: Mapping[str, LocalizedText]) -> RemoteEyes:
    began = time.monotonic()

    def heard(result: CheckResult) -> None:
        if time.monotonic() - began >= _TOLD_FROM_SECONDS:
            name = names.get(result.check_id, LocalizedText(result.check_id, result.check_id))
            turn.tell(f"{len(eyes.looks)} · {name.within(turn.language)}")

    eyes = RemoteEyes(
        collector,
        case.session_id,
        case.target_id,
        case.snapshot_id,
        case.budget.time_budget_seconds,
        time.monotonic,
        began,
        heard=heard,
        # A turn that was not committed comes again under its number.
        look_id=f"turn-{turn.session.turn}",
    )
    return eyes


def _keep(turn: Turn, target: Target, case: Case, eyes: RemoteEyes, names: Mapping[str, LocalizedText]) -> None:
    """Puts everything that was seen on record, and into what the answer may speak of."""
    shown = [item for item in findings_of(eyes.looks) if item.finding.phenomenon_id in turn.catalog.phenomena]
    seen = [_record(turn, item, eyes) for item in shown]
    # Of many things that are not there the answer names the first: what had been asked about.
    asked = {pending.phenomenon_id for pending in turn.session.pending}
    seen.sort(key=lambda item: (_ORDER[item.verdict], item.phenomenon_id not in asked, item.phenomenon_id))
    done = {look.check_id for look in eyes.looks if look.ending is Ending.DONE}
    made = {look.check_id for look in eyes.looks}
    left = {name for check in case.checks if check.check_id not in made for name in check.phenomenon_ids}
    left &= turn.catalog.phenomena.keys()
    if not seen and not done:
        return
    turn.session.looked = turn.session.turn
    turn.session.unlooked = tuple(sorted(left))
    turn.look = LookView(
        target.target_id,
        target.description,
        tuple(item for item in seen if item.verdict in _OPPOSITE or _is_open(turn, item, done)),
        tuple(_unseen(turn, look, names) for look in eyes.looks if _is_missed(look)),
        len(done),
        round(eyes.seconds(), 1),
    )


def _is_open(turn: Turn, item: SeenView, done: set[str]) -> bool:
    """Whether a check ran and could not tell what nobody else told either."""
    return item.check_id in done and turn.session.active_for(item.phenomenon_id) is None


def _is_missed(look: Looked) -> bool:
    return look.ending is not Ending.DONE and not look.reason.startswith(_NOT_FOR_IT)


def _unseen(turn: Turn, look: Looked, names: Mapping[str, LocalizedText]) -> UnseenView:
    name = names.get(look.check_id, LocalizedText(look.check_id, look.check_id))
    return UnseenView(look.check_id, name, why_in_language(look.reason, turn.language))


def _record(turn: Turn, item: Shown, eyes: RemoteEyes) -> SeenView:
    found = item.finding
    old = turn.session.active_for(found.phenomenon_id)
    overruled = old is not None and not old.collected and {old.verdict, found.verdict} == _OPPOSITE
    view = SeenView(
        found.phenomenon_id,
        turn.catalog.phenomenon_name(found.phenomenon_id),
        found.verdict,
        found.words,
        item.check_id,
        item.evidence_ref,
        overruled,
    )
    if found.verdict is Verdict.UNKNOWN:
        return view
    entry = replace(
        turn.session.entry(found.phenomenon_id, found.verdict, 1.0, found.words, COLLECTED),
        check_id=item.check_id,
        evidence_ref=item.evidence_ref,
        output_sha256=eyes.hashes.get(item.evidence_ref, ""),
    )
    if overruled and old is not None:
        ask_about_what_was_seen(turn, said=old, seen=entry)
    elif old is None or old.verdict is not found.verdict:
        turn.session.record(entry)
    return view


def _check(turn: Turn, eyes: RemoteEyes, target: Target) -> None:
    """Raises where nothing at all came of it."""
    if turn.look is not None and (turn.look.check_count or turn.look.seen):
        return
    reason = next((look.reason for look in eyes.looks), "")
    turn.look = None
    if all(look.ending is Ending.REFUSED for look in eyes.looks):
        raise cannot("look_refused", turn.language, why=why_in_language(reason, turn.language) or target.target_id)
    said = in_language(reason.partition(": ")[2] or reason, turn.language)
    raise DependencyDown(said, reason="target_unreachable")


def _asked(case: Case) -> dict[str, Any]:
    named = {name: getattr(case, name) for name in ("session_id", "target_id", "snapshot_id")}
    return {**named, "budget": asdict(case.budget), "baseline": case.baseline}


def _seen(eyes: RemoteEyes, notes: list[Mapping[str, object]]) -> dict[str, Any]:
    """The looks with the hashes of their outputs, and what was planned and judged between them."""
    looks = [asdict(look) | {"sha256": eyes.hashes.get(look.evidence_ref, "")} for look in eyes.looks]
    told = [note for note in notes if note["event"] not in ("began", "collected")]
    return {"looks": looks, "notes": told, "seconds": round(eyes.seconds(), 4)}


def _visible(listed: CheckList) -> set[str]:
    return {name for check in listed.checks for name in check.phenomenon_ids}


def _asked_now(turn: Turn) -> set[str]:
    """The phenomena that the answer asks about, but for what only the person can settle."""
    asked = turn.clarification
    if asked is not None:
        return {option.phenomenon_id for option in asked.options} if asked.kind in _OPEN_KINDS else set()
    found = turn.diagnosis_view
    return {item.phenomenon_id for item in found.recommendations} if found else set()


async def offer_to_look(turn: Turn, looking: Looking) -> None:
    """Offers to look, once a case, where a check can see some of what is asked now, or nothing more is known yet than
    that something is wrong."""
    session = turn.session
    asked = _asked_now(turn)
    if looking.collector is None or not asked or session.look_offered or session.looked:
        return
    try:
        target = await looking.targets.of_session(session.target_id, "", turn.language)
        visible = _visible(await looking.targets.checks(target.target_id))
    except DbdiagError:
        # Nobody asked to look: that it cannot be done is told to whoever does.
        return
    count = len(asked & visible)
    vague = turn.clarification is not None and turn.clarification.kind is ClarifyKind.VAGUE
    if count or vague:
        turn.look_offer = LookOffer(target.target_id, target.description, count)
        session.look_offered = session.turn
