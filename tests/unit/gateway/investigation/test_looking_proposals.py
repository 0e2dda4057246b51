"""A model plans the rounds of a diagnosis: within the pool, on record, and the engine in its place where it fails."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
import structlog
from jsonschema import Draft202012Validator

from gateway.cli.diagnose.run import to_text
from gateway.contracts.clients import PlannerClient
from gateway.investigation import schemas
from gateway.investigation.journal import Journal, RecordedCollector, make_document
from gateway.investigation.loop import diagnose
from gateway.investigation.model import Case
from gateway.investigation.model_proposals import ModelPlanner, RecordedProposer
from gateway.investigation.report import make_report
from services.chassis import channel, logs
from services.chassis.errors import Precondition
from services.chassis.llm import Message, ModelFailed, ScriptedModel
from services.chassis.server import Host
from services.chassis.settings import ServerSettings
from services.planner.app import PlannerApp
from services.planner.settings import PlannerSettings
from tests.unit.gateway.investigation.test_looking_loop import World, as_stored, known

pytestmark = pytest.mark.sampled

# Sessions wait for locks and nothing says why: several rounds are planned.
PRESENT = {"P-0021"}
Answer = Callable[[Mapping[str, Any]], object]


def plan(*checks: tuple[str, int], stop: str = "") -> dict[str, Any]:
    """An answer in the form of the seed's plan."""
    return {
        "decision": "STOP" if stop else "CONTINUE",
        "current_hypothesis": {"category": "LOCK", "confidence": 0.5, "why": "sessions wait"},
        "next_cmds": [
            {"cmd_id": name, "purpose": "who?", "expected_signal": "one", "timeout_sec": 10, "priority": priority}
            for name, priority in checks
        ],
        "missing_info": ["the application's log"],
        "stop_reason": stop,
    }


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Logs of what is well are left out."""
    logs.configure("error")
    yield
    structlog.reset_defaults()


def ended(answer: Answer | None) -> tuple[Journal, dict[str, Any], list[list[Message]]]:
    """A diagnosis planned by a model over the real service: its journal, its report, and what the model was asked."""

    def reply(messages: Sequence[Message]) -> object:
        assert answer is not None
        return answer(json.loads(messages[1]["content"]))

    model = ScriptedModel({"EvidencePlan": reply} if answer else {})

    async def run() -> tuple[Journal, dict[str, Any]]:
        knowledge, case = known()
        with tempfile.TemporaryDirectory(prefix="dbdiag-") as folder:
            host = Host(
                [PlannerApp(PlannerSettings(), model)], ServerSettings(bind=f"unix:{folder}/p", drain_seconds=0)
            )
            await host.start()
            try:
                async with channel.connect(f"unix:{folder}/p") as opened:
                    notes = Journal([], lambda event: None)
                    planner = ModelPlanner(PlannerClient(opened))
                    state, stop = await diagnose(case, World(case, PRESENT), knowledge.reasoner, notes, planner)
            finally:
                await host.stop()
        return notes, make_report(case, state, stop, knowledge.words)

    notes, told = asyncio.run(run())
    return notes, told, model.asked


def engines_own() -> list[Any]:
    """What the engine alone plans, round by round."""
    knowledge, case = known()
    notes = Journal([], lambda event: None)
    asyncio.run(diagnose(case, World(case, PRESENT), knowledge.reasoner, notes))
    return events_of("planned", notes)


def events_of(kind: str, notes: Journal) -> list[Any]:
    """The events of a kind, as they are stored."""
    return [event for event in as_stored(notes) if event["event"] == kind]


def last_first(asked: Mapping[str, Any]) -> object:
    """Chooses the pool's last two checks, the very last first."""
    names = [item["cmd_id"] for item in asked["allowed_cmd_pool"]][-2:]
    return plan(*((name, len(names) - place) for place, name in enumerate(names)))


def test_the_model_s_checks_are_made_in_its_order() -> None:
    """Its choice among the pool is the round's plan; each check still runs once and within the budget."""
    notes, told, _ = ended(last_first)
    proposed, planned = events_of("proposed", notes), events_of("planned", notes)
    assert proposed
    assert all(event["proposal"]["fallback"] == "" for event in proposed)
    for event in planned[: len(proposed)]:
        assert [step["check_id"] for step in event["plan"]["planned"]] == event["plan"]["pool"][-2:][::-1]
    _, case = known()
    assert told["rounds"] <= case.budget.max_rounds


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda asked: "no json at all", "model_malformed"),
        (lambda asked: plan() | {"decision": "PERHAPS"}, "model_malformed"),
        (lambda asked: plan(("pg.drop_everything", 1)), "model_unknown_checks"),
        (lambda asked: plan((asked["allowed_cmd_pool"][0]["cmd_id"], 1), ("SELECT 1", 2)), "model_unknown_checks"),
        (lambda asked: plan(), "model_empty_plan"),
        (lambda asked: ModelFailed("it will not", reason="model_refused"), "model_refused"),
        (None, "model_refused"),
    ],
)
def test_what_a_model_may_not_plan_the_engine_plans(answer: Answer | None, reason: str) -> None:
    """Malformed, unknown ids, nothing, or a refusal: the engine's plan of that round stands, and the trace says why."""
    notes, _, _ = ended(answer)
    assert {event["proposal"]["fallback"] for event in events_of("proposed", notes)} == {reason}
    assert events_of("planned", notes) == engines_own()


def test_a_stop_counts_only_once_the_minimum_was_looked_at() -> None:
    """Too early, the engine goes on; then the model may end it, with its reason on record."""
    notes, told, _ = ended(lambda asked: plan(stop="nothing more to tell apart"))
    *early, last = events_of("proposed", notes)
    assert all(event["proposal"]["fallback"] == "stop_before_minimum" for event in early)
    assert told["stop_reason"] in ("planner_stopped", "confident")
    assert last["proposal"]["stop_reason"] == "nothing more to tell apart"


def test_the_model_is_told_signals_and_no_more_than_the_pool() -> None:
    """What it is asked has the question, the beliefs, what was shown and the checks left, and no text of a check."""
    notes, _, asked = ended(last_first)
    for messages, event in zip(asked, events_of("planned", notes), strict=False):
        told = json.loads(messages[-1]["content"])
        assert {item["cmd_id"] for item in told["allowed_cmd_pool"]} == set(event["plan"]["pool"])
        assert told["hypotheses"]
        assert not {"sql", "argv", "source"} & {key for item in told["allowed_cmd_pool"] for key in item}


def test_a_replay_needs_no_model() -> None:
    """From the trace alone, which fits its schema, the same report is had again to the letter."""
    knowledge, case = known()
    notes, told, _ = ended(last_first)
    events = as_stored(notes)
    Draft202012Validator(schemas.read("diagnosis_trace")).validate(make_document(events))
    again = Journal(events, None)
    state, stop = asyncio.run(
        diagnose(case, RecordedCollector(events), knowledge.reasoner, again, RecordedProposer(events))
    )
    assert to_text(make_report(case, state, stop, knowledge.words)) == to_text(told)
    assert _needs_more(case, events)


def _needs_more(case: Case, events: list[Mapping[str, Any]]) -> bool:
    """Whether a record without its proposals is refused."""
    knowledge, _ = known()
    bare = [event for event in events if event["event"] != "proposed"]
    with pytest.raises(Precondition, match="replaying"):
        asyncio.run(
            diagnose(case, RecordedCollector(bare), knowledge.reasoner, Journal(bare, None), RecordedProposer(bare))
        )
    return True
