"""GET /targets: the targets that dbdiag can check by itself."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic_core import to_jsonable_python

from gateway.investigation.targets import CannotLook
from gateway.turn.conversations import Conversations


def make_routes(conversations: Conversations) -> APIRouter:
    """The route of the targets."""
    router = APIRouter(tags=["targets"])

    @router.get("/targets")
    async def targets() -> dict[str, Any]:
        """The configured targets in id order, without secrets; `collector` is false if no collector answers."""
        try:
            found = await conversations.targets.all()
        except CannotLook:
            return {"collector": False, "targets": []}
        return {"collector": True, "targets": to_jsonable_python(found)}

    return router
