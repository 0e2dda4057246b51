"""The room's settings: the targets file and the budgets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Self

from pydantic import Field

from redaction import redact
from services.chassis.settings import ServerSettings
from services.collector.gate import Limits
from services.collector.model import Risk


class CollectorSettings(ServerSettings):
    """collector_targets: the targets file; None: this host alone. collector_evidence: where steps are kept.

    The rest are budgets of a session and of a call. collector_max_risk: none, low or medium; before
    collector_repeat_seconds have passed a session does not run a check again. collector_hide_addresses: whether IP
    addresses are left out of what is kept, like secrets.
    """

    collector_targets: Path | None = None
    collector_evidence: Path = Path(".dbdiag/report")
    collector_max_rounds: int = Field(default=20, ge=1)
    collector_max_checks_per_round: int = Field(default=20, ge=1)
    collector_max_total_checks: int = Field(default=100, ge=1)
    collector_time_budget_seconds: float = Field(default=120.0, gt=0)
    collector_max_risk: Risk = Risk.LOW
    collector_repeat_seconds: float = Field(default=20.0, ge=0)
    collector_hide_addresses: bool = False

    def redaction(self) -> Callable[[str], str]:
        """The function that removes secrets from a text, and addresses if `collector_hide_addresses` is set."""
        return partial(redact, hide_addresses=self.collector_hide_addresses)

    def limits(self) -> Limits:
        """The budgets as the gate takes them."""
        return Limits(
            max_rounds=self.collector_max_rounds,
            max_checks_per_round=self.collector_max_checks_per_round,
            max_total_checks=self.collector_max_total_checks,
            time_budget_seconds=self.collector_time_budget_seconds,
            max_risk=self.collector_max_risk,
            repeat_after_seconds=self.collector_repeat_seconds,
        )

    def within(self, data_dir: Path | None) -> Self:
        """These settings for one that keeps its data in a folder; `targets.yaml` there is its targets file."""
        if data_dir is None:
            return self
        targets = data_dir / "targets.yaml"
        places: dict[str, object] = {"collector_evidence": data_dir / "report"}
        if self.collector_targets is None and targets.is_file():
            places["collector_targets"] = targets
        return self.model_copy(update=places)
