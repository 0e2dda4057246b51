"""CPU time of the engine's server per request: Diagnose compared with an echo on the same server.

`python -m tests.benchmarks.engine_serving [--json]`. The server is a process of its own; what it spends is read from
/proc before and after each batch of calls. Diagnose and echo take turns, and the ratio is that of the medians of
requests per CPU second. The echo is a method of the same server, behind the same interceptor, that reads the same
request and answers with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from dbdiag.engine.v1 import engine_pb2 as pb

from services.chassis import logs
from services.chassis.server import Host, run_until_signal
from services.engine.app import EngineApp
from services.engine.settings import EngineSettings
from services.engine.tables.parameters import STRENGTHS
from tests.contract.test_engine_service import publish
from tests.support.engine_graphs import document

DIAGNOSE = f"/{EngineApp.service_name}/Diagnose"
ECHO = "/dbdiag.bench.v1.Echo/Echo"
SIZES = {"60x300": (60, 300, 20), "1kx5k": (1000, 5000, 30)}
FLOORS = {"60x300": 0.35, "1kx5k": 0.25}
ANSWERS = 5
ROUNDS = 9
CALLS = 400
IN_FLIGHT = 8
SECONDS = 30.0


class EchoingEngine(EngineApp):
    """The engine with the echo registered beside it."""

    def register(self, server: grpc.aio.Server) -> None:
        """See Servable."""
        super().register(server)
        method = grpc.unary_unary_rpc_method_handler(
            _echo, pb.DiagnoseRequest.FromString, pb.DiagnoseRequest.SerializeToString
        )
        service, name = ECHO.strip("/").split("/")
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {name: method}),))


async def _echo(request: pb.DiagnoseRequest, context: Any) -> pb.DiagnoseRequest:
    return request


@dataclass(frozen=True)
class Serving:
    """A running server: its process and a channel to it."""

    pid: int
    channel: grpc.aio.Channel

    def cpu_seconds(self) -> float:
        """CPU time of the process so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def requests_a_cpu_second(self, method: str, requests: list[pb.DiagnoseRequest]) -> float:
        """Sends the requests, some at a time, and divides their number by what the server spent on them."""
        call: Any = self.channel.unary_unary(method, pb.DiagnoseRequest.SerializeToString, bytes)
        gate = asyncio.Semaphore(IN_FLIGHT)

        async def send(request: pb.DiagnoseRequest) -> None:
            async with gate:
                await call(request, timeout=SECONDS)

        before = self.cpu_seconds()
        await asyncio.gather(*map(send, requests))
        return len(requests) / (self.cpu_seconds() - before)


def library(folder: Path, causes: int, phenomena: int, links: int, chance: random.Random) -> list[pb.DiagnoseRequest]:
    """Publishes a random library; the value is one batch of requests on it, each from a drawn cause."""
    names = [f"P-{at:04d}" for at in range(phenomena)]
    linked = {
        f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in chance.sample(names, links)} for at in range(causes)
    }
    tickets = [(cause, chance.sample(list(stated), 5)) for cause, stated in linked.items() for _ in range(5)]
    publish(folder, document(linked, tickets, phenomena))
    return [_request(list(linked[chance.choice(list(linked))]), names, chance) for _ in range(CALLS)]


def _request(own: list[str], names: list[str], chance: random.Random) -> pb.DiagnoseRequest:
    said = dict.fromkeys(chance.sample(own, ANSWERS - 2), pb.VERDICT_CONFIRMED)
    said |= dict.fromkeys(chance.sample(sorted(set(names) - set(own)), 2), pb.VERDICT_DENIED)
    return pb.DiagnoseRequest(
        evidence=[pb.Evidence(phenomenon_id=name, verdict=verdict) for name, verdict in said.items()]
    )


@contextlib.asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Serving]:
    """The engine and the echo in a process of their own, ended with the block."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.benchmarks.engine_serving", "--serve", str(folder)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), SECONDS)
        address = line.decode().strip().removeprefix("listening on ")
        async with grpc.aio.insecure_channel(address) as channel:
            yield Serving(process.pid, channel)
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), SECONDS)


async def measured(size: str, rounds: int = ROUNDS) -> dict[str, float]:
    """Requests per CPU second of Diagnose and of echo, and their ratio, for one size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        requests = library(folder, *SIZES[size], random.Random(7))
        figures: dict[str, list[float]] = {DIAGNOSE: [], ECHO: []}
        async with serving(folder) as server:
            for turn in range(rounds + 1):
                for method, found in figures.items():
                    # Echo is the quicker one: more of it, or the clock's ticks would show.
                    figure = await server.requests_a_cpu_second(method, requests * (3 if method == ECHO else 1))
                    if turn:
                        found.append(figure)
    diagnose, echo = (statistics.median(found) for found in figures.values())
    return {
        "diagnose_a_cpu_second": round(diagnose),
        "echo_a_cpu_second": round(echo),
        "diagnose_milliseconds": round(1000 / diagnose, 3),
        "echo_milliseconds": round(1000 / echo, 3),
        "ratio": round(diagnose / echo, 3),
        "floor": FLOORS[size],
    }


def results() -> dict[str, dict[str, float]]:
    """The figures of every size."""
    return {size: asyncio.run(measured(size)) for size in SIZES}


def serve(folder: Path) -> None:
    """The server's side."""
    logs.configure("warning")
    settings = EngineSettings(engine_snapshot_dir=folder)
    asyncio.run(run_until_signal(lambda: Host([EchoingEngine(settings)], settings)))


def main(arguments: list[str]) -> None:
    """Measures and prints, or serves."""
    if arguments[:1] == ["--serve"]:
        serve(Path(arguments[1]))
        return
    figures = results()
    if "--json" in arguments:
        print(json.dumps(figures))
        return
    for size, found in figures.items():
        met = "met" if found["ratio"] >= found["floor"] else "not met"
        print(
            f"{size:8} Diagnose {found['diagnose_a_cpu_second']:6} and echo {found['echo_a_cpu_second']:6} requests "
            f"a CPU second, ratio {found['ratio']:.3f} (floor {found['floor']}, {met})"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
