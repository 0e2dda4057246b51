"""The room's settings."""

from __future__ import annotations

from pathlib import Path

from services.chassis.settings import LlmServerSettings


class PlannerSettings(LlmServerSettings):
    """`understand_model` helps to understand, by default `agent_model`; `response_model` words the answers.

    `planner_cache_dir` keeps what was learned from the examples between starts; it may be empty, lost or read-only.
    """

    planner_cache_dir: Path = Path("~/.cache/dbdiag")
