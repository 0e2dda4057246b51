"""The belief as it is and as it would be after an edit of the evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.chassis.errors import InvalidInput
from services.engine.answers import Answer, known_phenomena, read_answers
from services.engine.belief import Posterior
from services.engine.model import DEFAULT_COUNT, ENGINE_VERSION, BeliefChange, Comparison, WhatIfRequest
from services.engine.numerics import by_falling, shown
from services.engine.reasoner import Reasoner

MAX_CHANGES = 100


def compare(reasoner: Reasoner, request: WhatIfRequest) -> Comparison:
    """Both beliefs for the causes that moved most."""
    if request.max_changes > MAX_CHANGES:
        raise InvalidInput(f"reading max_changes: {request.max_changes}, at most {MAX_CHANGES} are returned")
    answers = read_answers(reasoner.library.snapshot, request.evidence)
    before = reasoner.posterior(answers)
    after = reasoner.posterior(_edited(reasoner, answers, request))
    moved = np.abs(after.causes - before.causes)
    names, ids = reasoner.library.snapshot.cause_names, reasoner.library.snapshot.cause_ids
    leader, challenger = before.leading(1)[0], after.leading(1)[0]

    def change(cause: int) -> BeliefChange:
        return BeliefChange(ids[cause], names[cause], _confidence(before, cause), _confidence(after, cause))

    return Comparison(
        snapshot_id=reasoner.library.snapshot.snapshot_id,
        engine_version=ENGINE_VERSION,
        changes=tuple(change(cause) for cause in by_falling(moved, request.max_changes or DEFAULT_COUNT)),
        leader_after=ids[challenger],
        leader_confidence_after=_confidence(after, challenger),
        leader_before=ids[leader],
        leader_confidence_before=_confidence(before, leader),
    )


def _edited(reasoner: Reasoner, answers: Sequence[Answer], request: WhatIfRequest) -> tuple[Answer, ...]:
    snapshot = reasoner.library.snapshot
    edited = {answer.phenomenon: answer for answer in answers}
    for phenomenon in known_phenomena(snapshot, request.retract_phenomenon_ids):
        edited.pop(phenomenon, None)
    edited.update((answer.phenomenon, answer) for answer in read_answers(snapshot, request.replace))
    return tuple(edited[phenomenon] for phenomenon in sorted(edited))


def _confidence(state: Posterior, cause: int) -> float:
    return shown(state.belief[cause])
