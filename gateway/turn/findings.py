"""What tools found beside evidence: the result of a live investigation, and figures of data."""

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


@dataclass(frozen=True)
class DataFigure:
    """An answer of the analyst as a program or a page shows it. chart: an SVG document, or empty; rows: the first."""

    question: str
    status: str
    answer: str
    understood: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_count: int = 0
    sql: str = ""
    chart_kind: str = "none"
    chart: str = ""
