"""Runs the knowledge service alone."""

import os
import sys

from services.chassis.server import main
from services.knowledge.app import KnowledgeApp
from services.knowledge.settings import KnowledgeSettings

if __name__ == "__main__":
    sys.exit(main("services.knowledge", KnowledgeSettings, KnowledgeApp, os.environ, sys.argv[1:]))
