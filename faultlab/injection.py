"""One fault at a time in a lab, injected by one process and removed by it or, on request or after its end, by
another.

The row in faultlab.injected records which process holds the fault, by the backend of its administrator, and whether the
fault should end. If that backend is gone, the process that clears the fault takes over.
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
    """The fault in the lab, and whether its holder still runs."""

    fault: Fault
    alive: bool


def find_fault(name: str) -> Fault:
    """The fault of this name. Raises NotFound."""
    try:
        return FAULTS[name]
    except KeyError:
        raise NotFound("fault_not_found", name=name) from None


def current_fault(lab: Lab) -> Held | None:
    """The fault that is in the lab now."""
    rows = lab.run("SELECT name FROM faultlab.injected")
    return Held(find_fault(rows[0][0]), lab.run(_HOLDER_LIVES)[0][0] > 0) if rows else None


def inject(lab: Lab, fault: Fault) -> None:
    """Injects the fault and holds it in this process. Raises Precondition while the lab has another fault."""
    before = current_fault(lab)
    if before is not None:
        raise Precondition("fault_held", name=before.fault.name)
    lab.run("INSERT INTO faultlab.injected VALUES (%s, pg_backend_pid(), false)", [fault.name])
    try:
        begin(lab, fault)
    except BaseException:
        release(lab, fault)
        raise


def attend(lab: Lab, wanted: Callable[[], bool]) -> None:
    """Waits while the fault is `wanted` and no other process has asked to end it."""
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
    """Ends the fault in the lab, whichever process holds it; None if there is none. Raises DeadlinePassed."""
    now = current_fault(lab)
    if now is None:
        return None
    lab.run("UPDATE faultlab.injected SET ending = true")
    deadline = time.monotonic() + _LONGEST_END_SECONDS
    while (state := _still_held(lab, now)) is not None:
        if not state.alive:
            lab.evict_orphans()
            release(lab, state.fault)
        elif time.monotonic() > deadline:
            raise DeadlinePassed("fault_not_ended", name=now.fault.name, seconds=_LONGEST_END_SECONDS)
        else:
            time.sleep(_POLL_SECONDS)
    return now.fault


def _still_held(lab: Lab, before: Held) -> Held | None:
    """The current fault; as before while the server restarts, None once its folder is gone and the fault with it."""
    try:
        return current_fault(lab)
    except DependencyDown:
        return before if lab.server is None or lab.server.folder.exists() else None
