"""What an import reads of the settings: the language model that splits free texts, where there is one."""

from __future__ import annotations

from services.chassis.settings import LlmSettings, SettingsModel


class ImportSettings(SettingsModel, LlmSettings):
    """`understand_model` splits; `agent_model` where it is not named."""

    understand_model: str | None = None
