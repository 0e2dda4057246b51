from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest
from dbdiag.vocabulary import Verdict

from gateway.investigation.loop import diagnose, find_other_causes
from gateway.investigation.model import Case, CheckRun, Ending, Judgement, Verdicts
from gateway.investigation.planning import find_verdict
from gateway.investigation.state import State, has_run
from tests.support.cases import for_each
from tests.unit.gateway.investigation.test_looking_loop import World, known

pytestmark = pytest.mark.sampled

# Confirmed phenomena of two troubles that have nothing to do with each other, and their causes.
PAIRS = {
    ("RC-0005", "RC-0008"): {"P-0029", "P-0030", "P-0045"},
    ("RC-0004", "RC-0038"): {"P-0021", "P-0027", "P-0028", "P-0099"},
    ("RC-0026", "RC-0047"): {"P-0063", "P-0065", "P-0066", "P-0130", "P-0131"},
}
# As many troubles as may be named, and one of them with a symptom that could be of several.
THREE = {"P-0029", "P-0030", "P-0045", "P-0130", "P-0131"}
ALONE = ({"P-0029", "P-0030"}, {"P-0027", "P-0028"}, {"P-0130", "P-0131"})


def ended(present: set[str]) -> tuple[Case, State, World]:
    """A diagnosis of a world in which this is there."""
    knowledge, case = known()
    collector = World(case, present)
    state, _ = asyncio.run(diagnose(case, collector, knowledge.reasoner, lambda event: None))
    return case, state, collector


@for_each("causes", PAIRS, ids="+".join)
def test_of_two_troubles_neither_hides_the_other(causes: tuple[str, str]) -> None:
    """One cause leads, and the other stands beside it as the cause of what the first does not explain."""
    _, state, _ = ended(PAIRS[causes])
    named = [state.leader, *(belief.root_cause_id for belief in state.also)]
    assert sorted(named) == sorted(causes)


@for_each("present", ALONE, ids=lambda world: "+".join(sorted(world)))
def test_one_trouble_has_one_cause(present: set[str]) -> None:
    """Where the leader explains what was seen nothing is said beside it."""
    assert ended(present)[1].also == ()


def test_three_troubles_are_told_apart() -> None:
    """Of three at once one leads and both others stand beside it."""
    _, state, _ = ended(THREE)
    named = {state.leader, *(belief.root_cause_id for belief in state.also)}
    assert named == {"RC-0005", "RC-0008", "RC-0047"}


# What shows the one counts against the other: neither has the belief that is asked for while both are judged at once.
SHARED = {
    ("RC-0004", "RC-0047"): {"P-0027", "P-0028", "P-0130", "P-0131"},
    ("RC-0004", "RC-0014"): {"P-0027", "P-0028", "P-0058", "P-0101"},
    ("RC-0004", "RC-0028"): {"P-0021", "P-0027", "P-0028", "P-0050", "P-0063", "P-0069", "P-0070"},
    ("RC-0004", "RC-0005"): {"P-0021", "P-0027", "P-0028", "P-0029", "P-0030"},
}


@for_each("causes", SHARED, ids="+".join)
def test_two_certain_troubles_do_not_make_each_other_a_suspicion(causes: tuple[str, str]) -> None:
    """Where both causes are sure without what only the other one explains, the leader is found, and not suspected."""
    case, state, _ = ended(SHARED[causes])
    assert {state.leader, *(belief.root_cause_id for belief in state.also)} == set(causes)
    assert find_verdict(case, state) is Verdicts.FOUND


def test_a_doubtful_second_trouble_makes_the_first_no_surer() -> None:
    """Without another certain cause the leader's belief is that of all that was seen."""
    case, state, _ = ended({"P-0076", "P-0099"})
    assert find_verdict(case, state) is Verdicts.SUSPECTED


def test_all_kinds_of_trouble_are_looked_at_before_one_is_concluded() -> None:
    """However certain the first looks make a cause, each route has had its minimum: a second trouble would show."""
    case, state, collector = ended(ALONE[0])
    made = {name for batch in collector.batches for name in batch.checks}
    assert {name for route in case.routes for name in route.minimum} <= made
    assert state.rounds <= 1


def test_the_rest_is_judged_without_what_is_explained() -> None:
    """Each further judgement has all that was denied, and nothing confirmed that the leader explains."""
    case, state, _ = ended(PAIRS["RC-0005", "RC-0008"])
    asked: list[Mapping[str, Verdict]] = []

    class Listening:
        async def judge(self, evidence: Mapping[str, Verdict], open_phenomena: Collection[str]) -> Judgement:
            asked.append(evidence)
            return Judgement((), (), 1.0)

    assert asyncio.run(find_other_causes(case, replace(state, also=()), Listening())) == ()
    explained = set(state.judgement.beliefs[0].supporting)
    denied = {item.finding.phenomenon_id for item in state.shown if item.finding.verdict is Verdict.DENIED}
    assert asked
    assert all(not explained & set(evidence) and denied <= set(evidence) for evidence in asked)


def test_checks_that_are_for_another_server_are_not_counted() -> None:
    """What was not run because the server is none of that kind costs nothing and is no check made."""
    assert not has_run(CheckRun("pg.standby", Ending.FAILED, "role_not_supported: it is no standby"))
    assert not has_run(CheckRun("pg.locks", Ending.REFUSED, "duplicate: it ran 1 s ago"))
    assert has_run(CheckRun("pg.locks", Ending.FAILED, "timed_out: no answer"))
