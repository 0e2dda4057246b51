"""Real dbdiag processes: all in one, or each service alone; they end with the block that started them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.support.running.forked import Forked

_START_SECONDS = 60.0
STARTED_BY_TESTS = {"PYTHONWARNINGS": "ignore", "DBDIAG_LOG_LEVEL": "warning"}


@dataclass
class Running:
    """A dbdiag that answers: the gateway's URL, the services' addresses, the processes behind them.

    data: the data folder of one that runs in one process.
    """

    url: str
    addresses: dict[str, str] = field(default_factory=dict)
    processes: dict[str, Forked] = field(default_factory=dict)
    again: dict[str, Callable[[], Forked]] = field(default_factory=dict)
    data: Path = Path()

    def stop(self, name: str) -> None:
        """Ends one process the way Kubernetes does."""
        _end(self.processes[name])

    def heal(self) -> None:
        """Starts again, at the same address, what was stopped, and waits until the gateway reaches all of it."""
        stopped = [name for name, process in self.processes.items() if process.poll() is not None]
        for name in stopped:
            self.processes[name] = self.again[name]()
        if stopped:
            _wait_until_ready(self.url)


def _wait_until_ready(url: str) -> None:
    end = time.monotonic() + _START_SECONDS
    # A gateway is ready without the knowledge service; one that was away is reached only after a back-off.
    for path in ("readyz", "knowledge/proposals"):
        while httpx.get(f"{url}/{path}", timeout=_START_SECONDS).status_code != 200:
            assert time.monotonic() < end, f"{url}/{path} was not answered within {_START_SECONDS} seconds"
            time.sleep(0.05)


def _environ(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DBDIAG_")}
    return {**kept, **STARTED_BY_TESTS, **extra}


def _start(arguments: list[str], folder: Path, **settings: str) -> Forked:
    environ = _environ({f"DBDIAG_{key.upper()}": value for key, value in settings.items()})
    path = {"PYTHONPATH": os.pathsep.join([str(_ROOT), str(_ROOT / "protos" / "gen")])}
    return Forked(arguments, folder, environ | path, folder / "stderr.log")


_ROOT = Path(__file__).parents[3]


def _first_line(process: Forked, folder: Path) -> str:
    told, _, _ = select.select([process.stdout], [], [], _START_SECONDS)
    line = process.stdout.readline() if told else ""
    what = "ended" if told else f"said nothing for {_START_SECONDS} seconds"
    assert line, f"a process {what}: {(folder / 'stderr.log').read_text()[-2000:]}"
    return line.strip()


def _end(process: Forked) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(20)
    process.close()


@contextlib.contextmanager
def embedded(folder: Path, libraries: Sequence[str] = (), **settings: str) -> Iterator[Running]:
    """`dbdiag up` with its data in `folder`."""
    arguments = ["gateway.cli", "up", "--port", "0", "--data-dir", str(folder / "data"), "--json", "--attached"]
    arguments += [argument for library in libraries for argument in ("--library", library)]
    process = _start(arguments, folder, **settings)
    try:
        url = json.loads(_first_line(process, folder))["url"]
        yield Running(url, processes={"all": process}, data=folder / "data")
    finally:
        _end(process)


@contextlib.contextmanager
def separate(folder: Path, **settings: str) -> Iterator[Running]:
    """Every service as a process of its own on a loopback port, and the gateway with their addresses."""
    with contextlib.ExitStack() as stack:
        running = Running("")

        def start(name: str, module: str, **own: str) -> None:
            def again() -> Forked:
                process = _start([module], folder, **settings, **own, bind=running.addresses[name])
                stack.callback(_end, process)
                _first_line(process, folder)
                return process

            process = _start([module], folder, **settings, **own, bind="127.0.0.1:0")
            stack.callback(_end, process)
            running.processes[name], running.again[name] = process, again

        def address(name: str) -> str:
            return _first_line(running.processes[name], folder).removeprefix("listening on ")

        start(
            "knowledge",
            "services.knowledge",
            knowledge_store=str(folder / "snapshots"),
            knowledge_site_library=str(folder / "library"),
        )
        start("planner", "services.planner")
        start("collector", "services.collector", collector_evidence=str(folder / "report"))
        knowledge = running.addresses["knowledge"] = address("knowledge")
        start("engine", "services.engine", engine_knowledge_address=knowledge)
        start("matcher", "services.matcher", matcher_knowledge_address=knowledge)
        for name in ("planner", "engine", "matcher", "collector"):
            running.addresses[name] = address(name)
        addresses = {f"gateway_{name}_address": there for name, there in running.addresses.items()}
        start("gateway", "gateway", port="0", data_dir=str(folder / "data"), **addresses)
        running.url = address("gateway")
        yield running


@contextlib.contextmanager
def collector_process(folder: Path, targets: Path, **settings: str) -> Iterator[tuple[Forked, str]]:
    """A collector as a process of its own, with these targets, and its address."""
    own = {"bind": f"unix:{folder}/c.sock", "collector_targets": str(targets), "collector_evidence": str(folder)}
    process = _start(["services.collector"], folder, **own, **settings)
    try:
        _first_line(process, folder)
        yield process, own["bind"]
    finally:
        process.close()
