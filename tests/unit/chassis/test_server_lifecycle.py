"""A host from start to drain, over real gRPC."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

from services.chassis import channel
from services.chassis.errors import DeadlinePassed, DependencyDown, TooBusy
from services.chassis.server import Host
from tests.support.servers.hosting import ENGINE, DiagnosingService, diagnose, hosted, on_loopback

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVING = health_pb2.HealthCheckResponse.SERVING


# One call that takes a while, and behind it calls whose callers do not wait that long: they cancel, or their deadline
# passes. Prints how many were answered and how many were not.
_IMPATIENT = """
import asyncio, grpc.aio
from dbdiag.engine.v1 import engine_pb2, engine_pb2_grpc

async def main(address, cancel):
    async with grpc.aio.insecure_channel(address) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        def call(name, seconds):
            return stub.Diagnose(engine_pb2.DiagnoseRequest(snapshot_id=name), timeout=seconds)
        patient = call("patient", 10)
        await asyncio.sleep(0.1)
        others = [call("impatient", 10 if cancel else 0.1) for _ in range(19)]
        await asyncio.sleep(0.1)
        if cancel:
            for other in others:
                other.cancel()
        codes = [await other.code() for other in others]
        assert set(codes) == {grpc.StatusCode.CANCELLED if cancel else grpc.StatusCode.DEADLINE_EXCEEDED}, codes
        print((await patient).snapshot_id, len(codes))

asyncio.run(main(*ARGUMENTS))
"""


class SlowToStart(DiagnosingService):
    def __init__(self) -> None:
        super().__init__()
        self.may_start = asyncio.Event()
        self.starting = asyncio.Event()

    async def start(self) -> None:
        self.starting.set()
        await self.may_start.wait()


class FailsToStart(DiagnosingService):
    async def start(self) -> None:
        raise DependencyDown("loading the snapshot: knowledge does not answer", reason="knowledge_unreachable")


class Held:
    """A Diagnose that answers only when it is let go."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.let_go = asyncio.Event()

    async def __call__(self, request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        self.entered.set()
        await self.let_go.wait()
        return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)


async def check(opened: grpc.aio.Channel, name: str) -> int:
    stub: Any = HealthStub(opened)
    reply = await stub.Check(health_pb2.HealthCheckRequest(service=name))
    return int(reply.status)


async def converse(opened: grpc.aio.Channel) -> Any:
    """The replies of a DiagnoseStream that asks once."""
    stub: Any = engine_pb2_grpc.EngineServiceStub(opened)
    call = stub.DiagnoseStream(iter([engine_pb2.DiagnoseStreamRequest()]), **channel.outgoing(5))
    async for reply in channel.streamed(call, "the engine"):
        yield reply


async def next_status(watch: Any) -> int:
    return int((await asyncio.wait_for(watch.read(), 5)).status)


async def test_health_tells_when_a_service_is_ready() -> None:
    """Health listens at once, says NOT_SERVING while a service loads and SERVING when it has loaded."""
    service = SlowToStart()
    host = Host([service], on_loopback(bind="127.0.0.1:0"))
    starting = asyncio.create_task(host.start())
    await asyncio.wait_for(service.starting.wait(), 5)
    async with channel.connect(host.address) as opened:
        assert [await check(opened, name) for name in ("", ENGINE)] == [NOT_SERVING, NOT_SERVING]
        service.may_start.set()
        await asyncio.wait_for(starting, 5)
        assert [await check(opened, name) for name in ("", ENGINE)] == [SERVING, SERVING]
    await host.stop()


async def test_health_tells_its_watchers_of_the_shutdown() -> None:
    """Whoever watches a service's health hears NOT_SERVING when the host stops, and does not hold up its end."""
    service = DiagnosingService()
    host = Host([service], on_loopback(drain_seconds=60))
    await host.start()
    async with channel.connect(host.address) as opened:
        stub: Any = HealthStub(opened)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service=ENGINE))
        assert await next_status(watch) == SERVING
        stopping = asyncio.create_task(host.stop())
        assert await next_status(watch) == NOT_SERVING
        await asyncio.wait_for(stopping, 5)
        assert await asyncio.wait_for(watch.read(), 5) is grpc.aio.EOF


async def test_health_of_what_is_not_there() -> None:
    """Check of an unknown service is NOT_FOUND; Watch of one says SERVICE_UNKNOWN and goes on."""
    async with hosted(DiagnosingService()) as (_, opened):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await check(opened, "nobody")
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
        stub: Any = HealthStub(opened)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="nobody"))
        assert await next_status(watch) == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


async def test_reflection_lists_the_services() -> None:
    """A tool without the protos can ask what is served: ours, health and reflection."""
    async with hosted(DiagnosingService()) as (_, opened):
        stub: Any = ServerReflectionStub(opened)  # type: ignore[arg-type]
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        replies = [reply async for reply in stub.ServerReflectionInfo(iter([request]))]
    names = {service.name for service in replies[0].list_services_response.service}
    assert names == {ENGINE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


async def test_open_calls_end_and_new_ones_are_refused_while_draining() -> None:
    """A stopping host lets the open call end, refuses new ones, and closes its services after that."""
    held = Held()
    service = DiagnosingService(held)
    host = Host([service], on_loopback(drain_seconds=5))
    await host.start()
    async with channel.connect(host.address) as opened, channel.connect(host.address) as other:
        open_call = asyncio.create_task(diagnose(opened, "open"))
        await asyncio.wait_for(held.entered.wait(), 5)
        stopping = asyncio.create_task(host.stop())
        await asyncio.sleep(0.05)
        with pytest.raises(DependencyDown):
            await diagnose(other)
        assert service.closed == 0
        held.let_go.set()
        assert (await asyncio.wait_for(open_call, 5)).snapshot_id == "open"
        await asyncio.wait_for(stopping, 10)
    assert service.closed == 1


async def test_a_call_that_outlasts_the_drain_is_cut_off() -> None:
    """The drain ends after `drain_seconds` however long a call would take."""
    held = Held()
    host = Host([DiagnosingService(held)], on_loopback(drain_seconds=0.1))
    await host.start()
    async with channel.connect(host.address) as opened:
        open_call = asyncio.create_task(diagnose(opened, limit_seconds=30))
        await asyncio.wait_for(held.entered.wait(), 5)
        await asyncio.wait_for(host.stop(), 5)
        with pytest.raises(Exception, match="the engine"):
            await asyncio.wait_for(open_call, 5)


async def test_calls_above_the_limit_are_refused_at_once() -> None:
    """A server at its admission limit answers TooBusy without waiting for a place."""
    held = Held()
    async with hosted(DiagnosingService(held), max_concurrent_rpcs=1) as (_, opened):
        open_call = asyncio.create_task(diagnose(opened))
        await asyncio.wait_for(held.entered.wait(), 5)
        with pytest.raises(TooBusy) as refused:
            await asyncio.wait_for(diagnose(opened), 1)
        assert refused.value.reason == "too_many_calls"
        cause = refused.value.__cause__
        assert isinstance(cause, grpc.aio.AioRpcError)
        assert dict(cause.trailing_metadata() or ())["error-reason"] == "too_many_calls"
        assert await check(opened, ENGINE) == SERVING
        with pytest.raises(TooBusy):
            await asyncio.wait_for(anext(converse(opened)), 1)
        held.let_go.set()
        await asyncio.wait_for(open_call, 5)
        assert (await diagnose(opened, "after")).snapshot_id == "after"


async def test_a_caller_that_leaves_gives_its_place_back() -> None:
    """Calls that are cancelled, or whose deadline passes, do not count against the limit any more."""
    held = Held()
    async with hosted(DiagnosingService(held), max_concurrent_rpcs=2) as (_, opened):
        for _ in range(3):
            leaving = asyncio.create_task(diagnose(opened))
            await asyncio.wait_for(held.entered.wait(), 5)
            leaving.cancel()
            with pytest.raises(DeadlinePassed):
                await diagnose(opened, limit_seconds=0.05)
            await asyncio.sleep(0.05)
            held.entered.clear()
        held.let_go.set()
        assert (await diagnose(opened, "after")).snapshot_id == "after"


@pytest.mark.parametrize("cancel", [False, True], ids=["deadline", "cancelled"])
async def test_no_work_is_done_for_a_call_that_nobody_waits_for(cancel: bool) -> None:
    """Calls whose caller has left while the server was busy are not worked on when their turn comes."""
    begun: list[str] = []

    async def busy(request: engine_pb2.DiagnoseRequest) -> engine_pb2.DiagnoseResponse:
        begun.append(request.snapshot_id)
        time.sleep(1.0 if request.snapshot_id == "patient" else 0.01)
        return engine_pb2.DiagnoseResponse(snapshot_id=request.snapshot_id)

    async with hosted(DiagnosingService(busy)) as (host, opened):
        # The callers are in a process of their own: this one's event loop is the busy one.
        code = _IMPATIENT.replace("*ARGUMENTS", f"{host.address!r}, {cancel}")
        started = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
        printed, _ = await asyncio.wait_for(started.communicate(), 20)
        assert printed.split() == [b"patient", b"19"]
        await diagnose(opened, "after")
    assert begun == ["patient", "after"]


async def test_an_address_in_use_is_a_dependency_down() -> None:
    """Listening where another host listens fails as DependencyDown, names the address, and can be stopped."""
    async with hosted(DiagnosingService()) as (first, _):
        service = DiagnosingService()
        second = Host([service], on_loopback(bind=first.address))
        with pytest.raises(DependencyDown, match=first.address) as refused:
            await second.start()
        assert refused.value.reason == "address_in_use"
        await second.stop()
        assert service.closed == 1


async def test_a_failed_start_still_closes_every_service() -> None:
    """A service that cannot start leaves a host that can be stopped; every service is closed exactly once."""
    first, second = DiagnosingService(), FailsToStart()
    second.service_name = "another"
    second.register = lambda server: None  # type: ignore[method-assign]
    host = Host([first, second], on_loopback())
    with pytest.raises(DependencyDown, match="knowledge does not answer"):
        await host.start()
    await host.stop()
    assert (first.closed, second.closed) == (1, 1)


async def test_a_unix_socket_serves_as_well(tmp_path: Any) -> None:
    """A host bound to a unix socket is reached under the address it was given."""
    address = f"unix:{tmp_path}/engine.sock"
    async with hosted(DiagnosingService(), bind=address) as (host, opened):
        assert host.address == address
        assert (await diagnose(opened, "here")).snapshot_id == "here"


async def test_a_channel_to_nobody_fails_as_a_dependency_down() -> None:
    """Calling where nobody listens raises DependencyDown that names whom was asked."""
    async with channel.connect("127.0.0.1:1") as opened:
        with pytest.raises(DependencyDown, match="calling the engine"):
            await diagnose(opened)
