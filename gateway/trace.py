"""What is kept of a turn: enough to show, to check and to repeat it."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_jsonable_python

from gateway.results import Reply
from gateway.turn import Turn


def trace_of(turn: Turn, reply: Reply, request_id: str, started_at: float, seconds: float) -> dict[str, Any]:
    """Message, plan, every tool's exchange (candidates, scores, engine request and response), results and text."""
    trace: dict[str, Any] = to_jsonable_python(
        {
            "turn": turn.session.turn,
            "case": turn.session.case,
            "request_id": request_id or None,
            "started_at": started_at,
            "seconds": round(seconds, 4),
            "snapshot_id": turn.session.snapshot_id,
            "message": turn.message,
            "plan": turn.plan,
            "tools": turn.done,
            "exchanges": [{"tool": tool, "request": asked, "response": told} for tool, asked, told in turn.exchanges],
            "results": turn.results(),
            "reply": reply,
            "model_usage": turn.usage,
        }
    )
    return trace
