"""Several processes of one service on one port; the kernel balances connections (SO_REUSEPORT).

The parent serves nothing. It reserves the port, starts the workers, restarts one that dies, and ends them all with a
drain. Each worker watches its standard input as a lifeline and drains when the parent is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from typing import Any

from services.chassis import logs
from services.chassis.server.host import reserve_port
from services.chassis.settings import PREFIX, ServerSettings

# For a worker: share the port, and end with standard input.
ATTACHED = "--attached"
# A worker that served this long is restarted at once; one that keeps dying waits twice as long each time.
_STEADY_SECONDS = 10.0
_LONGEST_PAUSE = 30.0
# Seconds after its drain until a worker is killed.
_GRACE_SECONDS = 5.0


class Workers:
    """`count` processes of `python -m module` on the address of the settings."""

    def __init__(self, module: str, variables: Mapping[str, str], settings: ServerSettings, count: int) -> None:
        self._command = (sys.executable, "-m", module, ATTACHED)
        self._variables = variables
        self._settings = settings
        self._count = count
        self._running: set[Process] = set()
        self._log = logs.logger("workers")

    def run(self) -> int:
        """Serves until SIGTERM or SIGINT. Returns 0 after a clean drain, or a failed worker's code."""
        with reserve_port(self._settings.bind) as held:
            host = self._settings.bind.rpartition(":")[0]
            return asyncio.run(self._serve(f"{host}:{held.getsockname()[1]}"))

    async def _serve(self, address: str) -> int:
        stop = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
        stopping = asyncio.create_task(stop.wait())
        serving = asyncio.create_task(self._supervise(address))
        try:
            await asyncio.wait({stopping, serving}, return_when=asyncio.FIRST_COMPLETED)
            failed = serving.result() if serving.done() else 0
        finally:
            await _cancelled(stopping, serving)
            clean = await self._end()
        return failed or (0 if clean else 1)

    async def _supervise(self, address: str) -> int:
        """Starts and restarts the workers; returns only the exit code of one that could not start."""
        starting = [asyncio.create_task(self._started(address)) for _ in range(self._count)]
        for ready in asyncio.as_completed(starting):
            worker = await ready
            if worker.returncode is not None:
                await _cancelled(*starting)
                return worker.returncode or 1
        print(f"listening on {address}", flush=True)
        await asyncio.gather(*(self._keep(task.result(), address) for task in starting))
        return 0

    async def _started(self, address: str) -> Process:
        """A worker that is ready or has ended."""
        worker = await self._start(address)
        assert worker.stdout is not None
        if not await worker.stdout.readline():
            await worker.wait()
        return worker

    async def _start(self, address: str) -> Process:
        variables = {**self._variables, f"{PREFIX}BIND": address}
        worker = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, env=variables)
        self._running.add(worker)
        return worker

    async def _keep(self, worker: Process, address: str) -> None:
        """Replaces the worker each time it ends."""
        clock, pause = asyncio.get_running_loop().time, 0.0
        while True:
            started = clock()
            code = await worker.wait()
            self._running.discard(worker)
            steady = clock() - started >= _STEADY_SECONDS
            pause = 0.0 if steady else min(_LONGEST_PAUSE, max(1.0, 2 * pause))
            self._log.error("worker ended", pid=worker.pid, code=code, restarts_in_seconds=pause)
            await asyncio.sleep(pause)
            worker = await self._start(address)

    async def _end(self) -> bool:
        """Drains every worker and kills late ones. Returns True if all ended with 0."""
        ends = {asyncio.create_task(worker.wait()): worker for worker in self._running if worker.returncode is None}
        for worker in ends.values():
            send_signal(worker, signal.SIGTERM)
        late = (await asyncio.wait(ends, timeout=self._settings.drain_seconds + _GRACE_SECONDS))[1] if ends else ()
        for task in late:
            self._log.error("worker killed", pid=ends[task].pid)
            send_signal(ends[task], signal.SIGKILL)
        return not any(await asyncio.gather(*ends))


def send_signal(worker: Process, number: signal.Signals) -> None:
    """Sends a signal to a process, unless it is gone; one that has just ended keeps its exit code.

    Process.terminate() would reap it, and whoever waits for it would be told 255.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.pid, number)


async def _cancelled(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
