"""GET /knowledge/...: the contents of the current snapshot or of a named one; GET /targets: what can be checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_core import to_jsonable_python

from gateway.contracts.clients import Services
from gateway.http.routes import Routes
from gateway.investigation.targets import CannotLook
from gateway.session.catalog import Catalog, Catalogs
from gateway.turn.conversations import Conversations
from services.chassis.errors import NotFound


def make_routes(catalogs: Catalogs, services: Services) -> Routes:
    """The knowledge routes. `snapshot` is an id; it defaults to the current snapshot."""
    router = Routes(prefix="/knowledge", tags=["knowledge"])

    async def catalog(snapshot: str) -> Catalog:
        return await catalogs.of(snapshot or await catalogs.current_id())

    @router.get("/snapshots")
    async def snapshots() -> dict[str, Any]:
        """The snapshots in use."""
        return {"snapshots": to_jsonable_python(await services.engine.snapshots())}

    @router.get("/phenomena")
    async def phenomena(snapshot: str = "") -> dict[str, Any]:
        """All phenomena, in id order."""
        return _listed("phenomena", await catalog(snapshot))

    @router.get("/root-causes")
    async def root_causes(snapshot: str = "") -> dict[str, Any]:
        """All root causes, in id order."""
        return _listed("root_causes", await catalog(snapshot))

    _single_entries(router, catalog, services)
    return router


def _listed(kind: str, found: Catalog) -> dict[str, Any]:
    return {"knowledge_version": found.snapshot_id, kind: to_jsonable_python(list(getattr(found, kind).values()))}


def _single_entries(router: Routes, catalog: Callable[[str], Awaitable[Catalog]], services: Services) -> None:
    @router.get("/phenomena/{phenomenon_id}")
    async def phenomenon(phenomenon_id: str, snapshot: str = "") -> dict[str, Any]:
        """One phenomenon with its linked root causes, likeliest first."""
        found = await catalog(snapshot)
        if phenomenon_id not in found.phenomena:
            raise NotFound("unknown_phenomenon.in_snapshot", phenomenon_id=phenomenon_id, snapshot_id=found.snapshot_id)
        relations = await services.engine.relations(found.snapshot_id, phenomenon_id=phenomenon_id)
        one = to_jsonable_python(found.phenomena[phenomenon_id])
        return {**one, "relations": to_jsonable_python(relations)}

    @router.get("/root-causes/{root_cause_id}")
    async def root_cause(root_cause_id: str, snapshot: str = "") -> dict[str, Any]:
        """One root cause with its remedy and its linked phenomena, likeliest first."""
        found = await catalog(snapshot)
        if root_cause_id not in found.root_causes:
            raise NotFound("unknown_root_cause.in_snapshot", root_cause_id=root_cause_id, snapshot_id=found.snapshot_id)
        relations = await services.engine.relations(found.snapshot_id, root_cause_id=root_cause_id)
        one = to_jsonable_python(found.root_causes[root_cause_id])
        return {**one, "relations": to_jsonable_python(relations)}


def make_target_routes(conversations: Conversations) -> Routes:
    """The route of the targets."""
    router = Routes(tags=["targets"])

    @router.get("/targets")
    async def targets() -> dict[str, Any]:
        """The configured targets in id order, without secrets; `collector` is false if no collector answers."""
        try:
            found = await conversations.targets.all()
        except CannotLook:
            return {"collector": False, "targets": []}
        return {"collector": True, "targets": to_jsonable_python(found)}

    return router
