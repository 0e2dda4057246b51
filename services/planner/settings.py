"""The room's settings."""

from __future__ import annotations

from services.chassis.settings import LlmServerSettings


class PlannerSettings(LlmServerSettings):
    """`understand_model` helps to understand, by default `agent_model`; `response_model` words the answers."""
