"""Runs the analyst alone."""

import os
import sys

from services.analyst.settings import AnalystSettings
from services.chassis.server import Servable, main


def app(settings: AnalystSettings) -> Servable:
    """The service, loaded once its settings are known to be right."""
    from services.analyst.app import AnalystApp

    return AnalystApp(settings)


if __name__ == "__main__":
    sys.exit(main("services.analyst", AnalystSettings, app, os.environ, sys.argv[1:]))
