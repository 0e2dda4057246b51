"""A service as a process: started with `python -m`, ended with a signal as Kubernetes does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.chassis import channel
from services.chassis.server.workers import send_signal
from tests.support.cases import for_each
from tests.support.running.forked import run
from tests.support.servers.hosting import diagnose

pytestmark = pytest.mark.slow

_HELD = """
import asyncio, sys
from services.chassis import logs
from services.chassis.server import Host, run_until_signal
from tests.support.servers.hosting import DiagnosingService, echo, on_loopback

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
        await asyncio.wait_for(started.communicate(), 10)


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
            assert (await asyncio.wait_for(call, 10)).snapshot_id == "answered"
        _, errors = await asyncio.wait_for(started.communicate(), 10)
        assert started.returncode == 0, errors


async def test_a_process_that_has_just_ended_keeps_its_exit_code_when_a_signal_comes_late() -> None:
    """A signal to a process that ended, and that nobody has waited for yet, takes its exit code from no one."""
    before = asyncio.get_child_watcher()
    with asyncio.PidfdChildWatcher() as watcher:
        watcher.attach_loop(asyncio.get_running_loop())
        asyncio.set_child_watcher(watcher)
        try:
            ended = await asyncio.create_subprocess_exec(sys.executable, "-c", "raise SystemExit(3)")
            # Blocks the loop on purpose: the process ends, and the loop has not noticed.
            os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
            send_signal(ended, signal.SIGTERM)
            assert await asyncio.wait_for(ended.wait(), 10) == 3
        finally:
            asyncio.set_child_watcher(before)


def last_words(*arguments: str, **environ: str) -> tuple[int | None, dict[str, Any]]:
    """The exit code of a service that cannot start, and the last line it wrote; there is no traceback above it."""
    ended = run(*arguments, folder=Path.cwd(), environ=os.environ | environ)
    lines = ended.stderr.splitlines()
    assert all(line.startswith("{") for line in lines), ended.stderr
    said = [json.loads(line) for line in lines]
    # Of several workers, one may still report that its server stopped after another has ended.
    return ended.returncode, next(line for line in reversed(said) if line["event"] != "stopped")


@pytest.mark.parametrize("service", ["services.engine", "services.matcher", "services.planner", "services.knowledge"])
def test_a_taken_address_ends_a_service_with_one_line(service: str, tmp_path: Path) -> None:
    """A service whose address another process holds ends with 3 and a line that names the address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        known = {"DBDIAG_KNOWLEDGE_STORE": str(tmp_path), "DBDIAG_ENGINE_SNAPSHOT_DIR": str(tmp_path)}
        code, line = last_words(service, DBDIAG_BIND=address, **known)
    assert (code, line["reason"]) == (3, "address_in_use")
    assert address in line["error"]


@for_each("service", ["services.engine", "services.matcher", "services.planner", "services.knowledge", "gateway"])
def test_a_wrong_setting_ends_a_service_with_one_line(service: str) -> None:
    """A setting that nobody knows ends every service with 2 and a line that names the nearest one."""
    code, line = last_words(service, DBDIAG_LOG_LEVLE="info")
    assert (code, line["reason"]) == (2, "unknown_setting")
    assert "log_level" in line["error"]


@for_each(
    ("name", "value"),
    [
        ("bind", "nonsense"),
        ("bind", "127.0.0.1:"),
        ("bind", "127.0.0.1:http"),
        ("bind", "127.0.0.1:70000"),
        ("bind", "no.such.host.invalid:50051"),
        ("llm_base_url", "notaurl"),
        ("llm_base_url", "http://"),
        ("llm_base_url", "http://127.0.0.1:1/v1"),
    ],
)
def test_a_setting_that_cannot_be_used_ends_a_service_with_its_name(name: str, value: str) -> None:
    """An address nobody can listen on, a model's URL that is none or comes without a model: 2, naming the setting."""
    code, line = last_words("services.planner", **{f"DBDIAG_{name.upper()}": value})
    assert (code, line["reason"]) == (2, "invalid_setting")
    assert name in line["error"]


def test_a_number_of_workers_that_makes_no_sense_is_a_wrong_setting() -> None:
    """No workers at all, or workers on an address that cannot be shared, end the engine with 2."""
    code, line = last_words("services.engine", "--workers", "0")
    assert (code, line["reason"]) == (2, "invalid_setting")
    assert "the command line" in line["error"]
    code, line = last_words("services.engine", DBDIAG_ENGINE_WORKERS="2", DBDIAG_BIND="unix:engine.sock")
    assert (code, line["reason"]) == (2, "invalid_request")


def test_what_a_service_needs_and_lacks_ends_it_with_one_line(tmp_path: Path) -> None:
    """Without a word on where its data comes from the engine ends with 2; where that does not answer, with 3."""
    code, line = last_words("services.engine")
    assert (code, line["reason"]) == (2, "invalid_setting")
    there = {"DBDIAG_ENGINE_SNAPSHOT_DIR": str(tmp_path), "DBDIAG_ENGINE_START_SECONDS": "0"}
    code, line = last_words("services.engine", **there)
    assert (code, line["reason"]) == (3, "knowledge_unreachable")
    code, line = last_words("services.engine", "--workers", "2", **there)
    assert (code, line["reason"]) == (3, "knowledge_unreachable")
