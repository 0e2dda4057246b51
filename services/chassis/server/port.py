"""The port of a service: whether it is free, and how several processes share it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

from services.chassis.errors import DependencyDown, InvalidInput


def check_free(bind: str) -> None:
    """Raises DependencyDown if `bind` is in use; gRPC's own message is less clear and goes to stderr."""
    host, _, port = bind.rpartition(":")
    if not bind.startswith("unix:") and host and port.isdecimal():
        with _told(bind):
            _bound(host, int(port), socket.SO_REUSEADDR).close()


@contextlib.contextmanager
def reserve_port(bind: str) -> Iterator[socket.socket]:
    """A socket that reserves the port of `bind` for the workers without listening.

    Raises InvalidInput for an address that cannot be shared, DependencyDown for an unavailable one.
    """
    host, _, port = bind.rpartition(":")
    if bind.startswith("unix:") or not (host and port.isdecimal()) or not hasattr(socket, "SO_REUSEPORT"):
        raise InvalidInput("invalid_request.not_shareable", bind=bind)
    # With SO_REUSEPORT alone, this process could join the shared port of another service.
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
        raise InvalidInput("invalid_setting.no_such_address", bind=bind) from error
    except OSError as error:
        raise DependencyDown("address_in_use", bind=bind, problem=str(error.strerror or error)) from error


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
