"""Runs the matcher alone."""

import os
import sys

from services.chassis.server import Servable, main
from services.matcher.settings import MatcherSettings


def app(settings: MatcherSettings) -> Servable:
    """The service. Its modules are imported only after the settings were validated."""
    from services.matcher.app import MatcherApp

    return MatcherApp(settings)


if __name__ == "__main__":
    sys.exit(main("services.matcher", MatcherSettings, app, os.environ, sys.argv[1:]))
