"""The room's settings."""

from __future__ import annotations

from services.chassis.settings import LlmSettings, ServerSettings


class PlannerSettings(ServerSettings, LlmSettings):
    """`understand_model` helps to understand, by default `agent_model`; `response_model` words the answers."""

    understand_model: str | None = None
