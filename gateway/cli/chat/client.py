"""A client of the gateway's HTTP API."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from gateway.cli.chat import events
from services.chassis import errors
from services.chassis.messages import Message

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 3.0
# A model may think for a while between two events.
SILENCE_SECONDS = 120.0

TOKEN_REQUIRED = "token_required"
_BY_STATUS: dict[int, type[errors.DbdiagError]] = {
    404: errors.NotFound,
    409: errors.Precondition,
    412: errors.Precondition,
    429: errors.TooBusy,
    501: errors.NotOffered,
    502: errors.DependencyDown,
    503: errors.DependencyDown,
    504: errors.DeadlinePassed,
}


class Gateway:
    """A client of one gateway. Every failure is raised as a member of the error tree.

    `token` goes with every request; `speaks` is the language of refusals.
    """

    def __init__(self, url: str, token: str | None = None, speaks: str = "en") -> None:
        import httpx

        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise errors.InvalidInput("invalid_request.no_url", url=url)
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        headers = {"accept-language": speaks} | ({"authorization": f"Bearer {token}"} if token else {})
        # A proxy of the environment has no business between this machine and itself.
        trusted = not _is_loopback(parts.hostname)
        self._http = httpx.Client(base_url=self.url, timeout=timeout, headers=headers, trust_env=trusted)

    def is_ready(self) -> bool:
        """Whether a dbdiag gateway answers at the URL and is ready. Raises InvalidInput if it needs another token."""
        import httpx

        try:
            document = self._http.get("/openapi.json", timeout=CONNECT_SECONDS)
            if _wants_token(document):
                _body(document)
            return _is_ours(document) and bool(self._http.get("/readyz", timeout=CONNECT_SECONDS).is_success)
        except httpx.HTTPError:
            return False

    def session(self, session_id: str) -> Mapping[str, Any]:
        """The reply of GET /sessions/{id}: the dialogue so far and the last details."""
        import httpx

        try:
            response = self._http.get(f"/sessions/{quote(session_id, safe='')}")
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        return _body(response)

    def say(
        self,
        message: str,
        *,
        session_id: str | None,
        request_id: str,
        language: str | None,
        turn: int | None = None,
        target: str | None = None,
    ) -> Iterator[Any]:
        """Sends a message and yields the events of its answer, the last one a `Final`.

        Sending the same `request_id` again returns the first answer, so a broken stream is asked for once more.
        """
        import httpx

        fields = {
            "message": message,
            "session_id": session_id,
            "request_id": request_id,
            "language": language,
            "turn": turn,
            "target": target,
        }
        body = {key: value for key, value in fields.items() if value is not None}
        try:
            yield from self._stream(body)
        except httpx.ConnectError as error:
            raise self._unreachable(error) from error
        except httpx.TransportError:
            try:
                yield from self._stream(body)
            except httpx.TransportError as error:
                raise self._unreachable(error) from error

    def close_case(self, session_id: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply of POST /sessions/{id}/close."""
        import httpx

        try:
            response = self._http.post(f"/sessions/{quote(session_id, safe='')}/close", json=dict(body))
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        return _body(response)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _stream(self, body: Mapping[str, Any]) -> Iterator[Any]:
        import httpx

        with self._http.stream("POST", "/chat/stream", json=body) as response:
            if not response.is_success:
                response.read()
                _body(response)
            for event in events.parse(response.iter_bytes()):
                if isinstance(event, events.Problem):
                    raise _failure(int(event.body.get("status", 500)), event.body)
                yield event
                if isinstance(event, events.Final):
                    return
        raise httpx.RemoteProtocolError("the answer ended before it was whole")

    def _unreachable(self, error: Exception) -> errors.DependencyDown:
        return errors.DependencyDown("gateway_unreachable", url=self.url, problem=str(error))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_ours(response: httpx.Response) -> bool:
    try:
        return "/chat/stream" in response.json()["paths"]
    except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError):
        return False


def _wants_token(response: httpx.Response) -> bool:
    try:
        return response.status_code == 401 and response.json()["reason"] == TOKEN_REQUIRED
    except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError):
        return False


def _body(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise _failure(response.status_code, {}, Message("bad_answer.no_json", {"url": str(response.url)})) from None
    if not response.is_success or not isinstance(body, dict):
        raise _failure(response.status_code, body if isinstance(body, dict) else {})
    return body


def _failure(status: int, problem: Mapping[str, Any], otherwise: Message | None = None) -> errors.DbdiagError:
    """The gateway's problem as an error; `otherwise`: the message where it has no words."""
    kind = _BY_STATUS.get(status, errors.InvalidInput if 400 <= status < 500 else errors.Internal)
    words = problem.get("detail") or problem.get("title")
    message = str(words) if words else otherwise or Message("bad_answer.status", {"status": status})
    details = {"turn": str(problem["turn"])} if "turn" in problem else None
    return kind(message, reason=str(problem.get("reason") or kind.default_reason), details=details)
