"""The gateway's settings; see `services/chassis/settings.py` for how they are read."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.chassis.settings import SettingsModel


class GatewaySettings(SettingsModel):
    """Where to listen, where the services are, and how a conversation is judged. Times in the unit the name says."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    data_dir: Path = Path(".dbdiag")
    # SQLAlchemy URL of the session store; None: a SQLite file in data_dir.
    sessions_url: str | None = None
    gateway_engine_address: str = "127.0.0.1:50051"
    gateway_matcher_address: str = "127.0.0.1:50052"
    gateway_planner_address: str = "127.0.0.1:50053"
    gateway_knowledge_address: str = "127.0.0.1:50054"
    # None: there is no collector, and nothing is looked at by itself.
    gateway_collector_address: str | None = None
    # Time that one look of a conversation may take, within the turn's.
    gateway_look_seconds: float = Field(default=40.0, gt=0)
    gateway_turn_seconds: float = Field(default=60.0, gt=0)
    gateway_max_steps: int = Field(default=12, ge=3)
    high_confidence_threshold: float = Field(default=0.95, gt=0.5, lt=1)
    stuck_detection_rounds: int = Field(default=3, ge=1)
    session_timeout_minutes: float = Field(default=30.0, gt=0)
    drain_seconds: float = Field(default=10.0, ge=0)
