"""Network loads, all on loopback."""

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
    """Sets this process's limit of open files, up to the hard limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def leave_unclosed() -> Callable[[], None]:
    """A service that leaks sockets in CLOSE_WAIT: it never closes its side after the client disconnects."""
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
    """Retries connections to a missing service some hundred times a second."""
    with socket.create_server((_HERE, 0)) as gone:
        address = gone.getsockname()

    def run() -> None:
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(address, timeout=1).close()
            time.sleep(_CALL_SECONDS)

    return run


def crowd() -> Callable[[], None]:
    """Clients of a service with a tiny backlog that never accepts."""
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
