"""Learning by a process of its own, so that what else a first start does goes on beside it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from services.planner.understand import acts


class Ahead:
    """Begins to learn unless what was learned is kept in the folder already, or nothing can be kept there."""

    def __init__(self, folder: Path) -> None:
        acts.keep_in(folder)
        self._process: subprocess.Popen[bytes] | None = None
        if not acts.is_kept() and _is_writable(folder):
            # -P: what happens to lie in the current folder is not run.
            command = [sys.executable, "-P", "-m", __name__, str(folder)]
            nowhere = subprocess.DEVNULL
            self._process = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)

    def wait(self) -> None:
        """Until all is learned: here and now, where the other process did not bring it."""
        if self._process is not None:
            self._process.wait()
        acts.learned()

    def close(self) -> None:
        """Ends the other process, if it still learns."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def _is_writable(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


if __name__ == "__main__":
    acts.keep_in(Path(sys.argv[1]))
    acts.learned()
