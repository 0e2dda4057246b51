"""Runs the planner alone."""

import os
import sys

from services.chassis.server import Servable, main
from services.planner.settings import PlannerSettings


def app(settings: PlannerSettings) -> Servable:
    """The service, loaded once its settings are known to be right."""
    from services.planner.app import PlannerApp

    return PlannerApp(settings)


if __name__ == "__main__":
    sys.exit(main("services.planner", PlannerSettings, app, os.environ, sys.argv[1:]))
