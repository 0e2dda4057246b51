"""Runs the engine alone."""

import os
import sys

from services.chassis.server import Servable, main
from services.engine.settings import EngineSettings


def app(settings: EngineSettings) -> Servable:
    """Builds the service; its modules are loaded only after the settings are valid."""
    from services.engine.app import EngineApp

    return EngineApp(settings)


if __name__ == "__main__":
    sys.exit(main("services.engine", EngineSettings, app, os.environ, sys.argv[1:], workers="engine_workers"))
