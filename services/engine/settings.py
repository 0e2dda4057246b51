"""The engine's settings: the snapshot source, the size of the model cache, the confidence threshold."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.chassis.settings import ServerSettings


class EngineSettings(ServerSettings):
    """Either engine_knowledge_address or engine_snapshot_dir names the snapshot source.

    engine_snapshot_dir holds `<hex>.json` files and `current`, a file with the id of the current snapshot.
    engine_start_seconds: the time that a start waits for the first snapshot. engine_workers: processes that share the
    port.
    """

    engine_knowledge_address: str | None = None
    engine_snapshot_dir: Path | None = None
    engine_cache_snapshots: int = Field(default=4, ge=1)
    engine_refresh_seconds: float = Field(default=1.0, gt=0)
    engine_start_seconds: float = Field(default=30.0, ge=0)
    engine_workers: int = Field(default=1, ge=1, le=256)
    high_confidence_threshold: float = Field(default=0.95, gt=0.5, lt=1)
