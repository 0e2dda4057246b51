"""Builds the service: its models, when there are any, and its servicer."""

from __future__ import annotations

import asyncio

import grpc.aio

from services.chassis import llm
from services.chassis.llm import LanguageModel
from services.planner.planner import Planner
from services.planner.servicer import PlannerServicer
from services.planner.settings import PlannerSettings
from services.planner.understand.ahead import Ahead


class PlannerApp:
    """A Servable. The models take the place of those that the settings name."""

    service_name = "dbdiag.planner.v1.PlannerService"

    def __init__(
        self,
        settings: PlannerSettings,
        agent_model: LanguageModel | None = None,
        response_model: LanguageModel | None = None,
    ) -> None:
        self._settings, self._agent_model, self._response_model = settings, agent_model, response_model
        self._planner: Planner | None = None
        self._ahead: Ahead | None = None

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server, and begins to learn from the examples how people say things."""
        settings = self._settings
        self._ahead = Ahead(settings.planner_cache_dir.expanduser())
        name = settings.understand_model or settings.agent_model
        agent = self._agent_model or llm.connect(settings, name)
        response = self._response_model or llm.connect(settings, settings.response_model)
        self._planner = Planner(llm.watched(agent, name), llm.watched(response, settings.response_model))
        PlannerServicer(self._planner).add_to(server)

    async def start(self) -> None:
        """Waits until that is learned, so that no turn does."""
        assert self._ahead is not None, "register comes before start"
        await asyncio.to_thread(self._ahead.wait)

    async def close(self) -> None:
        """Lets go of the models."""
        if self._ahead is not None:
            self._ahead.close()
        if self._planner is not None:
            await self._planner.close()
