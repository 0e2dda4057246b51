"""A service as a process: command line, signals, and one log line with an exit code if it cannot continue."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from services.chassis import logs, settings
from services.chassis.errors import DbdiagError, DeadlinePassed, DependencyDown, TooBusy
from services.chassis.server.host import Host, Servable
from services.chassis.server.workers import ATTACHED, Workers

BAD_INPUT = 2
DEPENDENCY_DOWN = 3

Settings = TypeVar("Settings", bound=settings.ServerSettings)


def main(
    module: str,
    model: type[Settings],
    build: Callable[[Settings], Servable],
    variables: Mapping[str, str],
    arguments: Sequence[str],
    workers: str | None = None,
) -> int:
    """Runs the service of `python -m module` until a signal ends it. Returns the exit code.

    `workers` names the setting with the number of processes that share the port, if the service supports it.
    """

    def serve() -> int:
        asked = _parser(module, workers is not None).parse_args(arguments)
        loaded = settings.load(model, variables, **({workers: asked.workers} if workers else {}))
        logs.configure(loaded.log_level)
        count = getattr(loaded, workers) if workers else 1
        if count > 1 and not asked.attached:
            return Workers(module, variables, loaded, count).run()
        asyncio.run(run_until_signal(lambda: Host([build(loaded)], loaded, asked.attached), asked.attached))
        return 0

    return exit_code(serve)


def exit_code(act: Callable[[], int]) -> int:
    """The result of `act`; for a member of the error tree, its exit code after one line on stderr."""
    try:
        return act()
    except DbdiagError as error:
        known = error
    except OSError as error:
        known = DependencyDown(
            "system_refused", what=str(error.filename or "the system"), problem=str(error.strerror or error)
        )
    logs.configure("error")
    logs.logger("process").error("ended", error=" ".join(known.message.split()), reason=known.reason)
    return DEPENDENCY_DOWN if isinstance(known, DependencyDown | DeadlinePassed | TooBusy) else BAD_INPUT


async def run_until_signal(build: Callable[[], Host], attached: bool = False) -> None:
    """Serves until SIGTERM or SIGINT, then drains. Builds the host inside the event loop to which gRPC binds it.

    `attached`: the end of standard input, which the parent process holds open, is a signal as well.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    if attached:
        _at_end_of_input(loop, stop.set)
    with pause_garbage_collection() as sweep:
        host = build()
        try:
            await host.start()
            sweep()
            print(f"listening on {host.address}", flush=True)
            await stop.wait()
        finally:
            await host.stop()


@contextlib.contextmanager
def pause_garbage_collection() -> Iterator[Callable[[], None]]:
    """Pauses garbage collection until the returned function is called; objects created by then are never collected.

    Objects of a start live as long as the process: scanning them costs a tenth of the start and of later calls.
    """

    def sweep() -> None:
        gc.freeze()
        gc.enable()

    gc.disable()
    try:
        yield sweep
    finally:
        gc.enable()


def _at_end_of_input(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    descriptor = sys.stdin.fileno()

    def read() -> None:
        if not os.read(descriptor, 4096):
            loop.remove_reader(descriptor)
            act()

    loop.add_reader(descriptor, read)


def _parser(module: str, multiplied: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description="Its settings are DBDIAG_* and dbdiag.yaml."
    )
    parser.add_argument(ATTACHED, action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(workers=None)
    if multiplied:
        parser.add_argument("--workers", type=int, metavar="N", help="processes that share the port")
    return parser
