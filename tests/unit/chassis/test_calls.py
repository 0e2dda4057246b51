"""What travels with a call: deadlines, ids, retries; and what stands in the log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio
import pytest
import structlog
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from services.chassis import channel, logs
from services.chassis.errors import DbdiagError, DeadlinePassed, DependencyDown, InvalidInput
from tests.support.servers.hosting import DiagnosingService, diagnose, hosted

# gRPC tells a deadline in steps, rounded up; the work of a service takes longer than one.
_STEP_SECONDS = 0.03
_WORK_SECONDS = 0.06

Lines = Callable[[], list[dict[str, Any]]]


class Relay:
    """A Diagnose that asks the next engine, and remembers what it was told."""

    def __init__(self) -> None:
        self.next: grpc.aio.Channel | None = None
        self.seen: list[tuple[str, str, float]] = []

    async def __call__(self, request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        remaining = channel.deadline.get() - time.monotonic()
        self.seen.append((channel.request_id.get(), channel.session_id.get(), remaining))
        logs.logger("relay").info("relayed")
        await asyncio.sleep(_WORK_SECONDS)
        if self.next is not None:
            return await diagnose(self.next, request.snapshot_id, limit_seconds=60)
        return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)


class Failing:
    """A Diagnose that counts its calls and fails the first `times` of them."""

    def __init__(self, error: DbdiagError, times: int = 100) -> None:
        self.calls = 0
        self._error = error
        self._times = times

    async def __call__(self, request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        self.calls += 1
        if self.calls <= self._times:
            raise self._error
        return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)


async def test_a_call_without_a_deadline_is_refused() -> None:
    """A call that sets no timeout is answered DEADLINE_EXCEEDED with the reason deadline_required."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
        with pytest.raises(DeadlinePassed, match="set a timeout") as refused:
            await channel.answered(stub.Diagnose(engine_pb2.DiagnoseRequest()), "the engine")
    assert refused.value.reason == "deadline_required"
    cause = refused.value.__cause__
    assert isinstance(cause, grpc.aio.AioRpcError)
    assert cause.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_stream_without_a_deadline_is_refused() -> None:
    """Streams need a deadline as well."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
        # Nothing is sent: a message on its way when the refusal comes would hide its status.
        call = stub.DiagnoseStream()
        with pytest.raises(DeadlinePassed) as refused:
            [reply async for reply in channel.streamed(call, "the engine")]
    assert refused.value.reason == "deadline_required"


async def test_probes_need_no_deadline() -> None:
    """Health is answered to tools that set no timeout (reflection likewise, in the lifecycle tests)."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = HealthStub(opened)
        reply = await stub.Check(health_pb2.HealthCheckRequest())
    assert reply.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_stream_is_answered_in_order() -> None:
    """Every request of a stream gets its answer, in the order of the requests."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
        requests = [engine_pb2.DiagnoseStreamRequest(correlation_id=str(number)) for number in range(5)]
        call = stub.DiagnoseStream(iter(requests), **channel.outgoing(5))
        replies = [reply.correlation_id async for reply in channel.streamed(call, "the engine")]
    assert replies == ["0", "1", "2", "3", "4"]


async def test_ids_travel_over_two_hops(log_lines: Lines) -> None:
    """The caller's request and session id arrive at the second service and stand in both services' log lines."""
    near, far = Relay(), Relay()
    async with hosted(DiagnosingService(far)) as (_, to_far), hosted(DiagnosingService(near)) as (_, to_near):
        near.next = to_far
        channel.request_id.set("request-1")
        channel.session_id.set("session-1")
        await diagnose(to_near)
    assert [seen[:2] for relay in (near, far) for seen in relay.seen] == [("request-1", "session-1")] * 2
    lines = [line for line in log_lines() if line["event"] in ("relayed", "call")]
    assert len(lines) == 4
    assert {(line["request_id"], line["session_id"]) for line in lines} == {("request-1", "session-1")}


async def test_ids_of_one_call_do_not_leak_into_the_next(log_lines: Lines) -> None:
    """A call without ids, served after one with ids, has none."""
    relay = Relay()
    async with hosted(DiagnosingService(relay)) as (_, opened):
        channel.request_id.set("request-1")
        await diagnose(opened)
        channel.request_id.set("")
        await diagnose(opened)
    assert [seen[0] for seen in relay.seen] == ["request-1", ""]
    assert [line["request_id"] for line in log_lines() if line["event"] == "relayed"] == ["request-1", ""]


async def test_the_deadline_shrinks_over_two_hops() -> None:
    """A second service has what is left of the first caller's time, however much the first one allows."""
    near, far = Relay(), Relay()
    async with hosted(DiagnosingService(far)) as (_, to_far), hosted(DiagnosingService(near)) as (_, to_near):
        near.next = to_far
        await diagnose(to_near, limit_seconds=2.0)
    (_, _, at_near), (_, _, at_far) = near.seen[0], far.seen[0]
    assert 1.0 < at_near <= 2.0 + _STEP_SECONDS
    assert 1.0 < at_far <= at_near - _WORK_SECONDS + _STEP_SECONDS


async def test_a_call_past_the_deadline_ends_as_deadline_passed() -> None:
    """A service that takes longer than the caller waits gives DeadlinePassed, not an endless wait."""
    async with hosted(DiagnosingService(Relay())) as (_, opened):
        with pytest.raises(DeadlinePassed):
            await asyncio.wait_for(diagnose(opened, limit_seconds=0.001), 2)


async def test_no_call_is_made_after_the_deadline() -> None:
    """When the caller's time is over, no further service is asked."""
    token = channel.deadline.set(time.monotonic() - 1)
    with pytest.raises(DeadlinePassed, match="deadline has passed"):
        channel.outgoing(5)
    channel.deadline.reset(token)


async def test_unavailable_is_retried() -> None:
    """A service that is down for a moment is asked again by the channel itself."""
    failing = Failing(DependencyDown("asking knowledge: it does not answer"), times=2)
    async with hosted(DiagnosingService(failing)) as (_, opened):
        assert (await diagnose(opened, "sha256:1")).snapshot_id == "sha256:1"
    assert failing.calls == 3


async def test_unavailable_is_not_retried_forever() -> None:
    """After four attempts the failure is the caller's, as DependencyDown."""
    failing = Failing(DependencyDown("asking knowledge: it does not answer", reason="knowledge_unreachable"))
    async with hosted(DiagnosingService(failing)) as (_, opened):
        with pytest.raises(DependencyDown) as failed:
            await diagnose(opened)
    assert (failing.calls, failed.value.reason) == (4, "knowledge_unreachable")


async def test_wrong_input_is_not_retried() -> None:
    """What will fail again is asked once."""
    failing = Failing(InvalidInput("score 98 of P-0001: expected a number in [0, 1]", reason="score_out_of_range"))
    async with hosted(DiagnosingService(failing)) as (_, opened):
        with pytest.raises(InvalidInput):
            await diagnose(opened)
    assert failing.calls == 1


async def test_served_calls_leave_one_line_each(log_lines: Lines) -> None:
    """A call that succeeds leaves one debug line with its method, its status and its seconds."""
    async with hosted(DiagnosingService()) as (_, opened):
        await diagnose(opened)
    [line] = [line for line in log_lines() if line["event"] == "call"]
    assert (line["level"], line["status"]) == ("debug", "OK")
    assert line["method"] == "/dbdiag.engine.v1.EngineService/Diagnose"
    assert 0 <= line["seconds"] < 5
    assert not structlog.contextvars.get_contextvars()
