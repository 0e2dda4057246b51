"""A whole evaluation: learn the numbers of the model, play the cases, measure how they ended, draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from services.chassis.errors import InvalidInput
from services.engine.calibration.evaluation import (
    Course,
    Progress,
    play_cases,
    play_left_out,
    read_cases,
    read_tickets,
)
from services.engine.calibration.learning import Learned, choose_parameters
from services.engine.calibration.metrics import measure, questions_svg, reliability_svg
from services.engine.inference.reasoner import ReasoningModel, open_model
from services.engine.model import ScoringRule
from services.engine.tables.parameters import DEFAULT_PARAMETERS, Parameters


@dataclass(frozen=True, slots=True)
class Lines:
    """A JSON Lines file and its name."""

    name: str
    content: bytes

    def read(self) -> list[str]:
        """Its lines. Raises InvalidInput for what is not text in UTF-8."""
        try:
            # Not splitlines: JSON strings may hold other characters that it takes for the end of a line.
            return self.content.decode("utf-8-sig").split("\n")
        except UnicodeDecodeError as error:
            raise InvalidInput("invalid_request.lines_not_utf8", name=self.name, problem=str(error)) from error


@dataclass(frozen=True, slots=True)
class Trial:
    """What to evaluate. tickets: in place of the snapshot's; cases: None plays each ticket, left out meanwhile."""

    course: Course
    tickets: Lines | None = None
    cases: Lines | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    plots: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The metrics, then what was learned, by name; plots as SVG, empty unless asked for."""

    case_count: int
    figures: Mapping[str, float]
    reliability_plot: str = ""
    questions_plot: str = ""


def run_trial(model: ReasoningModel, trial: Trial, progress: Progress) -> Evaluation:
    """Evaluates a model's snapshot. Raises InvalidInput for unreadable lines and unknown parameters."""
    parameters = _parameters(trial.parameters)
    snapshot, accelerate = model.snapshot, model.accelerate
    if trial.tickets is not None:
        snapshot = read_tickets(trial.tickets.read(), trial.tickets.name)
    # The seed's rule has none of these numbers.
    by_seed = trial.course.rule is ScoringRule.SEED
    learned = Learned(parameters) if by_seed else choose_parameters(snapshot, parameters, accelerate)
    if trial.cases is None:
        played = play_left_out(snapshot, trial.course, learned.parameters, progress, accelerate)
    else:
        cases = read_cases(trial.cases.read(), trial.cases.name)
        played = play_cases(open_model(snapshot, learned.parameters, accelerate), cases, trial.course, progress)
    metrics = measure(played)
    figures = {**asdict(metrics), **learned.figures()}
    plots = (reliability_svg(played), questions_svg(played)) if trial.plots else ("", "")
    return Evaluation(metrics.cases, figures, *plots)


def _parameters(changes: Mapping[str, float]) -> Parameters:
    known = {item.name for item in fields(DEFAULT_PARAMETERS)} - {"expert_rates"}
    if unknown := sorted(changes.keys() - known):
        raise InvalidInput("invalid_request.unknown_parameter", name=unknown[0], known=tuple(sorted(known)))
    chosen: dict[str, Any] = dict(changes)
    return replace(DEFAULT_PARAMETERS, **chosen)
