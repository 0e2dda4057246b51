"""GET /knowledge/...: what the current snapshot, or a named one, knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter
from pydantic_core import to_jsonable_python

from gateway.catalog import Catalog, Catalogs
from gateway.clients import Services
from services.chassis.errors import NotFound


def routes(catalogs: Catalogs, services: Services) -> APIRouter:
    """The knowledge routes. `snapshot` is an id; without it the current one answers."""
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
        """All causes, in id order."""
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
        """One phenomenon with the causes it is linked to, the likeliest first."""
        found = await catalog(snapshot)
        if phenomenon_id not in found.phenomena:
            raise NotFound(f"{phenomenon_id} is not in snapshot {found.snapshot_id}", reason="unknown_phenomenon")
        relations = await services.engine.relations(found.snapshot_id, phenomenon_id=phenomenon_id)
        one = to_jsonable_python(found.phenomena[phenomenon_id])
        return {**one, "relations": to_jsonable_python(relations)}

    @router.get("/root-causes/{root_cause_id}")
    async def root_cause(root_cause_id: str, snapshot: str = "") -> dict[str, Any]:
        """One cause with its remedy and the phenomena it is linked to, the likeliest first."""
        found = await catalog(snapshot)
        if root_cause_id not in found.root_causes:
            raise NotFound(f"{root_cause_id} is not in snapshot {found.snapshot_id}", reason="unknown_root_cause")
        relations = await services.engine.relations(found.snapshot_id, root_cause_id=root_cause_id)
        one = to_jsonable_python(found.root_causes[root_cause_id])
        return {**one, "relations": to_jsonable_python(relations)}
