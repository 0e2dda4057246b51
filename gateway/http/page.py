"""The pages: the conversation at /, the HTTP reference at /docs, their static files and their security headers."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_WEB = Path(__file__).parent.parent / "web"
# Pages load nothing from other hosts, run no inline scripts, and cannot be framed.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
}


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
