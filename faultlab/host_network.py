"""Burdens on the network, all of them on the loopback."""

from __future__ import annotations

import contextlib
import resource
import socket
import time
from collections.abc import Callable

_HERE = "127.0.0.1"
_DESCRIPTOR_LIMIT = 1024
_UNCLOSED = 550
_MOST_UNCLOSED = 900
_LEAK_SECONDS = 0.5
_CALL_SECONDS = 0.002
_KNOCK_SECONDS = 0.05
_WAITING = 4


def allow_descriptors(limit: int) -> None:
    """Sets how many files this process may open, within what it was given."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def leave_unclosed() -> Callable[[], None]:
    """A service that takes calls and does not close its side when the caller has hung up; there are more and more."""
    allow_descriptors(_DESCRIPTOR_LIMIT)
    service = socket.create_server((_HERE, 0), backlog=16)
    kept = [_hung_up(service) for _ in range(_UNCLOSED)]

    def run() -> None:
        while len(kept) < _MOST_UNCLOSED:
            kept.append(_hung_up(service))
            time.sleep(_LEAK_SECONDS)

    return run


def _hung_up(service: socket.socket) -> socket.socket:
    caller = socket.create_connection(service.getsockname())
    taken, _ = service.accept()
    caller.close()
    return taken


def call_again_and_again() -> Callable[[], None]:
    """Calls a service that is not there, and at once again, some hundred times a second."""
    with socket.create_server((_HERE, 0)) as gone:
        address = gone.getsockname()

    def run() -> None:
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(address, timeout=1).close()
            time.sleep(_CALL_SECONDS)

    return run


def crowd() -> Callable[[], None]:
    """Callers of a service that takes none of them and lets hardly any wait."""
    service = socket.create_server((_HERE, 0), backlog=1)
    address = service.getsockname()

    def run() -> None:
        waiting: list[socket.socket] = []
        while service.fileno() >= 0:
            caller = socket.socket()
            caller.setblocking(False)
            caller.connect_ex(address)
            waiting.append(caller)
            if len(waiting) > _WAITING:
                waiting.pop(_WAITING // 2).close()
            time.sleep(_KNOCK_SECONDS)

    return run
