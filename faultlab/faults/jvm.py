"""JVM faults: a small service beside the server with thread or heap problems."""

from __future__ import annotations

from faultlab.fault import Act, Fault, Needs
from faultlab.jvm import command
from faultlab.lab import Lab

_HEAP = "-Xmx64m"


def _burden(kind: str, *flags: str) -> Act:
    def start(lab: Lab) -> None:
        lab.burden(command(kind, _HEAP, *flags))

    return start


def _fault(name: str, start: Act) -> Fault:
    return Fault(name, 3, start, needs=Needs.JAVA, database=False)


FAULTS = (
    _fault("java_deadlock", _burden("deadlock")),
    _fault("java_hot_lock", _burden("hot_lock")),
    _fault("java_pool_starved", _burden("pool_starved")),
    _fault("java_slow_dependency", _burden("slow_dependency")),
    _fault("java_heap_small", _burden("heap_small")),
    _fault("java_allocation", _burden("allocation", "-Xmn8m")),
)
