"""The HTTP application: every route, and the page."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.cases.closing import Closings
from gateway.contracts.clients import Services
from gateway.http import knowledge, openapi, problems, proposals, sessions
from gateway.http.admission import Admission, Doors
from gateway.http.chat import ChatRoutes
from gateway.http.metrics import Metrics
from gateway.http.openapi import Application
from gateway.turn.conversations import Conversations


def create_app(conversations: Conversations, services: Services, doors: Doors) -> FastAPI:
    """The application. It owns no resources: the caller closes `conversations` and `services`."""
    app = Application(
        title="dbdiag",
        version=version("dbdiag"),
        description="Finds the root cause of a database fault by talking with the person on call.",
        docs_url=None,
        redoc_url=None,
    )
    metrics = Metrics()
    chat = ChatRoutes(conversations, metrics)
    problems.install(app)
    app.include_router(chat.router)
    closings = Closings(conversations, services)
    app.include_router(sessions.make_routes(conversations, closings))
    app.include_router(proposals.make_routes(closings, services))
    app.include_router(knowledge.make_routes(conversations.catalogs, services))
    app.include_router(knowledge.make_target_routes(conversations))
    app.state.drain = chat.drain
    _operations(app, services, metrics)
    openapi.install(app)
    app.add_middleware(Admission, doors=doors, on_refusal=metrics.count_refusal)
    return app


def _operations(app: FastAPI, services: Services, metrics: Metrics) -> None:
    @app.get("/healthz", tags=["operations"])
    async def healthz() -> dict[str, str]:
        """The process is alive."""
        return {"status": "ok"}

    @app.get("/readyz", tags=["operations"])
    async def readyz() -> Response:
        """Every service that the gateway requires is serving."""
        missing = await services.unready()
        content: dict[str, Any] = {"status": "not ready", "not_serving": missing} if missing else {"status": "ready"}
        return JSONResponse(content, 503 if missing else 200)

    @app.get("/metrics", tags=["operations"])
    async def metrics_text() -> Response:
        """Prometheus metrics."""
        return Response(metrics.render(), media_type=CONTENT_TYPE_LATEST)
