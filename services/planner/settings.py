"""The room's settings."""

from __future__ import annotations

from services.chassis.settings import LlmSettings, ServerSettings


class PlannerSettings(ServerSettings, LlmSettings):
    """`agent_model` names the model that helps to understand, `response_model` the one that words answers."""
