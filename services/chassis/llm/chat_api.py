"""Chat completions over HTTP: retries with backoff, and the events of a stream."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import io
import json
import random
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    import httpx

_DEFAULT_BASE = "https://api.openai.com/v1"
_REFUSED, _RETRIED = (400, 422), (408, 409, 429)
# Seconds.
_FIRST_DELAY, _LONGEST_DELAY, _LONGEST_RETRY_AFTER = 0.5, 8.0, 120.0
_DRAIN_SECONDS = 0.1


class RequestFailed(Exception):
    """A request failed. `kind` names the failure without quoting the prompt or the key.

    `retry_after` is the delay in seconds that the endpoint asks for, 0 if it names none, None if a retry is futile.
    """

    def __init__(self, kind: str, retry_after: float | None = None) -> None:
        super().__init__(kind)
        self.kind, self.retry_after = kind, retry_after


class RequestRefused(RequestFailed):
    """The endpoint rejects the request as it stands; `complaint` is its explanation, which may quote the prompt."""

    def __init__(self, kind: str, complaint: str) -> None:
        super().__init__(kind)
        self.complaint = complaint


@dataclass(frozen=True)
class ChatApi:
    """One endpoint's chat completions at `url`. A failed request is repeated up to `retries` times."""

    http: httpx.AsyncClient
    url: str
    headers: Mapping[str, str]
    retries: int

    async def post(self, fields: Mapping[str, Any]) -> httpx.Response:
        """The response to a request: complete, or open if `stream` is set. Raises RequestFailed."""
        for attempt in range(self.retries):
            try:
                return await self._send(fields)
            except RequestFailed as error:
                if error.retry_after is None:
                    raise
                await asyncio.sleep(error.retry_after or _backoff(attempt))
        return await self._send(fields)

    async def close(self) -> None:
        """Closes the connections."""
        await self.http.aclose()

    async def _send(self, fields: Mapping[str, Any]) -> httpx.Response:
        import httpx

        # The key may contain what no header can; it is checked here, where failures are handled.
        request = self.http.build_request("POST", self.url, json=fields, headers=self.headers)
        try:
            response = await self.http.send(request, stream=bool(fields.get("stream")))
            if not response.is_success:
                await response.aread()
        except (httpx.RequestError, ssl.SSLError) as error:
            raise RequestFailed(type(error).__name__, retry_after=0) from error
        if response.is_success:
            return response
        kind = f"HTTP {response.status_code}"
        if response.status_code in _REFUSED:
            raise RequestRefused(kind, response.text)
        raise RequestFailed(kind, _read_retry_after(response))


async def read_events(response: httpx.Response) -> AsyncIterator[Any]:
    """The JSON of each server-sent event up to `[DONE]`. Raises RequestFailed if one of them reports an error."""
    import httpx

    data: list[str] = []
    lines = _read_lines(response)
    try:
        async for line in lines:
            name, _, value = line.partition(":")
            if name == "data":
                data.append(value.removeprefix(" "))
            elif not line and data:
                text, data = "\n".join(data), []
                if text.startswith("[DONE]"):
                    break
                event = json.loads(text)
                if isinstance(event, dict) and event.get("error"):
                    raise RequestFailed("error event")
                yield event
    except httpx.RequestError as error:
        raise RequestFailed(type(error).__name__) from error
    # A connection can be used again only if its response has been read to the end.
    with contextlib.suppress(TimeoutError, httpx.RequestError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in lines:
                pass


async def _read_lines(response: httpx.Response) -> AsyncIterator[str]:
    """The lines of a stream. They end at CR, LF or both only: JSON may contain other separators."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    rest = ""
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        for line in lines:
            yield line


def _backoff(attempt: int) -> float:
    """Seconds before the next attempt: doubled each time, less up to a quarter at random."""
    return min(_FIRST_DELAY * 2.0 ** min(attempt, 10), _LONGEST_DELAY) * random.uniform(0.75, 1)


def _read_retry_after(response: httpx.Response) -> float | None:
    """See RequestFailed.retry_after."""
    wanted = 0.0
    for name, per_second in (("retry-after", 1), ("retry-after-ms", 1000)):
        with contextlib.suppress(KeyError, ValueError):
            wanted = float(response.headers[name]) / per_second
    told = response.headers.get("x-should-retry")
    passing = response.status_code in _RETRIED or response.status_code >= 500
    if wanted > _LONGEST_RETRY_AFTER or not (told == "true" or (passing and told != "false")):
        return None
    return wanted if wanted > 0 else 0.0


def open_chat_api(base: str | None, key: str, model: str, version: str | None, seconds: float, retries: int) -> ChatApi:
    """The chat completions of an endpoint; with a `version`, of an Azure one, whose models are deployments."""
    import httpx

    trusted = httpx.create_ssl_context()
    # A company's own authority is in the system's store, not among the bundled ones.
    trusted.load_default_certs()
    azure = bool(version and base)
    http = httpx.AsyncClient(
        timeout=seconds,
        verify=trusted,
        headers={"User-Agent": "dbdiag"},
        params={"api-version": version} if azure else None,
        # A redirect to another host would take Azure's key header along; it loses only `Authorization`.
        follow_redirects=not azure,
    )
    if azure:
        return ChatApi(http, f"{_azure_base(str(base), model)}/chat/completions", {"api-key": key}, retries)
    root = f"{base}/v1" if base and not urlsplit(base).path else base or _DEFAULT_BASE
    return ChatApi(http, f"{root}/chat/completions", {"Authorization": f"Bearer {key}"}, retries)


def _azure_base(base: str, model: str) -> str:
    """The address of a deployment, unless `base` is one already."""
    path = urlsplit(base).path
    root = base if path else f"{base}/openai"
    return root if "/deployments" in path else f"{root}/deployments/{quote(model, safe='')}"
