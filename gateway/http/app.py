"""The HTTP application: every route, and the page."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.middleware.base import RequestResponseEndpoint

from gateway.clients import Services
from gateway.closing import Closings
from gateway.conversation import Conversations
from gateway.http import knowledge, problems, proposals, sessions, targets
from gateway.http.chat import ChatRoutes
from gateway.http.metrics import Metrics

_WEB = Path(__file__).parent.parent / "web"
# The page loads nothing from elsewhere and runs no inline script; /docs brings its own from a CDN and is left as it is.
_PAGE_POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


def create_app(conversations: Conversations, services: Services) -> FastAPI:
    """The application; it owns no resources, who makes it closes what it was given."""
    app = FastAPI(
        title="dbdiag",
        version=version("dbdiag"),
        description="Finds the root cause of a database fault by talking with the person on call.",
    )
    metrics = Metrics()
    chat = ChatRoutes(conversations, metrics)
    problems.install(app)
    app.include_router(chat.router)
    closings = Closings(conversations, services)
    app.include_router(sessions.routes(conversations, closings))
    app.include_router(proposals.routes(closings, services))
    app.include_router(knowledge.routes(conversations.catalogs, services))
    app.include_router(targets.routes(conversations))
    app.state.drain = chat.drain
    _operations(app, services, metrics)
    _page(app)
    return app


def _operations(app: FastAPI, services: Services, metrics: Metrics) -> None:
    @app.get("/healthz", tags=["operations"])
    async def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok"}

    @app.get("/readyz", tags=["operations"])
    async def readyz() -> Response:
        """Every service the gateway needs is serving."""
        missing = await services.unready()
        content: dict[str, Any] = {"status": "not ready", "not_serving": missing} if missing else {"status": "ready"}
        return JSONResponse(content, 503 if missing else 200)

    @app.get("/metrics", tags=["operations"])
    async def metrics_text() -> Response:
        """Prometheus metrics."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _page(app: FastAPI) -> None:
    @app.middleware("http")
    async def page_policy(request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = await call_next(request)
        if request.url.path == "/" or request.url.path.startswith("/static/"):
            response.headers["Content-Security-Policy"] = _PAGE_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(_WEB / "index.html", media_type="text/html")

    app.mount("/static", StaticFiles(directory=_WEB), name="static")
