"""Builds the service: its models, when there are any, and its servicer."""

from __future__ import annotations

import asyncio

import grpc.aio

from services.chassis import llm
from services.chassis.llm import LanguageModel
from services.planner.planner import Planner
from services.planner.servicer import PlannerServicer
from services.planner.settings import PlannerSettings
from services.planner.understand.acts import tagger


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

    def register(self, server: grpc.aio.Server) -> None:
        """Adds the servicer to the server."""
        settings = self._settings
        name = settings.understand_model or settings.agent_model
        agent = self._agent_model or llm.connect(settings, name)
        response = self._response_model or llm.connect(settings, settings.response_model)
        self._planner = Planner(llm.watch_model(agent, name), llm.watch_model(response, settings.response_model))
        PlannerServicer(self._planner).add_to(server)

    async def start(self) -> None:
        """Loads the classifier's weights, so that no turn waits for them."""
        await asyncio.to_thread(tagger.shipped)

    async def close(self) -> None:
        """Lets go of the models."""
        if self._planner is not None:
            await self._planner.close()
