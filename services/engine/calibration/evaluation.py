"""Evaluates the engine by playing cases question by question, against tickets that it has not learned from.

A case starts with its complaint and answers the engine's best question each turn. It ends when a cause is concluded, no
question is left, or the limit of questions is reached. Phenomena that were not present are answered with no.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from services.chassis.errors import DbdiagError, InvalidInput
from services.engine.calibration.learning import Learned, choose_parameters
from services.engine.calibration.metrics import Played, measure, questions_svg, reliability_svg
from services.engine.diagnose import DEFAULT_THRESHOLD, bind_reasoner
from services.engine.inference.evidence import Answer
from services.engine.inference.lookahead import add_answer
from services.engine.inference.reasoner import Accelerate, Reasoner, ReasoningModel, open_model
from services.engine.model import ScoringRule, Verdict
from services.engine.results.recommendation import rank
from services.engine.tables.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.tables.snapshot import FORMAT, Snapshot, from_document

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Case:
    """A fault with a known cause: the phenomena that were present, and the complaint. Ids are any strings."""

    case_id: str
    root_cause_id: str
    present: frozenset[str]
    initial: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The conditions of an evaluation. flip and unknown are the shares of answers that are wrong or unavailable."""

    max_questions: int = 20
    threshold: float = DEFAULT_THRESHOLD
    flip: float = 0.0
    unknown: float = 0.0
    seed: int = 1
    rule: ScoringRule = ScoringRule.BAYES


def play_cases(model: ReasoningModel, cases: Sequence[Case], course: Course, progress: Progress) -> list[Played]:
    """Plays every case against one model; equal arguments give equal results."""
    reasoner = bind_reasoner(model, course.rule)
    played = []
    for number, case in enumerate(cases, 1):
        played.append(play(reasoner, case, course))
        progress(number, len(cases))
    return played


def play_left_out(
    snapshot: Snapshot, course: Course, parameters: Parameters, progress: Progress, accelerate: Accelerate | None = None
) -> list[Played]:
    """Plays each ticket of a snapshot against the model without that ticket.

    The parameters are the same for all tickets: one ticket hardly influences three numbers that all tickets chose.
    """
    played = []
    for number, case in enumerate(ticket_cases(snapshot)):
        model = open_model(snapshot.without(number), parameters, accelerate)
        played.append(play(bind_reasoner(model, course.rule), case, course))
        progress(number + 1, len(snapshot.tickets))
    return played


def play(reasoner: Reasoner, case: Case, course: Course) -> Played:
    """Plays one case; its random draws depend only on the seed of the course and the id of the case."""
    try:
        return _play(reasoner, case, course)
    except DbdiagError:
        return Played(case.case_id, failed=True)


def _play(reasoner: Reasoner, case: Case, course: Course) -> Played:
    snapshot = reasoner.model.snapshot
    chance = random.Random(f"{course.seed}:{case.case_id}")
    known = {snapshot.phenomenon_index[name] for name in case.initial if name in snapshot.phenomenon_index}
    answers = tuple(Answer(phenomenon, Verdict.CONFIRMED, 1.0) for phenomenon in sorted(known))
    state = reasoner.posterior(answers)
    questions, stopped = 0, False
    while not (stopped := reasoner.is_concluded(answers, state, state.leading(1)[0], course.threshold)):
        asked = rank(reasoner, answers, state).best(1) if questions < course.max_questions else []
        if not asked:
            break
        answers = add_answer(answers, asked[0], _reply(snapshot.phenomenon_ids[asked[0]], case, course, chance))
        state = reasoner.posterior(answers)
        questions += 1
    leading = state.leading(3)
    right = snapshot.cause_index.get(case.root_cause_id)
    return Played(
        case_id=case.case_id,
        questions=questions,
        stopped=stopped,
        confidence=float(state.belief[leading[0]]),
        belief_in_right=0.0 if right is None else float(state.belief[right]),
        place=leading.index(right) + 1 if right in leading else 0,
    )


def _reply(name: str, case: Case, course: Course, chance: random.Random) -> Verdict:
    # Both are drawn for every answer, so that changing one share does not change which answers the other affects.
    unknown, flipped = chance.random() < course.unknown, chance.random() < course.flip
    if unknown:
        return Verdict.UNKNOWN
    return Verdict.CONFIRMED if (name in case.present) != flipped else Verdict.DENIED


def ticket_cases(snapshot: Snapshot) -> Iterator[Case]:
    """Each ticket as a case whose complaint is the first phenomenon it recorded."""
    for ticket in snapshot.tickets:
        names = [snapshot.phenomenon_ids[phenomenon] for phenomenon in ticket.phenomena]
        yield Case(ticket.ticket_id, snapshot.cause_ids[ticket.cause], frozenset(names), tuple(names[:1]))


def read_cases(lines: Iterable[str], source: str) -> list[Case]:
    """Reads the cases in a JSON Lines file. Raises InvalidInput naming the line and the field."""
    return [
        Case(
            case_id=_text(row, "case_id", where),
            root_cause_id=_text(row, "root_cause_id", where),
            present=frozenset(_names(row, "present", where)),
            initial=_names(row, "initial", where),
        )
        for where, row in _rows(lines, source)
    ]


def read_tickets(lines: Iterable[str], source: str) -> Snapshot:
    """Reads tickets from a JSON Lines file into a snapshot without links. Raises InvalidInput naming line and field."""
    tickets = [
        {
            "id": _text(row, "ticket_id", where),
            "root_cause": _text(row, "root_cause_id", where),
            "phenomena": _names(row, "phenomena", where),
        }
        for where, row in _rows(lines, source)
    ]
    if not tickets:
        raise InvalidInput("invalid_request.no_tickets", source=source)
    phenomena = sorted({name for ticket in tickets for name in ticket["phenomena"]})
    causes = sorted({str(ticket["root_cause"]) for ticket in tickets})
    document = {"format": FORMAT, "tickets": tickets}
    named = {"phenomena": phenomena, "root_causes": causes}
    entries = {key: [{"id": name, "name": {"zh": name, "en": name}} for name in ids] for key, ids in named.items()}
    return from_document({**document, **entries}, source)


def _rows(lines: Iterable[str], source: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    for number, line in enumerate(lines, 1):
        where = f"{source}, line {number}"
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("invalid_request.case_not_json", where=where, problem=str(error)) from error
        if not isinstance(row, dict):
            raise InvalidInput("invalid_request.case_not_object", where=where)
        yield where, row


def _text(row: Mapping[str, object], field: str, where: str) -> str:
    value = row.get(field)
    if not isinstance(value, str) or not value:
        raise InvalidInput("invalid_request.case_field_not_text", where=where, field=field, value=repr(value))
    return value


def _names(row: Mapping[str, object], field: str, where: str) -> tuple[str, ...]:
    value = row.get(field)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidInput("invalid_request.case_field_not_ids", where=where, field=field)
    return tuple(value)


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
