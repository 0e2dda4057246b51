from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from faultlab.jvm import SOURCE, command
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.host.executor import HostExecutor
from services.collector.failures import CheckFailed
from services.collector.model import Verdict
from services.collector.targets.connections import Jvm

CHECKS = shipped().checks
# The check and the phenomenon that show each burden.
OF_THE_HOST = {
    "cpu": ("host.processes", "P-3002"),
    "io": ("host.processes", "P-3019"),
    "forks": ("host.cpu", "P-3015"),
    "threads": ("host.processes", "P-3013"),
    "descriptors": ("host.growth", "P-3050"),
    "unclosed_sockets": ("host.sockets", "P-3057"),
    "memory": ("host.growth", "P-3030"),
    "memory_limit": ("host.groups", "P-3033"),
    "refused_calls": ("host.network", "P-3064"),
    "full_backlog": ("host.network", "P-3054"),
}
OF_A_JVM = {
    "deadlock": ("java.threads", "P-3044"),
    "hot_lock": ("java.threads", "P-3043"),
    "pool_starved": ("java.threads", "P-3045"),
    "slow_dependency": ("java.threads", "P-3062"),
    "heap_small": ("java.collections", "P-3036"),
    "allocation": ("java.collections", "P-3042"),
}
# A process counts as a leak only once it has run for a while.
SEEN_SECONDS = 100
GONE_SECONDS = 20


@contextlib.contextmanager
def burdened(argv: Sequence[str]) -> Iterator[None]:
    """A burden while the block lasts. Skips where this machine does not let it be made."""
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as burden:
        assert burden.stdout is not None
        said = burden.stdout.readline().decode().strip()
        try:
            if "control group" in said:
                pytest.skip(said)
            assert said == "ready"
            yield
        finally:
            burden.communicate(timeout=20)


def shows(check: str, phenomenon: str, wanted: bool, seconds: float) -> bool:
    """Whether a check comes to confirm a phenomenon, or no longer does, within so many seconds."""
    look = HostExecutor(time.monotonic, jvm=Jvm(main=SOURCE.name))
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(CheckFailed):
            findings = judge(CHECKS[check], asyncio.run(look.read(CHECKS[check], {})))[1]
            verdict = next(item.verdict for item in findings if item.phenomenon_id == phenomenon)
            if (verdict is Verdict.CONFIRMED) is wanted:
                return True
        if time.monotonic() > deadline:
            return False


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("kind", OF_THE_HOST)
def test_a_fault_of_the_host_is_seen_and_gone_with_its_maker(kind: str) -> None:
    """The check that is for it confirms what shows the burden while it is there, and no longer afterwards."""
    cpus = os.cpu_count() or 1
    if kind in ("cpu", "io") and os.getloadavg()[0] > cpus / 2:
        pytest.skip("others use this machine: nobody has most of it")
    check, phenomenon = OF_THE_HOST[kind]
    with burdened([sys.executable, "-m", "faultlab.host_load", kind]):
        assert shows(check, phenomenon, True, SEEN_SECONDS)
    assert shows(check, phenomenon, False, GONE_SECONDS)
    assert not [folder for root in ("memory", ".") for folder in Path("/sys/fs/cgroup", root).glob("faultlab-*")]


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.skipif(not shutil.which("jstack"), reason="no JDK is installed here")
@pytest.mark.parametrize("kind", OF_A_JVM)
def test_a_fault_of_a_jvm_is_seen(kind: str) -> None:
    """The JDK's tools, run on the JVM that is found by its source file, confirm what shows the fault."""
    flags = ("-Xmn8m",) if kind == "allocation" else ()
    with burdened(command(kind, "-Xmx64m", *flags)):
        assert shows(*OF_A_JVM[kind], True, SEEN_SECONDS)
