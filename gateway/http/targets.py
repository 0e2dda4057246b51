"""GET /targets: what the assistant can look at by itself."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic_core import to_jsonable_python

from gateway.conversation import Conversations
from gateway.live_targets import CannotLook


def routes(conversations: Conversations) -> APIRouter:
    """The route of the targets."""
    router = APIRouter(tags=["targets"])

    @router.get("/targets")
    async def targets() -> dict[str, Any]:
        """The configured targets, in id order and without secrets; `collector` tells whether one answers at all."""
        try:
            found = await conversations.targets.all()
        except CannotLook:
            return {"collector": False, "targets": []}
        return {"collector": True, "targets": to_jsonable_python(found)}

    return router
