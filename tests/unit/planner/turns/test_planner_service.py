"""The planner over gRPC, and its wire."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
import pytest
from dbdiag.planner.v1 import planner_pb2 as pb
from dbdiag.planner.v1.planner_pb2_grpc import PlannerServiceStub

from services.chassis import channel
from services.chassis.errors import InvalidInput, Precondition
from services.chassis.llm import ScriptedModel
from services.chassis.server import Host
from services.chassis.settings import ServerSettings
from services.planner.app import PlannerApp
from services.planner.planner import MAX_MESSAGE, Planner
from services.planner.settings import PlannerSettings
from tests.support.cases import for_each


class Closing(ScriptedModel):
    """A scripted model that remembers that it was closed."""

    closed = False

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
async def planner() -> AsyncIterator[Any]:
    app = PlannerApp(PlannerSettings())
    host = Host([app], ServerSettings(bind="127.0.0.1:0", drain_seconds=0.1))
    await host.start()
    try:
        async with channel.connect(host.address) as opened:
            yield PlannerServiceStub(opened)
    finally:
        await host.stop()


PENDING = [
    pb.Item(ordinal=1, phenomenon_id="P-0001", name=pb.LocalizedText(zh="锁等待", en="Lock waits")),
    pb.Item(ordinal=2, phenomenon_id="P-0002", name=pb.LocalizedText(zh="索引膨胀", en="Index bloat")),
]


async def test_a_turn_is_decided_at_once(planner: Any) -> None:
    """One call makes the plan; what callers of earlier releases asked for besides is ignored."""
    view = pb.SessionView(language=pb.LANGUAGE_ZH, turn=2, pending=PENDING)
    first = await planner.Decide(pb.DecideRequest(view=view, message="1有 2没有"), **channel.outgoing(5))
    assert [step.feedback.verdict for step in first.plan.steps] == [pb.VERDICT_CONFIRMED, pb.VERDICT_DENIED]
    done = [pb.ToolOutcome(tool=pb.TOOL_DIAGNOSE, evidence_changed=True)]
    request = pb.DecideRequest(view=view, message="1有 2没有", plan=first.plan, done=done)
    assert await planner.Decide(request, **channel.outgoing(5)) == first


@pytest.mark.parametrize("language", [pb.LANGUAGE_ZH, pb.LANGUAGE_EN])
async def test_an_answer_is_streamed_whole(planner: Any, language: Any) -> None:
    """The chunks joined are the reply that ends the stream, worded by the rules."""
    results = pb.TurnResults(
        turn=1,
        diagnosis=pb.DiagnosisView(
            hypotheses=[pb.RankedHypothesis(root_cause_id="RC-0001", confidence=0.4)],
            recommendations=[
                pb.RankedRecommendation(
                    ordinal=1, phenomenon_id="P-0001", observe_kind="sql", observation_method="SELECT 1;\nSELECT 2;"
                )
            ],
        ),
    )
    stream = planner.Respond(pb.RespondRequest(language=language, results=results), **channel.outgoing(5))
    parts = [part async for part in stream]
    assert [part.WhichOneof("part") for part in parts] == [*["chunk"] * (len(parts) - 1), "reply"]
    assert "".join(part.chunk for part in parts) == parts[-1].reply.text
    assert "RC-0001 40" in parts[-1].reply.text
    assert parts[-1].reply.source == pb.PLAN_SOURCE_RULES


@pytest.mark.slow
async def test_a_message_that_is_too_long_is_refused(planner: Any) -> None:
    """Beyond the limit the caller is told what to do; at the limit the message is read."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await planner.Decide(pb.DecideRequest(message="x" * (MAX_MESSAGE + 1)), **channel.outgoing(5))
    error = channel.from_rpc_error(refused.value, "the planner")
    assert (type(error), error.reason) == (InvalidInput, "message_too_long")
    reply = await planner.Decide(pb.DecideRequest(message="x" * MAX_MESSAGE), **channel.outgoing(20))
    assert reply.plan.steps


async def test_planning_evidence_needs_a_model(planner: Any) -> None:
    """Without one it is said so, and the caller's engine plans."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await planner.PlanEvidence(pb.PlanEvidenceRequest(), **channel.outgoing(5))
    error = channel.from_rpc_error(refused.value, "the planner")
    assert (type(error), error.reason) == (Precondition, "no_model")


async def test_the_service_closes_its_models() -> None:
    """Both models are let go of when the service is."""
    agent, response = Closing({}), Closing({})
    host = Host([PlannerApp(PlannerSettings(), agent, response)], ServerSettings(bind="127.0.0.1:0"))
    await host.start()
    await host.stop()
    assert agent.closed
    assert response.closed


@for_each("seed", range(40))
def test_chunks_joined_are_the_text(seed: int) -> None:
    """Cutting a text for streaming loses nothing and makes no empty piece."""
    dice = random.Random(seed)
    text = "".join(dice.choice("有没。.!？ \n`x1") for _ in range(dice.randint(1, 80)))
    pieces = list(Planner.chunks(text))
    assert "".join(pieces) == text
    assert all(pieces)
