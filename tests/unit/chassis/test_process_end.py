"""A service as a process: started with `python -m`, ended with a signal as Kubernetes does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.chassis import channel
from tests.support.hosting import diagnose

_HELD = """
import asyncio, sys
from services.chassis import logs
from services.chassis.server import Host, run_until_signal
from tests.support.hosting import DiagnosingService, echo, on_loopback

async def slowly(request):
    print("called", flush=True)
    await asyncio.sleep(0.3)
    return await echo(request)

if __name__ == "__main__":
    logs.configure("info")
    asyncio.run(run_until_signal(lambda: Host([DiagnosingService(slowly)], on_loopback(drain_seconds=5))))
"""


@contextlib.asynccontextmanager
async def process(*arguments: str, **environ: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process that is ended with the block."""
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | environ,
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def first_line(started: asyncio.subprocess.Process) -> str:
    assert started.stdout is not None
    line = await asyncio.wait_for(started.stdout.readline(), 20)
    return line.decode().strip()


async def test_a_service_ends_with_zero_on_sigterm(tmp_path: Path) -> None:
    """`python -m services.<name>` says where it listens, and ends with 0 and nothing but log lines on SIGTERM."""
    async with process("-m", "services.knowledge", DBDIAG_KNOWLEDGE_STORE=str(tmp_path / "store")) as started:
        assert (await first_line(started)).startswith("listening on 127.0.0.1:")
        started.terminate()
        _, errors = await asyncio.wait_for(started.communicate(), 10)
        assert started.returncode == 0, errors
        assert all(line.startswith(b"{") for line in errors.splitlines())


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
async def test_an_open_call_is_answered_before_the_process_ends(name: signal.Signals) -> None:
    """A signal in the middle of a call: the call gets its answer, then the process ends with 0."""
    async with process("-c", _HELD) as started:
        address = (await first_line(started)).removeprefix("listening on ")
        async with channel.connect(address) as opened:
            call = asyncio.create_task(diagnose(opened, "answered"))
            assert await first_line(started) == "called"
            started.send_signal(name)
            assert (await call).snapshot_id == "answered"
        _, errors = await asyncio.wait_for(started.communicate(), 10)
        assert started.returncode == 0, errors
