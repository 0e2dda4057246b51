"""Runs the collector alone."""

import os
import sys

from services.chassis.server import Servable, main
from services.collector.settings import CollectorSettings


def app(settings: CollectorSettings) -> Servable:
    """The service, loaded once its settings are known to be right."""
    from services.collector.app import CollectorApp

    return CollectorApp(settings, secrets=os.environ)


if __name__ == "__main__":
    sys.exit(main("services.collector", CollectorSettings, app, os.environ, sys.argv[1:]))
