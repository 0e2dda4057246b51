"""How likely phenomena are by what is known of a case."""

from __future__ import annotations

import numpy as np

from services.engine.inference.evidence import find_phenomena, read_answers
from services.engine.inference.reasoner import Reasoner
from services.engine.model import ENGINE_VERSION, Expectation, ExpectRequest, ExpectResponse
from services.engine.tables.numerics import round_reported


def expect(reasoner: Reasoner, request: ExpectRequest) -> ExpectResponse:
    """The probability that each phenomenon is there, in the order asked; what is on record of it does not count."""
    snapshot, likelihoods = reasoner.model.snapshot, reasoner.model.likelihoods
    asked = find_phenomena(snapshot, request.phenomenon_ids)
    answers = [each for each in read_answers(snapshot, request.evidence) if each.phenomenon not in asked]
    state = reasoner.posterior(answers)
    yes = reasoner.exact_gains(state, np.array(asked, dtype=np.int64)).yes if asked else np.zeros(0)
    found = zip(request.phenomenon_ids, yes.tolist(), likelihoods.answer_base[list(asked)].tolist(), strict=True)
    return ExpectResponse(
        snapshot.snapshot_id,
        ENGINE_VERSION,
        tuple(Expectation(name, round_reported(likely), round_reported(base)) for name, likely, base in found),
    )
