"""GET and DELETE /sessions/{id}, GET /sessions/{id}/trace, POST /sessions/{id}/close."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic_core import to_jsonable_python

from gateway.closing import Closings
from gateway.conversation import Conversations
from gateway.http.bodies import CloseBody, read_body
from gateway.plan import Item

_CLOSE_BODY = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": CloseBody.model_json_schema()}}}
}


def routes(conversations: Conversations, closings: Closings) -> APIRouter:
    """The session routes."""
    router = APIRouter(prefix="/sessions", tags=["sessions"])

    @router.get("/{session_id}")
    async def session(session_id: str) -> dict[str, Any]:
        """The session as last committed: the whole ledger, what is pending, the dialogue, the last answer."""
        stored = (await conversations.stored(session_id)).session
        last = await conversations.last_response(session_id)
        return {
            "session_id": stored.session_id,
            "created_at": _time(stored.created_at),
            "updated_at": _time(stored.updated_at),
            "archived": conversations.archived(stored),
            "language": stored.language,
            "knowledge_version": stored.snapshot_id,
            "case": stored.case,
            "turn": stored.turn,
            "evidence": [vars(entry) for entry in stored.ledger],
            "pending": [_item(item) for item in stored.pending],
            "dialogue": [{"speaker": said.speaker, "text": said.text} for said in stored.dialogue],
            "closed": [vars(closing) for closing in stored.closings],
            "last": last,
        }

    @router.get("/{session_id}/trace")
    async def trace(session_id: str) -> dict[str, Any]:
        """Everything that was asked and answered inside, turn by turn."""
        return {"session_id": session_id, "turns": await conversations.traces(session_id)}

    @router.post("/{session_id}/close", openapi_extra=_CLOSE_BODY)
    async def close(session_id: str, request: Request) -> dict[str, Any]:
        """Closes the session's case: `{session_id, proposal, preview}`.

        Nothing is learned until a person accepts the proposal.
        """
        verdict = (await read_body(request, CloseBody)).verdict()
        closed = await closings.close(session_id, verdict)
        return {"session_id": session_id, **to_jsonable_python(closed)}

    @router.delete("/{session_id}", status_code=204)
    async def delete(session_id: str) -> Response:
        """Removes the session, its turns and its trace for good."""
        await conversations.delete(session_id)
        return Response(status_code=204)

    return router


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _item(item: Item) -> dict[str, Any]:
    return {"ordinal": item.ordinal, "phenomenon_id": item.phenomenon_id, "name": vars(item.name)}
