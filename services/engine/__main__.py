"""Runs the engine alone."""

import asyncio
import os

from services.chassis import logs, settings
from services.chassis.server import Host, run_until_signal
from services.engine.app import EngineApp
from services.engine.settings import EngineSettings

if __name__ == "__main__":
    loaded = settings.load(EngineSettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(run_until_signal(lambda: Host([EngineApp(loaded)], loaded)))
