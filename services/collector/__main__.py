"""Runs the collector alone."""

import os
import sys
from functools import partial

from services.chassis.server import main
from services.collector.app import CollectorApp
from services.collector.settings import CollectorSettings

if __name__ == "__main__":
    build = partial(CollectorApp, secrets=os.environ)
    sys.exit(main("services.collector", CollectorSettings, build, os.environ, sys.argv[1:]))
