"""Records the results of a live investigation beside the person's own statements.

A person's statement takes precedence: if a check found the opposite, it stands, and the answer asks which one holds.
"""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import LookView, SeenView, UnseenView
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.investigation.model import CheckRun, Ending
from gateway.investigation.reasons import read_failure, render_reason
from gateway.investigation.state import Shown
from gateway.investigation.targets import CannotLook
from gateway.session.ledger import COLLECTED
from gateway.turn.context import Turn
from gateway.turn.contradictions import ask_about_what_was_seen
from gateway.turn.findings import Seen
from services.chassis.errors import DependencyDown
from services.chassis.problems import verbatim

# A check for another role, version or platform was not missed.
_NOT_FOR_IT = ("role_not_supported", "version_not_supported", "wrong_platform")
_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}
_ORDER: dict[Verdict | None, int] = {Verdict.CONFIRMED: 0, Verdict.DENIED: 1, Verdict.UNKNOWN: 2}


def apply_look(turn: Turn, seen: Seen) -> None:
    """Records every finding and adds it to the results of the turn."""
    recorded = [_record(turn, item, seen) for item in seen.shown]
    # The answer names the first absent phenomena only, so pending ones come first.
    asked = {pending.phenomenon_id for pending in turn.session.pending}
    recorded.sort(key=lambda item: (_ORDER[item.verdict], item.phenomenon_id not in asked, item.phenomenon_id))
    done = {look.check_id for look in seen.looks if look.ending is Ending.DONE}
    if not recorded and not done:
        return
    turn.session.looked = turn.session.turn
    turn.session.unlooked = seen.unlooked
    turn.look = LookView(
        seen.target.target_id,
        seen.target.description,
        tuple(item for item in recorded if item.verdict in _OPPOSITE or _is_open(turn, item, done)),
        tuple(_unseen(turn, look, seen) for look in seen.looks if _is_missed(look)),
        len(done),
        round(seen.seconds, 1),
    )


def require_sight(turn: Turn, seen: Seen) -> None:
    """Raises if the investigation brought nothing at all."""
    if turn.look is not None and (turn.look.check_count or turn.look.seen):
        return
    turn.look = None
    first = seen.looks[0] if seen.looks else None
    if first is None or all(look.ending is Ending.REFUSED for look in seen.looks):
        why = read_failure(first.reason, first.message) if first else verbatim(seen.target.target_id)
        raise CannotLook(why, reason="look_refused")
    raise DependencyDown(read_failure(first.reason, first.message), reason="target_unreachable")


def _is_open(turn: Turn, item: SeenView, done: set[str]) -> bool:
    """True if a check ran without a verdict and no other evidence decides the phenomenon."""
    return item.check_id in done and turn.session.active_for(item.phenomenon_id) is None


def _is_missed(look: CheckRun) -> bool:
    return look.ending is not Ending.DONE and not look.reason.startswith(_NOT_FOR_IT)


def _unseen(turn: Turn, look: CheckRun, seen: Seen) -> UnseenView:
    name = seen.names.get(look.check_id, LocalizedText(look.check_id, look.check_id))
    return UnseenView(look.check_id, name, render_reason(look.reason, look.message, turn.language))


def _record(turn: Turn, item: Shown, seen: Seen) -> SeenView:
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
        output_sha256=seen.hashes.get(item.evidence_ref, ""),
    )
    if overruled and old is not None:
        ask_about_what_was_seen(turn, (old, entry), seen_ordinal=2)
    elif old is None or old.verdict is not found.verdict:
        turn.session.record(entry)
    return view
