"""Faults of the host that the server runs on: each is a process beside it, with a cause in the host's library."""

from __future__ import annotations

from faultlab.fault import Act, Fault
from faultlab.lab import Lab


def _burden(kind: str) -> Act:
    def start(lab: Lab) -> None:
        lab.burden_host(kind)

    return start


def _fault(kind: str, visible_after: float = 2) -> Fault:
    return Fault(f"host_{kind}", visible_after, _burden(kind), database=False)


FAULTS = (
    _fault("cpu", 4),
    _fault("io", 4),
    _fault("forks"),
    _fault("threads", 4),
    _fault("descriptors"),
    _fault("unclosed_sockets"),
    _fault("memory", 40),
    _fault("memory_limit", 6),
    _fault("refused_calls"),
    _fault("full_backlog"),
)
