"""The port a service listens on: whether it is free, and how several processes come to share it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

from services.chassis.errors import DependencyDown, InvalidInput


def check_free(bind: str) -> None:
    """Raises DependencyDown when somebody listens on `bind`; gRPC tells it less well, and on stderr besides."""
    host, _, port = bind.rpartition(":")
    if not bind.startswith("unix:") and host and port.isdecimal():
        with _told(bind):
            _bound(host, int(port), socket.SO_REUSEADDR).close()


@contextlib.contextmanager
def reserved(bind: str) -> Iterator[socket.socket]:
    """A socket that holds the port of `bind` without listening, so that nobody but the workers shares it.

    Raises InvalidInput for an address that cannot be shared, DependencyDown for one that cannot be had.
    """
    host, _, port = bind.rpartition(":")
    if bind.startswith("unix:") or not (host and port.isdecimal()) or not hasattr(socket, "SO_REUSEPORT"):
        raise InvalidInput(f"sharing {bind} between workers: that takes an address like 127.0.0.1:50051 on Linux")
    # With SO_REUSEPORT alone, the port of another service that shares its own could be joined.
    check_free(bind)
    with _told(bind):
        held = _bound(host, int(port), socket.SO_REUSEPORT)
    with held:
        yield held


@contextlib.contextmanager
def _told(bind: str) -> Iterator[None]:
    try:
        yield
    except socket.gaierror as error:
        message = f"setting bind: listening on {bind}: this machine has no such address"
        raise InvalidInput(message, reason="invalid_setting") from error
    except OSError as error:
        raise DependencyDown(f"listening on {bind}: {error.strerror or error}", reason="address_in_use") from error


def _bound(host: str, port: int, option: int) -> socket.socket:
    found: list[tuple[Any, ...]] = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    made = socket.socket(found[0][0], socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, option, 1)
        made.bind(found[0][4])
    except OSError:
        made.close()
        raise
    return made
