"""The application: its pages, a complete OpenAPI document, and security headers on every response."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Application(FastAPI):
    """A FastAPI application that defines every body in its document and sets the page policy on every response."""

    def build_middleware_stack(self) -> ASGIApp:
        """Puts the policy outermost, so that refusals and failures carry it too."""
        return PagePolicy(super().build_middleware_stack())

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, built once."""
        if self.openapi_schema is None:
            document = super().openapi()
            _, bodies = models_json_schema([(kind, "validation") for kind in _BODIES], ref_template=_REFERENCE)
            document.setdefault("components", {}).setdefault("schemas", {}).update(bodies["$defs"])
        return super().openapi()


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


def install(app: FastAPI) -> None:
    """Serves the pages and their static files."""

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(_WEB / "index.html", media_type="text/html")

    @app.get("/docs", include_in_schema=False)
    async def documents() -> FileResponse:
        return FileResponse(_WEB / "reference" / "index.html", media_type="text/html")

    app.mount("/static", StaticFiles(directory=_WEB), name="static")
