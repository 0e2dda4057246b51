"""An evaluation's request and result, from and to dbdiag.engine.v1."""

from __future__ import annotations

from dbdiag.engine.v1 import engine_pb2 as pb

from services.chassis.errors import InvalidInput
from services.engine.calibration.evaluation import Course, Evaluation, Lines, Trial
from services.engine.model import ScoringRule


def trial_from_wire(message: pb.EvaluateRequest) -> Trial:
    """The evaluation that a request asks for. Raises InvalidInput for a share or a belief out of range."""
    if not (0 <= message.flip <= 1 and 0 <= message.unknown <= 1 and 0.5 < message.threshold < 1):
        raise InvalidInput("invalid_request.evaluation_shares")
    rule = ScoringRule.SEED if message.rule == pb.SCORING_RULE_SEED else ScoringRule.BAYES
    shares = message.threshold, message.flip, message.unknown
    return Trial(
        course=Course(message.max_questions, *shares, message.seed, rule),
        tickets=Lines(message.tickets_name, message.tickets) if message.tickets_name else None,
        cases=Lines(message.cases_name, message.cases) if message.plays_cases else None,
        parameters=dict(message.parameters),
        plots=message.plots,
    )


def evaluation_to_wire(evaluation: Evaluation) -> pb.Evaluation:
    """The message of an evaluation."""
    return pb.Evaluation(
        case_count=evaluation.case_count,
        figures=[pb.Figure(name=name, value=value) for name, value in evaluation.figures.items()],
        reliability_plot=evaluation.reliability_plot,
        questions_plot=evaluation.questions_plot,
    )
