"""A fault: how to inject and remove it, and what is true while it lasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import psycopg

from faultlab.jvm import java
from faultlab.lab import Lab
from faultlab.scenario import Act as Act
from faultlab.scenario import Needs as Needs
from services.chassis.errors import Precondition
from services.chassis.problems import verbatim


def nothing(_: Lab) -> None:
    """Leaves the lab as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. After `start` returns it shows within `visible_after` seconds.

    Clean-up order: `release` ends a cause that outlives its session, then the sessions end, then `restore` removes the
    rest. Both may run twice, and in another process than the one that started the fault.
    database: whether it affects the database itself, or the host beside it. title: by language, zh and en. root_cause:
    the true one, an id of the library; exact: whether the library has this very cause, or only a near one.
    """

    name: str
    visible_after: float
    start: Act
    title: Mapping[str, str]
    root_cause: str
    restore: Act = nothing
    release: Act = nothing
    needs: Needs = Needs.DATABASE
    database: bool = True
    exact: bool = True


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
