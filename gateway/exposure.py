"""Network exposure of the HTTP interface: which hosts it serves, and whether it requires a token."""

from __future__ import annotations

import ipaddress

from gateway.http.admission import Doors, is_loopback
from gateway.settings import SHORTEST_TOKEN, GatewaySettings
from services.chassis.errors import InvalidInput


def check_exposure(settings: GatewaySettings) -> None:
    """Raises InvalidInput if other machines can connect and no token is set."""
    if settings.token is None and not is_loopback(settings.host):
        raise InvalidInput("token_missing", host=settings.host, least=SHORTEST_TOKEN)


def read_doors(settings: GatewaySettings) -> Doors:
    """The host names that are served, including the listening address, and the token."""
    listening = {_as_in_url(settings.host)} if _is_one_host(settings.host) else set()
    return Doors(frozenset({*settings.allowed_hosts, *listening}), settings.token)


def _as_in_url(host: str) -> str:
    return f"[{host.lower()}]" if ":" in host else host.lower()


def _is_one_host(host: str) -> bool:
    """False for wildcard addresses."""
    try:
        return not ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return bool(host)
