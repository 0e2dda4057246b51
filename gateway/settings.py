"""The gateway's settings (read by `services/chassis/settings.py`), and whether its data folder can be written."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.chassis.problems import Misfit, system_problem
from services.chassis.settings import SettingsModel

SHORTEST_TOKEN = 16
_NAME = re.compile(r"[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]+\]")


def _names(given: object) -> object:
    """One name, or several joined by commas, as the environment has to write them."""
    return [name for part in given.split(",") if (name := part.strip())] if isinstance(given, str) else given


def _host_name(name: str) -> str:
    if _NAME.fullmatch(name.lower()) is None:
        raise Misfit("invalid_setting.host_name", name=repr(name))
    return name.lower()


def _token(token: SecretStr) -> SecretStr:
    text = token.get_secret_value().strip()
    if len(text) < SHORTEST_TOKEN or not all("!" <= letter <= "~" for letter in text):
        # The value stays out of the message.
        raise Misfit("invalid_setting.token", least=str(SHORTEST_TOKEN))
    return SecretStr(text)


class GatewaySettings(SettingsModel):
    """Addresses, and limits of a conversation. Units are part of the names."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    # Host names that requests may carry beside loopback's and `host`.
    allowed_hosts: Annotated[tuple[Annotated[str, AfterValidator(_host_name)], ...], BeforeValidator(_names)] = ()
    # What every request must carry; needed where `host` is not loopback.
    token: Annotated[SecretStr, AfterValidator(_token)] | None = None
    data_dir: Path = Path(".dbdiag")
    # SQLAlchemy URL of the session store; None: a SQLite file in data_dir.
    sessions_url: str | None = None
    gateway_engine_address: str = "127.0.0.1:50051"
    gateway_matcher_address: str = "127.0.0.1:50052"
    gateway_planner_address: str = "127.0.0.1:50053"
    gateway_knowledge_address: str = "127.0.0.1:50054"
    # None: no collector, so no live checks.
    gateway_collector_address: str | None = None
    # None: no analyst, so questions about tickets and sessions are not counted.
    gateway_analyst_address: str | None = None
    # Time limit of one data question within a turn.
    gateway_data_seconds: float = Field(default=20.0, gt=0)
    # Time limit of one investigation within a turn.
    gateway_look_seconds: float = Field(default=40.0, gt=0)
    gateway_turn_seconds: float = Field(default=60.0, gt=0)
    gateway_max_steps: int = Field(default=12, ge=3)
    high_confidence_threshold: float = Field(default=0.95, gt=0.5, lt=1)
    stuck_detection_rounds: int = Field(default=3, ge=1)
    session_timeout_minutes: float = Field(default=30.0, gt=0)
    drain_seconds: float = Field(default=10.0, ge=0)


def ensure_writable(folder: Path, advice: str) -> Path:
    """Creates `folder` if it is missing. Raises InvalidInput with the message of key `advice` if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        problem = system_problem(error)
        raise InvalidInput(
            "data_folder_not_writable", folder=str(folder), problem=problem, advice=Message(advice)
        ) from error
    return folder
