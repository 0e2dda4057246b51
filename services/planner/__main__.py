"""Runs the planner alone."""

import os
import sys

from services.chassis.server import main
from services.planner.app import PlannerApp
from services.planner.settings import PlannerSettings

if __name__ == "__main__":
    sys.exit(main("services.planner", PlannerSettings, PlannerApp, os.environ, sys.argv[1:]))
