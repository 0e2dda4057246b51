from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from dbdiag.vocabulary import Verdict
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cli.diagnose.run import to_text
from gateway.investigation.journal import (
    Journal,
    RecordedCollector,
    make_document,
    read_case,
    read_events,
    to_canonical,
)
from gateway.investigation.loop import diagnose
from gateway.investigation.model import Batch, BatchResult, Budget, Case, CheckRun, Ending, Finding
from gateway.investigation.report import make_report
from gateway.investigation.state import collect_findings, rank_routes
from services.chassis.errors import InvalidInput, Precondition
from services.collector.targets.registry import read_connection
from tests.support.cases import for_each
from tests.support.examples import every, examples
from tests.support.investigations import Knowledge, case_of, checks_of, knowledge_of

pytestmark = pytest.mark.sampled

# Phenomena that stand for real faults: a forgotten prepared transaction, a lock chain, a small work_mem, a leak.
WORLDS = (
    {"P-0029", "P-0030"},
    {"P-0021", "P-0023", "P-0025"},
    {"P-0086", "P-0087", "P-0088", "P-0101"},
    {"P-0045"},
    {"P-0057"},
)


@cache
def known() -> tuple[Knowledge, Case]:
    """The shipped library in the engine, and the shipped catalogue as a case."""
    folder = Path(mkdtemp(prefix="dbdiag-looking-"))
    knowledge = knowledge_of(folder)
    listed = checks_of(folder, "dsn", read_connection("dsn", "host=nowhere user=nobody"))
    return knowledge, case_of(listed, "dsn", knowledge.snapshot_id)


class World:
    """The collector of a made-up target: what is present is seen by every check that can see it, the rest is denied."""

    def __init__(self, case: Case, present: set[str], blind: frozenset[str] = frozenset(), pace: float = 0.5) -> None:
        self.can_see = {check.check_id: check.phenomenon_ids for check in case.checks}
        self.present = present
        self.blind = blind
        self.pace = pace
        self.batches: list[Batch] = []

    async def collect(self, batch: Batch) -> BatchResult:
        """See Collector."""
        self.batches.append(batch)
        count = sum(len(item.checks) for item in self.batches)
        return BatchResult(tuple(self._look(name) for name in batch.checks), count * self.pace)

    def _look(self, name: str) -> CheckRun:
        if name in self.blind:
            unknown = tuple(Finding(item, Verdict.UNKNOWN, "locked") for item in self.can_see[name])
            return CheckRun(name, Ending.FAILED, "locked: it is", findings=unknown, evidence_ref=f"0001-{name}")
        verdicts = {item: Verdict.CONFIRMED if item in self.present else Verdict.DENIED for item in self.can_see[name]}
        findings = tuple(Finding(item, verdict, "n = 1") for item, verdict in verdicts.items())
        return CheckRun(name, Ending.DONE, findings=findings, evidence_ref=f"0001-{name}")


def ended(
    case: Case, collector: Any, recorded: list[Mapping[str, Any]] | None = None
) -> tuple[Journal, dict[str, Any]]:
    """A diagnosis to its end: its journal and its report."""
    knowledge, _ = known()
    notes = Journal(recorded or [], lambda event: None)
    state, stop = asyncio.run(diagnose(case, collector, knowledge.reasoner, notes))
    return notes, make_report(case, state, stop, knowledge.words)


def as_stored(journal: Journal) -> list[Mapping[str, Any]]:
    """The journal's events as a file gives them back."""
    return [json.loads(to_canonical(event)) for event in journal.events]


def phenomena() -> list[str]:
    """Everything that some check can see."""
    return sorted({name for check in known()[1].checks for name in check.phenomenon_ids})


@given(data=st.data())
@settings(max_examples=examples(15), deadline=None)
def test_budgets_and_routing_hold(data: st.DataObject) -> None:
    """Whatever is there: no check twice, planned checks and rounds within budget, each admitted by its category."""
    _, case = known()
    budget = Budget(
        data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)), data.draw(st.integers(1, 9)), 60.0, 0.85
    )
    case = replace(case, budget=budget)
    present = data.draw(st.sets(st.sampled_from(phenomena()), max_size=6))
    blind = data.draw(st.frozensets(st.sampled_from([check.check_id for check in case.checks]), max_size=8))
    collector = World(case, present, blind)
    journal, told = ended(case, collector)
    made = [name for batch in collector.batches for name in batch.checks]
    assert len(made) == len(set(made))
    planned = [step for event in journal.events if event["event"] == "planned" for step in event["plan"]["planned"]]
    assert len(planned) <= budget.max_total_checks
    assert told["rounds"] <= budget.max_rounds
    allowed = {route.category: set(route.checks) for route in case.routes}
    assert all(set(batch.checks) <= allowed[batch.category] for batch in collector.batches if batch.category)


@every(4)
@pytest.mark.parametrize("present", WORLDS, ids=lambda world: "+".join(sorted(world)))
def test_a_kill_at_any_step_changes_nothing(present: set[str], every: int) -> None:
    """Cut after any event, the journal is gone on with, and the report is the same to the letter."""
    _, case = known()
    journal, told = ended(case, World(case, present))
    events = as_stored(journal)
    # Each world starts at another step, so that all kinds of steps are cut after.
    for cut in range(WORLDS.index(present) % every, len(events), every):
        live = World(case, present)
        collected = [event for event in events[:cut] if event["event"] == "collected"]
        live.batches = [Batch(event["batch"]["category"], tuple(event["batch"]["checks"])) for event in collected]
        again, resumed = ended(case, RecordedCollector(events[:cut], live), events[:cut])
        assert to_text(resumed) == to_text(told)
        assert as_stored(again) == events


@for_each("present", WORLDS, ids=lambda world: "+".join(sorted(world)))
def test_a_replay_needs_no_target(present: set[str]) -> None:
    """From its document alone a diagnosis comes out the same to the letter."""
    _, case = known()
    journal, told = ended(case, World(case, present))
    events = read_events(to_text(make_document(journal.events)), "trace")
    assert read_case(events[0]) == case
    _, again = ended(read_case(events[0]), RecordedCollector(events), list(events))
    assert to_text(again) == to_text(told)


def test_nothing_present_is_healthy_and_every_route_was_looked_at() -> None:
    """Where nothing is confirmed the verdict is healthy, and what each route needs at least has been looked at."""
    _, case = known()
    collector = World(case, set())
    _, told = ended(case, collector)
    made = {name for batch in collector.batches for name in batch.checks}
    assert (told["verdict"], told["root_cause"], told["next_actions"]) == ("healthy", None, [])
    assert {name for route in case.routes for name in route.minimum} <= made


def test_a_conclusion_has_the_minimum_and_a_test_behind_it() -> None:
    """A confident end means: the best route's minimum was looked at, and what could refute the leader as well."""
    _, case = known()
    journal, told = ended(case, World(case, {"P-0029", "P-0030"}))
    assert (told["stop_reason"], told["root_cause"]["root_cause_id"]) == ("confident", "RC-0005")
    minimum = next(route.minimum for route in case.routes if route.category == told["standings"][0]["category"])
    seen = {look["check_id"] for event in journal.events if event["event"] == "collected" for look in _looks(event)}
    assert set(minimum) <= seen


def _looks(event: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    looks: list[Mapping[str, Any]] = event["collected"]["looks"]
    return looks


def test_without_anything_seen_nothing_is_said() -> None:
    """Where every check fails there is no verdict about the target, and each failure is told with its reason."""
    _, case = known()
    everything = frozenset(check.check_id for check in case.checks)
    _, told = ended(case, World(case, {"P-0029"}, everything))
    assert (told["verdict"], told["stop_reason"]) == ("unseen", "target_unreachable")
    assert all(item["reason"] == "locked: it is" for item in told["not_seen"])


def test_time_that_is_used_up_ends_it() -> None:
    """The budget of time is looked at before each round."""
    _, case = known()
    _, told = ended(case, World(case, set(), pace=40.0))
    assert told["stop_reason"] == "time_budget"


def test_only_steps_without_much_risk_are_proposed() -> None:
    """What risks more than a little is told apart, for a person to decide."""
    _, case = known()
    _, told = ended(case, World(case, {"P-0029", "P-0030"}))
    assert {step["risk"] for step in told["next_actions"]} <= {"none", "low"}
    assert all(step["risk"] not in ("none", "low") for step in told["to_be_decided"])


def test_what_speaks_against_a_route_counts() -> None:
    """A route's score is what speaks for it less what speaks against it."""
    _, case = known()
    looks = asyncio.run(World(case, {"P-0021", "P-0101"}).collect(Batch("", case.baseline))).looks

    standing = {item.category: item for item in rank_routes(case, collect_findings(looks))}
    route = {item.category: item for item in case.routes}["LOCK"]
    assert standing["LOCK"].against_it == ("P-0101",)
    assert standing["LOCK"].score == route.speaks_for["P-0021"] - route.speaks_against["P-0101"]


def test_a_record_that_says_something_else_is_refused() -> None:
    """A step that does not come out as recorded stops the replay."""
    _, case = known()
    journal, _ = ended(case, World(case, {"P-0045"}))
    events = as_stored(journal)
    changed = [
        dict(event) | {"batch": {"category": "", "checks": []}} if event["event"] == "collected" else event
        for event in events
    ]
    with pytest.raises(Precondition, match="replaying"):
        ended(case, RecordedCollector(changed), changed)
    with pytest.raises(Precondition, match="ends before"):
        ended(case, RecordedCollector(events[:3]), events[:3])


@for_each("text", ["", "{}", "[]", "null", '{"events": 3}', '{"events": [{"event": "x"}]}', "no json"])
def test_what_is_no_trace_is_bad_input(text: str) -> None:
    """Any other file is refused as such."""
    with pytest.raises(InvalidInput):
        read_case(read_events(text, "trace")[0])
