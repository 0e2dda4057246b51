"""Runs the matcher alone."""

import os
import sys

from services.chassis.server import main
from services.matcher.app import MatcherApp
from services.matcher.settings import MatcherSettings

if __name__ == "__main__":
    sys.exit(main("services.matcher", MatcherSettings, MatcherApp, os.environ, sys.argv[1:]))
