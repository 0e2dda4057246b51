"""The room's settings."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.chassis.settings import LlmServerSettings


class MatcherSettings(LlmServerSettings):
    """`matcher_qdrant_url` None: an embedded index in memory. `rerank_model` reranks, by default `agent_model`.

    `matcher_cache_dir` keeps what was read of libraries between starts; it may be empty, lost or read-only.
    """

    matcher_knowledge_address: str = "127.0.0.1:50054"
    matcher_qdrant_url: str | None = None
    matcher_qdrant_timeout_seconds: float = Field(default=5.0, gt=0)
    matcher_cache_dir: Path = Path("~/.cache/dbdiag")
    matcher_max_snapshots: int = Field(default=3, ge=1)
    # How long the name of the current snapshot is believed before knowledge is asked again.
    matcher_refresh_seconds: float = Field(default=2.0, ge=0)
