"""The matcher's settings."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.chassis.settings import LlmServerSettings


class MatcherSettings(LlmServerSettings):
    """Without `matcher_qdrant_url` the index is in memory. `rerank_model` reads messages; it defaults to `agent_model`.

    `matcher_cache_dir` caches indexes between starts; it may be empty, deleted or read-only.
    """

    matcher_knowledge_address: str = "127.0.0.1:50054"
    matcher_qdrant_url: str | None = None
    matcher_qdrant_timeout_seconds: float = Field(default=5.0, gt=0)
    matcher_cache_dir: Path = Path("~/.cache/dbdiag")
    matcher_max_snapshots: int = Field(default=3, ge=1)
    # How long the name of the current snapshot is cached.
    matcher_refresh_seconds: float = Field(default=2.0, ge=0)
