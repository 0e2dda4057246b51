"""Checks that need what the person cannot reach: which these are, and what is asked where no other is left."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest
from dbdiag.engine.v1.engine_types import DiagnoseRequest, DiagnoseResponse, Hypothesis, Phenomenon, Recommendation
from dbdiag.planner.v1.planner_types import (
    DiagnosisView,
    Language,
    Limit,
    RankedHypothesis,
    RankedRecommendation,
    Reach,
    TurnPlan,
    TurnResults,
)
from dbdiag.vocabulary import LocalizedText

from gateway.contracts.engine_client import EngineClient
from gateway.session.case_talk import keep_case_talk
from gateway.session.catalog import Catalog
from gateway.session.ledger import Session
from gateway.turn.context import Turn
from gateway.turn.tools.diagnose import diagnose
from gateway.turn.tools.reach import beyond
from services.planner.speak.compose import compose
from tests.support.cases import for_each


def check(kind: str, how: str) -> Phenomenon:
    """A phenomenon with this way of looking."""
    return Phenomenon("P-1", LocalizedText("一", "one"), observe_kind=kind, how=LocalizedText(how, how))


@for_each(
    ("kind", "how", "reach"),
    [
        ("shell", "vmstat 1 10", Reach.HOST),
        ("shell", 'grep -hE "PANIC" "$PGDATA"/log/*.log', Reach.SERVER_LOG),
        ("manual", "In the monitoring, compare read IOPS", Reach.MONITORING),
        ("manual", "Cloud console: BurstBalance of the volume", Reach.MONITORING),
        ("sql", "-- on the primary\nSELECT 1", Reach.PRIMARY),
        ("sql", "-- on the standby\nSELECT 1", Reach.STANDBY),
        ("sql", "SELECT 1", Reach.DATABASE),
        ("manual", "Write a marked row on the primary", Reach.WRITES),
    ],
)
def test_a_check_needs_what_its_way_of_looking_needs(kind: str, how: str, reach: Reach) -> None:
    """Only that limit keeps from it; without limits all can be made."""
    found = check(kind, how)
    assert beyond(found, [Limit(reach)]) == (reach,)
    assert beyond(found, []) == ()
    assert beyond(check("sql", "SELECT * FROM pg_locks"), [Limit(Reach.VIEW, "pg_locks")]) == (Reach.VIEW,)
    assert beyond(check("sql", "SELECT * FROM pg_locks"), [Limit(Reach.HOST)]) == ()


def test_a_limit_holds_until_it_is_lifted() -> None:
    """Told again it is not new; lifted without a name, all are."""
    session = Session("s", 0.0, 0.0, turn=1)
    keep_case_talk(session, TurnPlan(limits=(Limit(Reach.HOST, words="no shell"), Limit(Reach.WRITES))))
    session.turn = 2
    keep_case_talk(session, TurnPlan(limits=(Limit(Reach.HOST, words="no shell, i said"),)))
    assert [(each.turn, each.lifted) for each in session.limits] == [(1, False), (1, False)]
    session.turn = 3
    keep_case_talk(session, TurnPlan(limits=(Limit(lifted=True),)))
    assert [(each.turn, each.lifted) for each in session.limits] == [(3, True), (3, True)]
    session.start_case()
    assert session.limits == ()


@dataclass
class OneCheck:
    """An engine that knows a single check."""

    asked: list[DiagnoseRequest] = field(default_factory=list)

    async def diagnose(self, request: DiagnoseRequest) -> DiagnoseResponse:
        """The check, unless it is excluded."""
        self.asked.append(request)
        left = () if "P-1" in request.excluded_phenomenon_ids else (Recommendation("P-1", LocalizedText("一", "one")),)
        return DiagnoseResponse(hypotheses=(Hypothesis("RC-1", confidence=0.4),), recommendations=left)


def test_the_only_check_left_is_marked_as_for_others() -> None:
    """It is asked of whoever can reach what it needs, where the person has no other."""
    session = Session("s", 0.0, 0.0, limits=(Limit(Reach.HOST),))
    turn = Turn(session, "words", Catalog("s", {"P-1": check("shell", "vmstat 1")}, {}), 3, 0.95, plan=TurnPlan())
    engine = OneCheck()
    told = asyncio.run(diagnose(turn, cast(EngineClient, engine))).evaluation
    assert engine.asked[0].excluded_phenomenon_ids == ("P-1",)
    assert told is not None
    assert [each.beyond for each in told.view.recommendations] == [(Reach.HOST,)]


@pytest.mark.parametrize(("language", "said"), [(Language.EN, "to whoever has access"), (Language.ZH, "请够得着的人")])
def test_a_check_for_others_is_told_as_that(language: Language, said: str) -> None:
    """The lead-in names what it needs."""
    asked = RankedRecommendation(1, "P-1", LocalizedText("一", "one"), "shell", "vmstat 1", beyond=(Reach.SERVER_LOG,))
    found = DiagnosisView((RankedHypothesis("RC-1", LocalizedText("因", "cause"), 0.4, 0.4),), (asked,))
    assert said in compose(TurnResults(diagnosis=found, turn=3), language)
