"""Runs the gateway alone, with the services at the configured addresses."""

import asyncio
import contextlib
import os
import signal
import sys

from gateway.settings import GatewaySettings
from services.chassis import logs, settings
from services.chassis.server import exit_code, pause_garbage_collection


async def until_signal(loaded: GatewaySettings) -> None:
    """Serves until SIGTERM or SIGINT; loads the server only after the settings are validated."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
    with pause_garbage_collection() as sweep:
        from gateway.app import serve

        def ready(url: str) -> None:
            sweep()
            print(f"listening on {url}", flush=True)

        await serve(loaded, stop, ready)


def main() -> int:
    """Reads the settings and serves. Returns the exit code."""
    loaded = settings.load(GatewaySettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(until_signal(loaded))
    return 0


if __name__ == "__main__":
    sys.exit(exit_code(main))
