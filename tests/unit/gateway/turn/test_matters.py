"""What a question is about speaks for a cause only where the library says that the cause shows it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from dbdiag.engine.v1.engine_types import DiagnoseResponse, Hypothesis, Relation
from dbdiag.matcher.v1.matcher_types import Candidate, MatchPhenomenaResponse, SearchPhenomenaResponse
from dbdiag.planner.v1.planner_types import MatterView, QuestionKind, QuestionStep
from dbdiag.vocabulary import LocalizedText

from gateway.contracts.clients import Services
from gateway.session.catalog import Catalog
from gateway.session.ledger import Session
from gateway.turn.context import Turn
from gateway.turn.tools.matters import find_matter

LEADER, OTHER, SIGN = "RC-0001", "RC-0002", "P-0001"


def matter_of(*links: Relation) -> MatterView:
    """What is told of a sign that is not on record, with these links to causes of which the first one leads."""

    async def relations(_snapshot: str, **asked: str) -> tuple[Relation, ...]:
        return tuple(link for link in links if asked.get("root_cause_id", link.root_cause_id) == link.root_cause_id)

    async def search(*_: object, **__: object) -> SearchPhenomenaResponse:
        return SearchPhenomenaResponse(candidates=(Candidate(SIGN, score=0.9),))

    async def match(_: object) -> MatchPhenomenaResponse:
        return MatchPhenomenaResponse()

    fakes: Any = SimpleNamespace(
        engine=SimpleNamespace(relations=relations), matcher=SimpleNamespace(search=search, match=match)
    )
    turn = Turn(Session("s", 0.0, 0.0), "words", Catalog("s", {}, {}), 3, 0.95)
    found = DiagnoseResponse(hypotheses=(Hypothesis(LEADER, confidence=0.6), Hypothesis(OTHER, confidence=0.3)))
    asked = QuestionStep(QuestionKind.HELP, text="can two columns have to do with it?")
    return asyncio.run(find_matter(turn, cast("Services", fakes), asked, found, []))


@pytest.mark.parametrize(
    ("strength", "likelihood", "points_to", "reason"),
    [("rarely", 0.05, OTHER, "it is this"), ("usually", 0.75, "", "it shows it")],
)
def test_a_sign_that_a_cause_rarely_shows_does_not_point_to_it(
    strength: str, likelihood: float, points_to: str, reason: str
) -> None:
    """The reason of a rare link tells why the cause does not show the sign; it is no reason for the cause."""
    why = "one of them is enough" if strength == "rarely" else "it shows it"
    found = matter_of(
        Relation(SIGN, LEADER, likelihood, strength, LocalizedText(why, why)),
        Relation(SIGN, OTHER, 0.95, "always", LocalizedText("it is this", "it is this")),
    )
    assert (found.points_to.root_cause_id, found.reason.en) == (points_to, reason)
