"""Asks a Prometheus for what its exporters measured: queries of the catalogue only, over the HTTP API.

Every answer is read to a cap. A redirect is never followed: the secret goes to the configured address and nowhere else.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads
from services.collector.executors.prometheus_answers import Series, reads_of, series_of
from services.collector.failures import LookFailed, TargetUnreachable

CONNECT_SECONDS = 5.0
# The server's own clock ends a query first; this one is for a server that no longer does.
GRACE_SECONDS = 0.5
_LOGIN_REFUSED = (401, 403)
# Prometheus tells what is wrong with a query in an answer of its usual form.
_TOLD_IN_JSON = (400, 422, 503)


@dataclass(frozen=True, slots=True)
class PrometheusTarget:
    """How to ask. matchers: by engine, the labels of the series that are meant; window: over which rates are taken.

    user and secret: of basic authentication; without a user the secret is a bearer token.
    """

    target_id: str
    url: str
    matchers: Mapping[str, Mapping[str, str]]
    window: str = "2m"
    user: str = ""
    secret: str = field(default="", repr=False)
    ca_file: Path | None = None


class PrometheusLook:
    """One client of a target. Use as `async with PrometheusLook(target, clock) as look`."""

    def __init__(self, target: PrometheusTarget, clock: Callable[[], float]) -> None:
        self._target = target
        self._clock = clock
        self._client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        target = self._target
        bearer = {"Authorization": f"Bearer {target.secret}"} if target.secret and not target.user else {}
        self._client = httpx.AsyncClient(
            headers={"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "dbdiag", **bearer},
            auth=(target.user, target.secret) if target.user else None,
            verify=self._trusted(),
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            follow_redirects=False,
            # No proxy and no .netrc of this process: they would get the secret, or give another.
            trust_env=False,
        )
        return self

    async def __aexit__(self, *raised: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def statement(self, check: CatalogueCheck) -> str:
        """What a check asks there."""
        return "\n".join(f"{name}: {self._filled(check, text)}" for name, text in check.queries.items())

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check: what is now, or a range in steps. Raises LookFailed."""
        answers: dict[str, tuple[Series, ...]] = {}
        try:
            async with asyncio.timeout(check.timeout_seconds + GRACE_SECONDS):
                for name, text in check.queries.items():
                    answers[name] = await self._answer(check, self._filled(check, text))
        except TimeoutError:
            raise LookFailed("timed_out", f"no whole answer within {check.timeout_seconds:g} s") from None
        if not any(answers.values()):
            labels = self._labels(check) or "no labels"
            raise LookFailed("not_available_here", f"{check.id}: no series has {labels}; does its exporter run?")
        return reads_of(answers, check.key)

    def _labels(self, check: CatalogueCheck) -> str:
        matchers = self._target.matchers.get(check.engine, {})
        return ",".join(f"{name}={json.dumps(value)}" for name, value in sorted(matchers.items()))

    def _filled(self, check: CatalogueCheck, text: str) -> str:
        """A query of the catalogue with the target's labels and window, whose forms were checked."""
        query = " ".join(text.split()).replace("$series", self._labels(check)).replace("$window", self._target.window)
        if check.range_seconds:
            return f"({query})[{check.range_seconds}s:{check.step_seconds}s]"
        return query

    async def _answer(self, check: CatalogueCheck, query: str) -> tuple[Series, ...]:
        body = await self._body({"query": query, "timeout": f"{check.timeout_seconds:g}s"}, check.max_bytes)
        found = series_of(body)
        if len(found) > check.max_rows:
            message = f"{len(found)} series, more than {check.max_rows}: its labels mean too much"
            raise LookFailed("too_many_series", message)
        return found

    async def _body(self, asked: Mapping[str, str], max_bytes: int) -> bytes:
        assert self._client is not None
        url = self._target.url.rstrip("/") + "/api/v1/query"
        try:
            async with self._client.stream("GET", url, params=asked) as answer:
                self._check_status(answer)
                return await _capped(answer, max_bytes)
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
            raise self._unreachable(error) from None

    def _check_status(self, answer: httpx.Response) -> None:
        where = f"asking {self._target.target_id}"
        if answer.is_redirect:
            said = f"it sends elsewhere (status {answer.status_code}), which is not followed; name the address itself"
            raise TargetUnreachable(f"{where}: {said}", "redirected")
        if answer.status_code in _LOGIN_REFUSED:
            raise TargetUnreachable(f"{where}: the login was refused (status {answer.status_code})", "login_refused")
        if answer.status_code != httpx.codes.OK and answer.status_code not in _TOLD_IN_JSON:
            raise LookFailed("wrong_answer", f"{where}: status {answer.status_code}, not the API of a Prometheus")
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise LookFailed("wrong_answer", f"{where}: it answers packed, which was not asked for")

    def _trusted(self) -> ssl.SSLContext:
        file = self._target.ca_file
        try:
            return ssl.create_default_context(cafile=str(file) if file else None)
        except (OSError, ssl.SSLError) as error:
            message = f"asking {self._target.target_id}: its authority {file} cannot be read: {error}"
            raise TargetUnreachable(message, "bad_ca_file") from None

    def _unreachable(self, error: Exception) -> TargetUnreachable:
        said = " ".join(str(error).split()) or type(error).__name__
        return TargetUnreachable(f"asking {self._target.target_id} at {self._target.url}: {said}")


async def _capped(answer: httpx.Response, max_bytes: int) -> bytes:
    """The whole body. Raises LookFailed where it is larger than the cap: a part of it means nothing."""
    body = b""
    async for chunk in answer.aiter_raw(65_536):
        body += chunk
        if len(body) > max_bytes:
            raise LookFailed("too_large", f"the answer is larger than {max_bytes} bytes")
    return body
