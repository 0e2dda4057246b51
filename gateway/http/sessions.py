"""GET and DELETE /sessions/{id}, GET /sessions/{id}/trace, POST /sessions/{id}/close."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dbdiag.planner.v1.planner_types import Item
from pydantic_core import to_jsonable_python
from starlette.requests import Request
from starlette.responses import Response

from gateway.cases.closing import Closings
from gateway.http.openapi import describe_body
from gateway.http.proposals import present_proposal
from gateway.http.request_language import prefer_language
from gateway.http.routes import Routes
from gateway.http.schemas import CloseBody, read_body
from gateway.session.ledger import Session
from gateway.turn.conversations import Conversations


def make_routes(conversations: Conversations, closings: Closings) -> Routes:
    """The session routes."""
    router = Routes(prefix="/sessions", tags=["sessions"])

    @router.get("/{session_id}")
    async def session(session_id: str) -> dict[str, Any]:
        """The session as last committed: ledger, pending checks, dialogue, last answer."""
        stored = (await conversations.stored(session_id)).session
        last = await conversations.last_response(session_id)
        return _present_session(stored, conversations.is_archived(stored)) | {"last": last}

    @router.get("/{session_id}/trace")
    async def trace(session_id: str) -> dict[str, Any]:
        """The internal calls and results of each turn."""
        return {"session_id": session_id, "turns": await conversations.traces(session_id)}

    @router.post("/{session_id}/close", openapi_extra=describe_body(CloseBody))
    async def close(session_id: str, request: Request) -> dict[str, Any]:
        """Closes the session's case: `{session_id, proposal, preview}`.

        dbdiag learns from it only after a person accepts the proposal.
        """
        body = await read_body(request, CloseBody)
        stored = await conversations.stored(session_id)
        prefer_language(request, body.language or stored.session.language)
        closed = await closings.close(session_id, body.verdict())
        preview = to_jsonable_python(closed.preview)
        return {"session_id": session_id, "proposal": present_proposal(closed.proposal), "preview": preview}

    @router.delete("/{session_id}", status_code=204)
    async def delete(session_id: str) -> Response:
        """Deletes the session with its turns and traces."""
        await conversations.delete(session_id)
        return Response(status_code=204)

    return router


def _present_session(session: Session, archived: bool) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "created_at": _time(session.created_at),
        "updated_at": _time(session.updated_at),
        "archived": archived,
        "language": session.language,
        "knowledge_version": session.snapshot_id,
        "case": session.case,
        "turn": session.turn,
        "evidence": [vars(entry) for entry in session.ledger],
        "pending": [_item(item) for item in session.pending],
        "dialogue": [{"speaker": said.speaker, "text": said.text} for said in session.dialogue],
        "closed": [vars(closing) for closing in session.closings],
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _item(item: Item) -> dict[str, Any]:
    return {"ordinal": item.ordinal, "phenomenon_id": item.phenomenon_id, "name": vars(item.name)}
