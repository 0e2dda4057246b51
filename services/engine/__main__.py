"""Runs the engine alone."""

import os
import sys

from services.chassis.server import main
from services.engine.app import EngineApp
from services.engine.settings import EngineSettings

if __name__ == "__main__":
    sys.exit(main("services.engine", EngineSettings, EngineApp, os.environ, sys.argv[1:], workers="engine_workers"))
