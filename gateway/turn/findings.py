"""What tools of a turn bring: the meaning of words, beliefs, the result of a live investigation, figures of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbdiag.collector.v1.collector_types import Target
from dbdiag.engine.v1.engine_types import DiagnoseResponse
from dbdiag.matcher.v1.matcher_types import (
    Facility,
    Interpretation,
    Reading,
    SearchPhenomenaResponse,
    Untied,
)
from dbdiag.planner.v1.planner_types import (
    Answer,
    AppliedCorrection,
    AppliedSuggestion,
    CorrectionStep,
    DiagnosisView,
    Item,
)
from dbdiag.vocabulary import LocalizedText, ModelUsage

from gateway.investigation.model import CheckRun
from gateway.investigation.state import Shown
from gateway.session.belief_points import BeliefPoint
from gateway.session.ledger import AskedData
from services.chassis.errors import DbdiagError


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


# A call's name, request and response.
Exchange = tuple[str, object, object]


@dataclass(frozen=True)
class Words:
    """Words of the plan and their meaning. step: the correction that they belong to, None for an observation."""

    text: str
    meaning: Interpretation
    step: CorrectionStep | None = None


@dataclass(frozen=True)
class Evaluation:
    """The evaluated evidence. points: the belief history including it; pending: the next questions."""

    diagnosis: DiagnoseResponse
    view: DiagnosisView
    points: tuple[BeliefPoint, ...]
    pending: tuple[Item, ...]
    corrections: tuple[AppliedCorrection, ...]
    suggestions: tuple[AppliedSuggestion, ...]


@dataclass(frozen=True)
class ToolResult:
    """A tool's result, which the loop folds into the turn. failure: why it ended early; what it did bring counts.

    exchanges: its requests to services and their responses. bearing: what speaks for the causes in front.
    """

    words: tuple[Words, ...] = ()
    suspicions: tuple[tuple[str, SearchPhenomenaResponse], ...] = ()
    # The message was read; `readings`: what it says outside of the plan's words.
    read: bool = False
    readings: tuple[Reading, ...] = ()
    unread_output: str = ""  # The first line of pasted output that nobody could place.
    # The phenomena of which the message takes back what was said.
    retracted: tuple[str, ...] = ()
    facilities: tuple[Facility, ...] = ()
    untied: tuple[Untied, ...] = ()
    bearing: frozenset[str] = frozenset()
    evaluation: Evaluation | None = None
    # Beliefs that a query had to request itself.
    diagnosis: DiagnoseResponse | None = None
    answers: tuple[Answer, ...] = ()
    # What the analyst answered, and the questions about data that a next one may continue.
    figures: tuple[DataFigure, ...] = ()
    asked_data: AskedData | None = None
    seen: Seen | None = None
    exchanges: tuple[Exchange, ...] = ()
    usage: ModelUsage | None = None
    failure: DbdiagError | None = None
