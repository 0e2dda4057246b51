"""The signs of the leading cause that nobody has looked for yet: what would make it certain, what else shows it."""

from __future__ import annotations

from dbdiag.engine.v1.engine_types import DiagnoseResponse
from dbdiag.planner.v1.planner_types import RankedRecommendation

from gateway.contracts.clients import Services
from gateway.session.case_talk import waived
from gateway.turn.context import Turn
from gateway.turn.tools.caveats import how_to_look
from gateway.turn.tools.reach import out_of_reach

# A cause has a sign at least so often.
_OFTEN = 0.4
_BY_QUERY = "sql"


async def signs_to_look_for(
    turn: Turn, services: Services, diagnosis: DiagnoseResponse, *, by_query: bool
) -> tuple[RankedRecommendation, ...]:
    """The open signs of the leading cause with their checks: the one that is asked for, then the cheapest.

    by_query: only those that a query shows, without the one that is asked for, since it cannot be looked for.
    """
    leader = next(iter(diagnosis.hypotheses), None)
    if leader is None:
        return ()
    links = await services.engine.relations(turn.session.snapshot_id, root_cause_id=leader.root_cause_id)
    asked = [item.phenomenon_id for item in turn.session.pending[:1]]
    gone = {*waived(turn.session), *out_of_reach(turn), *(entry.phenomenon_id for entry in turn.session.active())}
    often = [each.phenomenon_id for each in links if each.likelihood >= _OFTEN and each.phenomenon_id not in gone]
    if by_query:
        found = [how_to_look(turn, each) for each in often if each not in asked]
        return tuple(sorted((each for each in found if each.observe_kind == _BY_QUERY), key=lambda each: each.cost))
    found = sorted((how_to_look(turn, each) for each in often), key=lambda each: each.cost)
    return tuple(sorted(found, key=lambda each: each.phenomenon_id not in asked))
