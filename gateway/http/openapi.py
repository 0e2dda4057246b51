"""The application: its pages, a complete OpenAPI document, and security headers on every response."""

from __future__ import annotations

import asyncio
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.http.routes import Described, Routes
from gateway.http.schemas import ChatBody, CloseBody, ReviewBody

_BODIES: tuple[type[BaseModel], ...] = (ChatBody, CloseBody, ReviewBody)
_REFERENCE = "#/components/schemas/{model}"
_WEB = Path(__file__).parent.parent / "web"
# Pages load nothing from other hosts, run no inline scripts, and cannot be framed.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
}


def describe_body(kind: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI extra of a route that reads its body as `kind`."""
    schema = {"$ref": _REFERENCE.format(model=kind.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


class Application(Starlette):
    """An application of described routes that defines every body in its document and sets the page policy on every
    response.
    """

    def __init__(self, title: str, version: str, description: str) -> None:
        super().__init__()
        self._title, self._version, self._description = title, version, description
        self._described: list[Described] = []
        self.add_route("/openapi.json", self._document)

    def include(self, routes: Routes) -> None:
        """Serves and describes routes."""
        self._described += routes.all
        self.router.routes += [each.served for each in routes.all]

    def build_middleware_stack(self) -> ASGIApp:
        """Puts the policy outermost, so that refusals and failures carry it too."""
        return PagePolicy(super().build_middleware_stack())

    async def _document(self, request: Request) -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(lambda: self.document))

    @cached_property
    def document(self) -> dict[str, Any]:
        """The OpenAPI document, built once."""
        from fastapi import FastAPI
        from pydantic.json_schema import models_json_schema

        described = FastAPI(title=self._title, version=self._version, description=self._description)
        for each in self._described:
            described.add_api_route(each.path, each.function, methods=[each.method], **each.options)
        document = described.openapi()
        _, bodies = models_json_schema([(kind, "validation") for kind in _BODIES], ref_template=_REFERENCE)
        document.setdefault("components", {}).setdefault("schemas", {}).update(bodies["$defs"])
        return document


class PagePolicy:
    """ASGI middleware that adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Adds the headers to the response."""

        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, with_policy)


def install(app: Application) -> None:
    """Serves the pages and their static files."""
    pages = Routes()

    @pages.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(_WEB / "index.html", media_type="text/html")

    @pages.get("/docs", include_in_schema=False)
    async def documents() -> FileResponse:
        return FileResponse(_WEB / "reference" / "index.html", media_type="text/html")

    app.include(pages)
    app.mount("/static", StaticFiles(directory=_WEB), name="static")
