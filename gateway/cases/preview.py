"""The effect of learning a closed case: beliefs about the case itself, and verdicts on past cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbdiag.engine.v1.engine_types import Evidence
from dbdiag.vocabulary import BeliefChange

from gateway.cases.past_cases import Comparison, Contents, PastCase, Progress, compare, compare_beliefs
from gateway.contracts.engine_client import EngineClient

# Past cases that a preview judges, the most similar first.
PAST_CASES = 200
_SHOWN_BELIEFS = 10


@dataclass(frozen=True)
class Preview:
    """The snapshots without and with the case; equal for a held-out case, which changes nothing."""

    without_snapshot_id: str
    with_snapshot_id: str
    beliefs: tuple[BeliefChange, ...]
    past_cases: Comparison


async def make_preview(
    engine: EngineClient,
    case: PastCase,
    evidence: Sequence[Evidence],
    contents: tuple[Contents, Contents],
    limit: int = PAST_CASES,
    progress: Progress = lambda done, total: None,
) -> Preview:
    """Asks the engine about the case and about past cases, without and with learning it."""
    without, with_case = contents
    ordered = sorted(evidence, key=lambda item: item.phenomenon_id)
    beliefs = await compare_beliefs(engine, without, with_case, ordered, case.root_cause_id, _SHOWN_BELIEFS)
    before, after = (_leave_out(item, case.ticket_id) for item in contents)
    past = await compare(engine, before, after, limit, progress, case)
    return Preview(without.snapshot_id, with_case.snapshot_id, beliefs, past)


def _leave_out(contents: Contents, ticket_id: str) -> Contents:
    """The past cases without this one."""
    cases = tuple(case for case in contents.cases if case.ticket_id != ticket_id)
    return Contents(contents.snapshot_id, contents.phenomenon_ids, cases)
