"""How the workers of a run share the work of collecting: each needs all tests, and none should compile all files."""

from __future__ import annotations

import pytest


def begin_elsewhere(session: pytest.Session) -> None:
    """Lets each worker import the files from another one on, so that it finds the later ones compiled by the others.

    Rewriting the assertions of a file takes longer than anything else that is done at its import.
    """
    config = session.config
    worker = getattr(config, "workerinput", None)
    root = config.rootpath / "tests"
    if worker is None or [config.rootpath / each for each in config.args] != [root]:
        return
    files = sorted(map(str, root.rglob("test_*.py")))
    number, workers = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
    first = len(files) * number // workers
    config.args = files[first:] + files[:first]
