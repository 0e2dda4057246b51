"""Builds the kernel in place: `python -m services.engine.kernel`."""

import os
import sys

from services.engine.kernel.build import HOME, build

sys.exit(0 if build(HOME, os.environ) else "no kernel: no working C compiler, or no Python headers")
