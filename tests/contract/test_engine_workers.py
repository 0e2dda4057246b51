"""`python -m services.engine --workers N`: real processes that share one port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from dbdiag.engine.v1 import engine_pb2 as pb
from dbdiag.engine.v1 import engine_pb2_grpc

from services.chassis import channel
from tests.contract.test_engine_service import SECONDS, publish, said
from tests.support.engine_graphs import three_causes

YES = pb.VERDICT_CONFIRMED
START_SECONDS = 30.0
WORKERS = 2

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="workers are told apart by what /proc says"),
]


class Engine:
    """The parent process, the address that its workers share, and what /proc says of them."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.address = address

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        pid = self.process.pid
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def connections(self) -> dict[int, int]:
        """How many connections each worker has taken."""
        port = f"{int(self.address.rsplit(':', 1)[1]):04X}"
        tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
        rows = [line.split() for table in tables if table.exists() for line in table.read_text().splitlines()[1:]]
        taken = {f"socket:[{row[9]}]" for row in rows if row[1].endswith(f":{port}") and row[3] == "01"}
        return {worker: len(taken & _open_files(worker)) for worker in self.workers()}


def _open_files(pid: int) -> set[str]:
    names = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            names.add(os.readlink(link))
    return names


@contextlib.asynccontextmanager
async def engine(folder: Path, **environ: str) -> AsyncIterator[Engine]:
    """A running engine with its workers; none of them outlives the block."""
    publish(folder, three_causes())
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.engine", "--workers", str(WORKERS)),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"DBDIAG_ENGINE_SNAPSHOT_DIR": str(folder), "DBDIAG_LOG_LEVEL": "warning", **environ},
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
        yield Engine(process, line.decode().strip().removeprefix("listening on "))
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), SECONDS)


def own_connection(address: str) -> grpc.aio.Channel:
    """A channel that shares its connection with no other channel of this process."""
    return grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])


async def ask(opened: grpc.aio.Channel) -> pb.DiagnoseResponse:
    stub: engine_pb2_grpc.EngineServiceAsyncStub = engine_pb2_grpc.EngineServiceStub(opened)
    return await stub.Diagnose(pb.DiagnoseRequest(evidence=said(("P-0001", YES))), timeout=SECONDS)


async def ask_again(opened: grpc.aio.Channel) -> pb.DiagnoseResponse:
    """One call as the contract asks for it: UNAVAILABLE is retried with back-off, here for a second at most."""
    for pause in (0.1, 0.2, 0.3, 0.4):
        try:
            return await ask(opened)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
        await asyncio.sleep(pause)
    return await ask(opened)


async def until(condition: object, seconds: float = SECONDS) -> None:
    """Waits until a condition holds; fails when it does not in time."""
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


async def gone(pids: list[int]) -> None:
    await until(lambda: not any(_alive(pid) for pid in pids))


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def test_connections_spread_over_the_workers(tmp_path: Path) -> None:
    """With port 0 the workers share the one port that is told; each takes connections, and all say the same."""
    async with engine(tmp_path) as running, contextlib.AsyncExitStack() as opened:
        assert running.address.rsplit(":", 1)[1] != "0"
        channels = [await opened.enter_async_context(own_connection(running.address)) for _ in range(40)]
        replies = await asyncio.gather(*map(ask, channels))
        assert len({reply.SerializeToString(deterministic=True) for reply in replies}) == 1
        taken = running.connections()
        assert len(taken) == WORKERS
        assert min(taken.values()) > 0
        assert sum(taken.values()) == len(channels)


@pytest.mark.slow
async def test_calls_go_on_when_a_worker_is_killed(tmp_path: Path) -> None:
    """When one worker is killed, a caller that retries UNAVAILABLE goes on at once; another takes its place."""
    async with engine(tmp_path) as running:
        before = running.workers()
        async with channel.connect(running.address) as opened:
            for turn in range(200):
                if turn == 50:
                    # The one that has our connection, so that the calls have to move.
                    victim = max(running.connections().items(), key=lambda item: item[1])[0]
                    os.kill(victim, signal.SIGKILL)
                assert (await ask_again(opened)).root_cause_count == 3
                await asyncio.sleep(0.001)
        await until(lambda: len(running.workers()) == WORKERS and victim not in running.workers())
        assert set(before) - {victim} < set(running.workers())


async def test_a_drain_loses_no_open_call(tmp_path: Path) -> None:
    """SIGTERM to the parent drains every worker: open conversations go on to their end, then all exit with 0."""
    async with engine(tmp_path) as running, contextlib.AsyncExitStack() as opened:
        workers = running.workers()
        channels = [await opened.enter_async_context(own_connection(running.address)) for _ in range(20)]
        stubs: list[Any] = [engine_pb2_grpc.EngineServiceStub(one) for one in channels]
        streams = [stub.DiagnoseStream(timeout=SECONDS) for stub in stubs]
        message = pb.DiagnoseStreamRequest(diagnose=pb.DiagnoseRequest(evidence=said(("P-0001", YES))))
        for stream in streams:
            await stream.write(message)
            assert (await asyncio.wait_for(stream.read(), SECONDS)).diagnosis.root_cause_count == 3
        assert min(running.connections().values()) > 0
        running.process.terminate()
        await asyncio.sleep(0.2)
        for stream in streams:
            await stream.write(message)
            assert (await asyncio.wait_for(stream.read(), SECONDS)).diagnosis.root_cause_count == 3
            await stream.done_writing()
            assert await asyncio.wait_for(stream.read(), SECONDS) is grpc.aio.EOF
        assert await asyncio.wait_for(running.process.wait(), SECONDS) == 0
        await gone(workers)


@pytest.mark.slow
async def test_workers_do_not_outlive_their_parent(tmp_path: Path) -> None:
    """A parent that is killed leaves no worker behind."""
    async with engine(tmp_path) as running:
        workers = running.workers()
        assert len(list(filter(_alive, workers))) == WORKERS
        running.process.kill()
        await gone(workers)
        assert not list(filter(_alive, workers))


async def test_a_port_that_others_share_is_not_joined(tmp_path: Path) -> None:
    """A second engine with workers on the same port is refused, although the port could be shared."""
    async with engine(tmp_path) as running:
        second = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.engine", "--workers", str(WORKERS)),
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | {"DBDIAG_ENGINE_SNAPSHOT_DIR": str(tmp_path), "DBDIAG_BIND": running.address},
        )
        _, errors = await asyncio.wait_for(second.communicate(), START_SECONDS)
    assert second.returncode == 3
    assert b"address_in_use" in errors
