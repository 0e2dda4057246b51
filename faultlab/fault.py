"""What a fault is: how it is made and taken away, and what is true while it lasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import psycopg

from faultlab.jvm import java
from faultlab.lab import Lab
from services.chassis.errors import Precondition

Act = Callable[[Lab], None]


class Needs(StrEnum):
    """What the place must offer."""

    DATABASE = "database"
    EMBEDDED = "embedded"
    JAVA = "java"


def nothing(_: Lab) -> None:
    """Leaves the lab as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. After `start` returns it shows within `visible_after` seconds.

    Clean-up order: `release` ends the cause that outlives its session, then the sessions end, then `restore` takes away
    what is left; both may run twice, and in another process than the one that started it.
    root_cause: the true one, an id of the library; exact: whether the library names this very cause, or the nearest
    one; database: whether it befalls the database itself, or the host beside it.
    """

    name: str
    zh: str
    en: str
    root_cause: str
    visible_after: float
    start: Act
    restore: Act = nothing
    release: Act = nothing
    needs: Needs = Needs.DATABASE
    exact: bool = True
    database: bool = True


def begin(lab: Lab, fault: Fault) -> None:
    """Makes the fault. Raises Precondition where the place lacks what it needs."""
    if fault.needs is Needs.EMBEDDED:
        lab.own_server()
    if fault.needs is Needs.JAVA:
        java()
    try:
        fault.start(lab)
    except psycopg.Error as error:
        raise Precondition(f"making the fault {fault.name}: {error}", reason="fault_not_made") from error


def end(lab: Lab, fault: Fault) -> None:
    """Takes the fault away in the order that works: the cause, the sessions, the traces."""
    fault.release(lab)
    lab.sessions.end()
    lab.relieve_host()
    fault.restore(lab)
    lab.flush()
