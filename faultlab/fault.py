"""A fault: how to inject and remove it, and what is true while it lasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import yaml

from faultlab.jvm import java
from faultlab.lab import Lab
from services.chassis.errors import Precondition
from services.chassis.problems import verbatim

Act = Callable[[Lab], None]


class Needs(StrEnum):
    """What a fault needs from its environment."""

    DATABASE = "database"
    EMBEDDED = "embedded"
    JAVA = "java"


def nothing(_: Lab) -> None:
    """Leaves the lab as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. After `start` returns it shows within `visible_after` seconds.

    Clean-up order: `release` ends a cause that outlives its session, then the sessions end, then `restore` removes the
    rest. Both may run twice, and in another process than the one that started the fault.
    database: whether it affects the database itself, or the host beside it.
    """

    name: str
    visible_after: float
    start: Act
    restore: Act = nothing
    release: Act = nothing
    needs: Needs = Needs.DATABASE
    database: bool = True

    @property
    def title(self) -> Mapping[str, str]:
        """Its title by language, zh and en."""
        return {language: _facts()[self.name][language] for language in ("zh", "en")}

    @property
    def root_cause(self) -> str:
        """The true root cause, an id of the library."""
        return str(_facts()[self.name]["root_cause"])

    @property
    def exact(self) -> bool:
        """True if the library has this very cause; False if `root_cause` is only the nearest one."""
        return bool(_facts()[self.name].get("exact", True))


@cache
def _facts() -> Mapping[str, Mapping[str, Any]]:
    facts: Mapping[str, Mapping[str, Any]] = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))
    return facts


def begin(lab: Lab, fault: Fault) -> None:
    """Injects the fault. Raises Precondition if the environment lacks what it needs."""
    if fault.needs is Needs.EMBEDDED:
        lab.own_server()
    if fault.needs is Needs.JAVA:
        java()
    try:
        fault.start(lab)
    except psycopg.Error as error:
        raise Precondition("fault_not_made", name=fault.name, why=verbatim(error)) from error


def end(lab: Lab, fault: Fault) -> None:
    """Removes the fault in the order that works: the cause, the sessions, the remains."""
    fault.release(lab)
    lab.sessions.end()
    lab.relieve_host()
    fault.restore(lab)
    lab.flush()
