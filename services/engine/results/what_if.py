"""Compares the belief before and after an edit of the evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.chassis.errors import InvalidInput
from services.engine.inference.evidence import Answer, find_phenomena, read_answers
from services.engine.inference.posterior import Posterior
from services.engine.inference.reasoner import Reasoner
from services.engine.model import DEFAULT_COUNT, ENGINE_VERSION, BeliefChange, WhatIfRequest, WhatIfResponse
from services.engine.tables.numerics import order_descending, round_reported

MAX_CHANGES = 100


def compare(reasoner: Reasoner, request: WhatIfRequest) -> WhatIfResponse:
    """Compares the beliefs in the causes that move most."""
    if request.max_changes > MAX_CHANGES:
        raise InvalidInput(
            "invalid_request.too_many_results", field="max_changes", value=request.max_changes, most=MAX_CHANGES
        )
    answers = read_answers(reasoner.model.snapshot, request.evidence)
    before = reasoner.posterior(answers)
    after = reasoner.posterior(_edited(reasoner, answers, request))
    moved = np.abs(after.causes - before.causes)
    names, ids = reasoner.model.snapshot.cause_names, reasoner.model.snapshot.cause_ids
    leader, challenger = before.leading(1)[0], after.leading(1)[0]

    def change(cause: int) -> BeliefChange:
        return BeliefChange(ids[cause], names[cause], _confidence(before, cause), _confidence(after, cause))

    return WhatIfResponse(
        snapshot_id=reasoner.model.snapshot.snapshot_id,
        engine_version=ENGINE_VERSION,
        changes=tuple(change(cause) for cause in order_descending(moved, request.max_changes or DEFAULT_COUNT)),
        leader_after=ids[challenger],
        leader_confidence_after=_confidence(after, challenger),
        leader_before=ids[leader],
        leader_confidence_before=_confidence(before, leader),
    )


def _edited(reasoner: Reasoner, answers: Sequence[Answer], request: WhatIfRequest) -> tuple[Answer, ...]:
    snapshot = reasoner.model.snapshot
    edited = {answer.phenomenon: answer for answer in answers}
    for phenomenon in find_phenomena(snapshot, request.retract_phenomenon_ids):
        edited.pop(phenomenon, None)
    edited.update((answer.phenomenon, answer) for answer in read_answers(snapshot, request.replace))
    return tuple(edited[phenomenon] for phenomenon in sorted(edited))


def _confidence(state: Posterior, cause: int) -> float:
    return round_reported(state.belief[cause])
