"""Runs the knowledge service alone."""

import os
import sys

from services.chassis.server import Servable, main
from services.knowledge.settings import KnowledgeSettings


def app(settings: KnowledgeSettings) -> Servable:
    """The service, imported only after its settings are validated."""
    from services.knowledge.app import KnowledgeApp

    return KnowledgeApp(settings)


if __name__ == "__main__":
    sys.exit(main("services.knowledge", KnowledgeSettings, app, os.environ, sys.argv[1:]))
