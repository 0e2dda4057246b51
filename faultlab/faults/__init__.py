"""The faults, by the part of the server that they affect."""

from __future__ import annotations

from faultlab.fault import Fault
from faultlab.faults import connections, host, jvm, locks, plans, replication, storage, structure, vacuum, wal

FAULTS: dict[str, Fault] = {
    fault.name: fault
    for module in (locks, connections, plans, structure, vacuum, storage, wal, replication, host, jvm)
    for fault in module.FAULTS
}
