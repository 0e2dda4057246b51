"""A live investigation, or the offer of one, as the plain data of `details`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gateway.turn.context import Turn

Data = dict[str, Any]


def look_of(turn: Turn) -> Data | None:
    """The live investigation of this turn, or None."""
    look = turn.look
    if look is None:
        return None
    return {
        "target": look.target_id,
        "checks": look.check_count,
        "seconds": look.seconds,
        "seen": [
            {
                "phenomenon_id": item.phenomenon_id,
                "description": item.name.say(turn.language),
                "verdict": item.verdict,
                "words": item.words,
                "check_id": item.check_id,
                "evidence_ref": item.evidence_ref,
                "overruled": item.overruled,
            }
            for item in look.seen
        ],
        "unseen": [
            {"check_id": item.check_id, "description": item.name.say(turn.language), "reason": item.reason}
            for item in look.unseen
        ],
    }


def offer_of(turn: Turn) -> Data | None:
    """The offer of a live investigation in this turn, or None."""
    offered = turn.look_offer
    if offered is None:
        return None
    return {"target": offered.target_id, "description": offered.description, "visible": offered.visible_count}


def summary_of(turn: Turn) -> str:
    """An investigation in one line."""
    if turn.look is None:
        return "nothing was seen"
    found = Counter(str(item.verdict) for item in turn.look.seen)
    told = ", ".join(f"{found[verdict]} {verdict}" for verdict in ("confirmed", "denied", "unknown"))
    return f"{turn.look.check_count} checks on {turn.look.target_id}: {told}"
