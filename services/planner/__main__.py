"""Runs the planner alone."""

import asyncio
import os

from services.chassis import logs, settings
from services.chassis.server import Host, run_until_signal
from services.planner.app import PlannerApp
from services.planner.settings import PlannerSettings

if __name__ == "__main__":
    loaded = settings.load(PlannerSettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(run_until_signal(lambda: Host([PlannerApp(loaded)], loaded)))
