"""What every test stands on: nothing of the machine's own configuration reaches it, and log lines can be read back."""

from __future__ import annotations

import gc
import io
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import pytest
import structlog

from services.chassis import logs
from tests.support.collecting import begin_elsewhere
from tests.support.examples import load_profile
from tests.support.sampling import leave_most_cases_to_slow
from tests.support.servers.postgres import RUN_FOLDER

_MEMORY = Path("/dev/shm")
_LEAST_ROOM_BYTES = 2 * 2**30
# After how many new objects the youngest are collected, and how many collections later all are; 700 and ten by default.
_NEW_OBJECTS = 20_000
_YOUNG_COLLECTIONS = 200
_YOUNG_OBJECTS = 20_000

pytest_plugins = [
    "tests.support.running.fixtures",
    "tests.support.servers.scripted_gateway",
]


def pytest_configure(config: pytest.Config) -> None:
    """Forgets the caller's settings, proxies and language: tests talk to this machine only, in English by default.

    What is drawn at random is the same each time.
    """
    load_profile(slow_tests_run="not slow" not in config.option.markexpr)
    # A shell starts background jobs with SIGINT ignored, and the processes of tests would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in [name for name in os.environ if name.startswith("DBDIAG_") or name.lower().endswith("_proxy")]:
        del os.environ[name]
    for name in ("LC_ALL", "LC_MESSAGES"):
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    _keep_files_in_memory()


def _keep_files_in_memory() -> None:
    """Puts temporary files where there is no disk to wait for, unless the caller chose: each durable write took 10 ms.

    Workers take over the folder of the run. PostgreSQL's programs must be able to run from there, as another user.
    """
    if "TMPDIR" in os.environ or not _MEMORY.is_dir() or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return
    if shutil.disk_usage(_MEMORY).free >= _LEAST_ROOM_BYTES:
        # A short name: the paths of sockets are limited.
        folder = Path(tempfile.mkdtemp(prefix="t", dir=_MEMORY))
        folder.chmod(0o755)
        os.environ["TMPDIR"] = os.environ[RUN_FOLDER] = tempfile.tempdir = str(folder)
        # At the end of the process, after multiprocessing has removed what it keeps there.
        Finalize(None, _free_memory, (folder,), exitpriority=-1_000)


def _free_memory(folder: Path) -> None:
    """Removes the folder, but for what failed tests wrote."""
    failed = set(folder.glob("pytest-of-*/pytest-[0-9]*"))
    for left in folder.iterdir():
        if not any(path.is_relative_to(left) for path in failed):
            shutil.rmtree(left, ignore_errors=True)
    if not failed:
        folder.rmdir()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keeps the garbage collector away from what collection makes, all of which stays: it cost half of that time.

    The libraries and models that tests load stay as well; searching all of them took a seventh of the tests' time.
    """
    gc.disable()
    begin_elsewhere(session)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS, 10, _YOUNG_COLLECTIONS)
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, object, object]:
    """Runs a sample of the cases of costly tests, and the unit tests last.

    Their short files even out the ends of the workers, the long waits of others do not.
    """
    # One order for all workers, wherever they began to collect.
    items.sort(key=lambda item: item.path)
    leave_most_cases_to_slow(items)
    result = yield
    items.sort(key=lambda item: "unit" in item.path.parts)
    return result


@pytest.fixture
def log_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Configures logs as a process would, at level debug; calling the value gives all lines written so far."""
    written = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(logs, "STREAM", written)
        logs.configure("debug")
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    structlog.reset_defaults()
