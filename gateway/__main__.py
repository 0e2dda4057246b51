"""Runs the gateway alone, with the services at the configured addresses."""

import asyncio
import contextlib
import os
import signal

from gateway.app import serve
from gateway.settings import GatewaySettings
from services.chassis import logs, settings


async def main(loaded: GatewaySettings) -> None:
    """Serves until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
    await serve(loaded, stop, lambda url: print(f"listening on {url}", flush=True))


if __name__ == "__main__":
    loaded = settings.load(GatewaySettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(main(loaded))
