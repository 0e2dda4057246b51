"""Runs the matcher alone."""

import asyncio
import os

from services.chassis import logs, settings
from services.chassis.server import Host, run_until_signal
from services.matcher.app import MatcherApp
from services.matcher.settings import MatcherSettings

if __name__ == "__main__":
    loaded = settings.load(MatcherSettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(run_until_signal(lambda: Host([MatcherApp(loaded)], loaded)))
