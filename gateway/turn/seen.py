"""The result of a live investigation, before the turn takes it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbdiag.collector.v1.collector_types import Target
from dbdiag.vocabulary import LocalizedText

from gateway.investigation.model import CheckRun
from gateway.investigation.state import Shown


@dataclass(frozen=True)
class Seen:
    """The result of a live investigation. unlooked: phenomena that the checks left out could have decided."""

    target: Target
    shown: tuple[Shown, ...]
    looks: tuple[CheckRun, ...]
    names: Mapping[str, LocalizedText]
    hashes: Mapping[str, str]
    unlooked: tuple[str, ...]
    seconds: float
