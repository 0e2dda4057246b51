"""Admission of HTTP requests, the same for every route.

A browser lets any page send requests to this machine, and DNS rebinding lets a page read the answers. So a request must
name a host that is served, must not come from a page of another origin, and must declare its body as JSON, which a page
of another origin cannot do without a CORS preflight. If a token is set, the request must carry it.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.http.problems import Refusal, make_response
from gateway.http.request_language import read_accepted_language
from gateway.settings import SHORTEST_TOKEN, GatewaySettings
from services.chassis.errors import InvalidInput

PAGES = frozenset({"/", "/docs"})
_PROBES = frozenset({"/healthz", "/readyz"})
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_READING = frozenset({"GET", "HEAD"})
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")
_STATUS = {
    "host_not_allowed": HTTPStatus.MISDIRECTED_REQUEST,
    "foreign_origin": HTTPStatus.FORBIDDEN,
    "token_required": HTTPStatus.UNAUTHORIZED,
    "not_json": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}


@dataclass(frozen=True)
class Doors:
    """The host names that are served in addition to loopback, in lower case, and the required token."""

    names: frozenset[str] = frozenset()
    token: SecretStr | None = None


class Admission:
    """ASGI middleware that refuses a request before routing, with a problem in the client's language."""

    def __init__(self, app: ASGIApp, doors: Doors, on_refusal: Callable[[str], None]) -> None:
        self._app = app
        self._doors = doors
        self._on_refusal = on_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forwards an admitted request; answers any other itself."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reason = _refusal(scope["method"], scope["path"], headers, self._doors)
        if reason is None:
            await self._app(scope, receive, send)
            return
        self._on_refusal(reason)
        refusal = Refusal(reason, _STATUS[reason], host=headers.get("host", ""))
        response = make_response(refusal, read_accepted_language(headers))
        if reason == "token_required":
            response.headers["WWW-Authenticate"] = "Bearer"
        await response(scope, receive, send)


def _refusal(method: str, path: str, headers: Headers, doors: Doors) -> str | None:
    if path not in _PROBES and not _is_served(headers.getlist("host"), doors.names):
        return "host_not_allowed"
    if _is_foreign(headers) and not _opens_a_page(method, path, headers):
        return "foreign_origin"
    if doors.token is not None and not _is_open(method, path) and not _carries(headers, doors.token):
        return "token_required"
    if method in _CHANGING and _has_body(headers) and not _is_json(headers):
        return "not_json"
    return None


def _is_served(hosts: list[str], names: frozenset[str]) -> bool:
    """True if there is exactly one Host header and it is loopback or configured; the port is ignored."""
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    return found is not None and (is_loopback(found[1]) or found[1].lower() in names)


def is_loopback(host: str) -> bool:
    """True for `localhost` and for loopback addresses, IPv6 with or without brackets."""
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_foreign(headers: Headers) -> bool:
    """True if a browser sends this for a page of another origin. Other clients send neither header."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return True
    return any(_authority(origin) != headers.get("host", "").lower() for origin in headers.getlist("origin"))


def _authority(origin: str) -> str | None:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None


def _opens_a_page(method: str, path: str, headers: Headers) -> bool:
    """True if a person follows a link to a page, which holds no data; false for frames and scripts."""
    return method == "GET" and path in PAGES and headers.get("sec-fetch-dest") == "document" and "origin" not in headers


def _is_open(method: str, path: str) -> bool:
    """True if no token is required: probes, and the static files of the pages, which ask for it themselves."""
    return path in _PROBES or (method in _READING and (path in PAGES or path.startswith("/static/")))


def _carries(headers: Headers, token: SecretStr) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.get_secret_value().encode())


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _is_json(headers: Headers) -> bool:
    kinds = [kind.partition(";")[0].strip().lower() for kind in headers.getlist("content-type")]
    return kinds == ["application/json"]


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
