"""Background threads of the processes that load the host."""

from __future__ import annotations

import threading
from collections.abc import Callable


def in_background(action: Callable[[], object]) -> None:
    """Runs an action in a daemon thread."""
    threading.Thread(target=action, daemon=True).start()
