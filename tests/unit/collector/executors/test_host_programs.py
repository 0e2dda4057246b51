"""Programs that write without end, a gigabyte in one line, what is no text, or nothing at all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import time
from pathlib import Path

import pytest

from services.collector.catalogue import schema
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.host import executor
from services.collector.executors.host.executor import HostExecutor
from services.collector.executors.host.machine import LocalMachine
from services.collector.failures import CheckFailed
from tests.support.cases import for_each

_CAP = 262_144
_MEGABYTES = 64


def written(*argv: str) -> tuple[str, bool]:
    """What a program writes, to the cap, and whether there was more."""
    return asyncio.run(LocalMachine().run_program(argv, _CAP))


def check(*argv: str) -> CatalogueCheck:
    """A check that runs a program."""
    entry = {
        "id": "host.odd",
        "name": {"zh": "怪", "en": "odd"},
        "engine": "host",
        "argv": argv,
        "signals": {"n": "n()"},
    }
    return CatalogueCheck.model_validate({**entry, "findings": {}, "timeout_seconds": 1})


def running(name: str) -> list[Path]:
    """The processes of that name which this one has started and which still are."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            if f"({name})" in text and text.rpartition(")")[2].split()[1] == str(os.getpid()):
                found.append(folder)
    return found


@for_each(
    ("argv", "lines"),
    [(("yes",), _CAP // 2), (("head", "-c", "1000000000", "/dev/zero"), 0), (("head", "-c", "100", "/dev/zero"), 1)],
)
def test_output_is_cut_at_its_cap(argv: tuple[str, ...], lines: int) -> None:
    """Whole lines to the cap are kept, a line that is longer is not, memory stays small, and the program is ended."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text, cut = written(*argv)
    assert len(text.splitlines()) == lines
    assert cut is (argv != ("head", "-c", "100", "/dev/zero"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < _MEGABYTES * 1024
    assert running(argv[0]) == []


def test_cutting_an_output_never_waits_for_what_is_cut_off() -> None:
    """However often a program is ended in the middle of a line, its end is told at once."""

    async def many() -> list[bool]:
        async def one() -> bool:
            async with asyncio.timeout(30):
                return (await LocalMachine().run_program(("head", "-c", "1000000000", "/dev/zero"), _CAP))[1]

        return [await one() for _ in range(200)]

    assert all(asyncio.run(many()))


def test_what_is_no_text_is_read_as_far_as_it_is() -> None:
    """Bytes that are no letters come back as signs for them."""
    text, cut = written("printf", r"a\377\376b\n")
    assert (text, cut) == ("a��b\n", False)


def test_a_program_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time of its check, with that as the reason; nothing of it is left."""
    for module in (schema, executor):
        monkeypatch.setattr(module, "HOST_PROGRAMS", ("sleep", "true"))
    with pytest.raises(CheckFailed) as hung:
        asyncio.run(HostExecutor(time.monotonic).read(check("sleep", "60"), {}))
    with pytest.raises(CheckFailed) as silent:
        asyncio.run(HostExecutor(time.monotonic).read(check("true"), {}))
    assert (hung.value.reason, silent.value.reason) == ("timed_out", "not_available_here")
    assert running("sleep") == []
