"""The phenomena that speak for the causes in front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.engine.v1.engine_types import Relation
from dbdiag.matcher.v1.matcher_types import Standing

from gateway.contracts.clients import Services
from gateway.turn.context import ToolResult, Turn

# How many causes lead, and how often one has what speaks for it.
_LEADERS, _SPEAKS_FROM = 3, 0.3


async def find_bearing(turn: Turn, services: Services, causes: Iterable[str]) -> dict[str, Relation]:
    """The phenomena that speak for one of the first causes, each with the cause that it speaks for first."""
    found: dict[str, Relation] = {}
    for cause in list(causes)[:_LEADERS]:
        for link in await services.engine.relations(turn.session.snapshot_id, root_cause_id=cause):
            if link.likelihood >= _SPEAKS_FROM:
                found.setdefault(link.phenomenon_id, replace(link, root_cause_id=cause))
    return found


async def with_bearing(turn: Turn, services: Services, result: ToolResult) -> ToolResult:
    """The reading of a message with what speaks for the causes in front, where something in it is not sure."""
    readings = [*result.readings, *(reading for words in result.words for reading in words.meaning.readings)]
    if all(reading.standing is Standing.COUNTS for reading in readings):
        return result
    leading = (belief.root_cause_id for belief in turn.session.beliefs())
    return replace(result, bearing=frozenset(await find_bearing(turn, services, leading)))
