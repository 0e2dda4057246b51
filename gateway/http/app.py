"""The HTTP application: every route, and the page."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, Response

from gateway.cases.closing import Closings
from gateway.contracts.clients import Services
from gateway.http import knowledge, openapi, problems, proposals, sessions
from gateway.http.admission import Admission, Doors
from gateway.http.chat import ChatRoutes
from gateway.http.metrics import Metrics
from gateway.http.openapi import Application
from gateway.http.routes import Routes
from gateway.turn.conversations import Conversations


def create_app(conversations: Conversations, services: Services, doors: Doors) -> Application:
    """The application. It owns no resources: the caller closes `conversations` and `services`."""
    app = Application(
        title="dbdiag",
        version=version("dbdiag"),
        description="Finds the root cause of a database fault by talking with the person on call.",
    )
    metrics = Metrics()
    chat = ChatRoutes(conversations, metrics)
    problems.install(app)
    app.include(chat.routes)
    closings = Closings(conversations, services)
    app.include(sessions.make_routes(conversations, closings))
    app.include(proposals.make_routes(closings, services))
    app.include(knowledge.make_routes(conversations.catalogs, services))
    app.include(knowledge.make_target_routes(conversations))
    app.state.drain = chat.drain
    app.include(_operations(services, metrics))
    openapi.install(app)
    app.add_middleware(Admission, doors=doors, on_refusal=metrics.count_refusal)
    return app


def _operations(services: Services, metrics: Metrics) -> Routes:
    routes = Routes(tags=["operations"])

    @routes.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The process is alive."""
        return {"status": "ok"}

    @routes.get("/readyz")
    async def readyz() -> Response:
        """Every service that the gateway requires is serving."""
        missing = await services.unready()
        content: dict[str, Any] = {"status": "not ready", "not_serving": missing} if missing else {"status": "ready"}
        return JSONResponse(content, 503 if missing else 200)

    @routes.get("/metrics")
    async def metrics_text() -> Response:
        """Prometheus metrics."""
        return Response(metrics.render(), media_type=CONTENT_TYPE_LATEST)

    return routes
