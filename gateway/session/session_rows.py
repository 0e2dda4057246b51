"""Sessions, their evidence and their checks as plain rows, for questions about what was diagnosed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gateway.session.ledger import Session

Row = Mapping[str, Any]


def session_rows(sessions: Iterable[Session]) -> dict[str, list[Row]]:
    """The tables session, evidence and check_run. Times are seconds since 1970, UTC; evidence without its words."""
    rows: dict[str, list[Row]] = {"session": [], "evidence": [], "check_run": []}
    for session in sessions:
        rows["session"].append(_session(session))
        rows["evidence"] += _evidence(session)
        rows["check_run"] += _checks(session)
    return rows


def _session(session: Session) -> Row:
    """minutes: from the first message to the last closing, else to the last message."""
    closing = session.closings[-1] if session.closings else None
    ended = closing.closed_at if closing else session.updated_at
    return {
        "session_id": session.session_id,
        "started_at": session.created_at,
        "last_at": session.updated_at,
        "language": str(session.language) if session.language else None,
        "turns": session.turn,
        "closed": closing is not None,
        "closed_at": closing.closed_at if closing else None,
        "root_cause_id": closing.root_cause_id if closing else None,
        "minutes": round((ended - session.created_at) / 60, 2),
    }


def _evidence(session: Session) -> Iterator[Row]:
    for entry in session.ledger:
        yield {
            "evidence_id": f"{session.session_id}/{entry.entry_id}",
            "session_id": session.session_id,
            "phenomenon_id": entry.phenomenon_id,
            "verdict": str(entry.verdict),
            "origin": entry.origin,
            "turn": entry.turn,
            "retracted": entry.retracted_turn is not None,
        }


def _checks(session: Session) -> Iterator[Row]:
    """The checks whose output became evidence, each once a turn."""
    seen: set[tuple[str, int]] = set()
    for entry in session.ledger:
        if entry.check_id and (entry.check_id, entry.turn) not in seen:
            seen.add((entry.check_id, entry.turn))
            yield {
                "run_id": f"{session.session_id}/{entry.turn}/{entry.check_id}",
                "session_id": session.session_id,
                "check_id": entry.check_id,
                "target": session.target_id or None,
                "status": "done",
            }
