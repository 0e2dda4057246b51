"""GET /knowledge/...: the contents of the current snapshot or of a named one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter
from pydantic_core import to_jsonable_python

from gateway.contracts.clients import Services
from gateway.session.catalog import Catalog, Catalogs
from services.chassis.errors import NotFound


def make_routes(catalogs: Catalogs, services: Services) -> APIRouter:
    """The knowledge routes. `snapshot` is an id; it defaults to the current snapshot."""
    router = APIRouter(prefix="/knowledge", tags=["knowledge"])

    async def catalog(snapshot: str) -> Catalog:
        return await catalogs.of(snapshot or await catalogs.current_id())

    @router.get("/snapshots")
    async def snapshots() -> dict[str, Any]:
        """The snapshots in use."""
        return {"snapshots": to_jsonable_python(await services.engine.snapshots())}

    @router.get("/phenomena")
    async def phenomena(snapshot: str = "") -> dict[str, Any]:
        """All phenomena, in id order."""
        found = await catalog(snapshot)
        return {
            "knowledge_version": found.snapshot_id,
            "phenomena": to_jsonable_python(list(found.phenomena.values())),
        }

    @router.get("/root-causes")
    async def root_causes(snapshot: str = "") -> dict[str, Any]:
        """All root causes, in id order."""
        found = await catalog(snapshot)
        return {
            "knowledge_version": found.snapshot_id,
            "root_causes": to_jsonable_python(list(found.root_causes.values())),
        }

    _single_entries(router, catalog, services)
    return router


def _single_entries(router: APIRouter, catalog: Callable[[str], Awaitable[Catalog]], services: Services) -> None:
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
