"""Runs the knowledge service alone."""

import asyncio
import os

from services.chassis import logs, settings
from services.chassis.server import Host, run_until_signal
from services.knowledge.app import KnowledgeApp
from services.knowledge.settings import KnowledgeSettings

if __name__ == "__main__":
    loaded = settings.load(KnowledgeSettings, os.environ)
    logs.configure(loaded.log_level)
    asyncio.run(run_until_signal(lambda: Host([KnowledgeApp(loaded)], loaded)))
