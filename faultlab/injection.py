"""One fault at a time in a lab: made by one process, ended by it or, at another's wish or in its stead, by another.

The row in faultlab.injected is the agreement: who holds the fault, by the backend of its administrator, and whether
somebody wants it to end. A holder that is gone leaves a backend that is no more; then whoever clears takes over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from faultlab.fault import Fault, begin, end
from faultlab.faults import FAULTS
from faultlab.lab import Lab
from services.chassis.errors import DeadlinePassed, DependencyDown, NotFound, Precondition

_HOLDER_LIVES = "SELECT count(*) FROM pg_stat_activity a JOIN faultlab.injected i ON a.pid = i.backend"
_LONGEST_END_SECONDS = 40
_POLL_SECONDS = 0.5


class Held(NamedTuple):
    """The fault that is in the lab, and whether its holder still runs."""

    fault: Fault
    alive: bool


def named(name: str) -> Fault:
    """The fault of this name. Raises NotFound."""
    try:
        return FAULTS[name]
    except KeyError:
        message = f"there is no fault {name}; `dbdiag faults list` names them all"
        raise NotFound(message, reason="fault_not_found") from None


def held(lab: Lab) -> Held | None:
    """What is in the lab now."""
    rows = lab.run("SELECT name FROM faultlab.injected")
    return Held(named(rows[0][0]), lab.run(_HOLDER_LIVES)[0][0] > 0) if rows else None


def inject(lab: Lab, fault: Fault) -> None:
    """Makes the fault; this process holds it from now on. Raises Precondition while another one is in."""
    before = held(lab)
    if before is not None:
        message = f"the fault {before.fault.name} is in already; `dbdiag faults clear` ends it"
        raise Precondition(message, reason="fault_held")
    lab.run("INSERT INTO faultlab.injected VALUES (%s, pg_backend_pid(), false)", [fault.name])
    try:
        begin(lab, fault)
    except BaseException:
        release(lab, fault)
        raise


def attend(lab: Lab, wanted: Callable[[], bool]) -> None:
    """Waits while the fault is `wanted` and nobody asked for its end."""
    while wanted():
        # A restart of the server gives this process another backend.
        lab.run("UPDATE faultlab.injected SET backend = pg_backend_pid() WHERE backend <> pg_backend_pid()")
        if lab.run("SELECT ending FROM faultlab.injected") != [(False,)]:
            return
        time.sleep(_POLL_SECONDS)


def release(lab: Lab, fault: Fault) -> None:
    """Ends a fault that this process holds."""
    end(lab, fault)
    lab.run("DELETE FROM faultlab.injected")


def clear(lab: Lab) -> Fault | None:
    """Ends the fault that is in the lab, whoever holds it; None when there is none. Raises DeadlinePassed."""
    now = held(lab)
    if now is None:
        return None
    lab.run("UPDATE faultlab.injected SET ending = true")
    deadline = time.monotonic() + _LONGEST_END_SECONDS
    while (state := _still_held(lab, now)) is not None:
        if not state.alive:
            lab.evict_orphans()
            release(lab, state.fault)
        elif time.monotonic() > deadline:
            message = f"ending the fault {now.fault.name}: its holder did not end it within {_LONGEST_END_SECONDS} s"
            raise DeadlinePassed(message, reason="fault_not_ended")
        else:
            time.sleep(_POLL_SECONDS)
    return now.fault


def _still_held(lab: Lab, before: Held) -> Held | None:
    """What is in the lab; as before while the server restarts, None when its folder is gone and the fault with it."""
    try:
        return held(lab)
    except DependencyDown:
        return before if lab.server is None or lab.server.folder.exists() else None
