"""The tool what_if: the beliefs under a supposition; nothing is recorded."""

from __future__ import annotations

from dbdiag.engine.v1.engine_types import Evidence
from dbdiag.planner.v1.planner_types import Answer, Assumption, QuestionKind, WhatIfAnswer
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import Services
from gateway.turn.apply_plan import list_assumptions
from gateway.turn.context import Turn
from gateway.turn.findings import Exchange, ToolResult
from gateway.turn.tools.match import suppositions
from gateway.turn.tools.queries import questions


async def what_if(turn: Turn, services: Services) -> ToolResult:
    """The beliefs under a supposition; nothing is recorded."""
    answers: list[Answer] = []
    exchanges: list[Exchange] = []
    for question in questions(turn, QuestionKind.WHAT_IF):
        supposed: list[tuple[str, Verdict]] = []
        unresolved: list[str] = []
        for assumption in question.assumptions:
            found = await _resolve_assumption(turn, services, assumption, exchanges)
            supposed += found
            if not found:
                unresolved.append(assumption.reference.words or question.text)
        if supposed or not question.assumptions:
            answers.append(await _evaluate(turn, services, supposed, unresolved, exchanges))
        else:
            answers.append(WhatIfAnswer(unresolved=tuple(unresolved)))
    return ToolResult(answers=tuple(answers), exchanges=tuple(exchanges))


async def _resolve_assumption(
    turn: Turn, services: Services, assumption: Assumption, exchanges: list[Exchange]
) -> list[tuple[str, Verdict]]:
    reference, verdict = assumption.reference, assumption.verdict
    if reference.words is None:
        return list_assumptions(turn, reference, verdict or Verdict.CONFIRMED)
    found, asked = await suppositions(turn, services.matcher, reference.words)
    exchanges.append(asked)
    # Words may deny: "what if IO waits were low" supposes that they are not high.
    denies = verdict is Verdict.DENIED
    return [(phenomenon_id, Verdict.DENIED if denies else stated) for phenomenon_id, stated in found]


async def _evaluate(
    turn: Turn,
    services: Services,
    supposed: list[tuple[str, Verdict]],
    unresolved: list[str],
    exchanges: list[Exchange],
) -> WhatIfAnswer:
    stated = dict(supposed)
    edited = tuple(Evidence(phenomenon_id, verdict) for phenomenon_id, verdict in stated.items())
    reply = await services.engine.what_if(turn.known(), edited)
    exchanges.append(("what_if", edited, reply))
    catalog = turn.catalog
    views = turn.views_of([turn.session.entry(name, verdict, 1.0, "", "") for name, verdict in stated.items()])
    return WhatIfAnswer(
        assumed=views,
        changes=reply.changes,
        leader_before=catalog.root_cause_name(reply.leader_before),
        leader_confidence_before=reply.leader_confidence_before,
        leader_after=catalog.root_cause_name(reply.leader_after),
        leader_confidence_after=reply.leader_confidence_after,
        unresolved=tuple(unresolved),
    )
