"""Settings of an import: the optional language model that splits free texts."""

from __future__ import annotations

from services.chassis.settings import LlmSettings, SettingsModel


class ImportSettings(SettingsModel, LlmSettings):
    """`understand_model` splits; `agent_model` where it is not named."""

    understand_model: str | None = None
