"""Runs checks on a Prometheus server: queries of the catalogue only, over the HTTP API.

Answers are read up to a cap. Redirects are never followed: the secret goes to the configured address and nowhere else.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from typing import Self

import httpx

from lang.expressions import Reads
from services.chassis.problems import system_problem, verbatim
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.prometheus.answers import Series, reads_of, series_of
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import PrometheusTarget

CONNECT_SECONDS = 5.0
# The server's own clock ends a query first; this one is for a server that no longer does.
GRACE_SECONDS = 0.5
_LOGIN_REFUSED = (401, 403)
# With these Prometheus reports what is wrong with a query, in JSON of its usual form.
_ERRORS_IN_JSON = (400, 422, 503)


class PrometheusExecutor:
    """One client of a target. Use as `async with PrometheusExecutor(target, clock) as executor`."""

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
            verify=self._tls_context(),
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
        """The queries of a check."""
        return "\n".join(f"{name}: {self._fill_in(check, text)}" for name, text in check.queries.items())

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check: what is now, or a range in steps. Raises CheckFailed."""
        answers: dict[str, tuple[Series, ...]] = {}
        try:
            async with asyncio.timeout(check.timeout_seconds + GRACE_SECONDS):
                for name, text in check.queries.items():
                    answers[name] = await self._answer(check, self._fill_in(check, text))
        except TimeoutError:
            raise CheckFailed("timed_out.no_whole_answer", seconds=f"{check.timeout_seconds:g}") from None
        if not any(answers.values()):
            raise CheckFailed("not_available_here.no_series", check=check.id, labels=self._labels(check) or "{}")
        return reads_of(answers, check.key)

    def _labels(self, check: CatalogueCheck) -> str:
        matchers = self._target.matchers.get(check.engine, {})
        return ",".join(f"{name}={json.dumps(value)}" for name, value in sorted(matchers.items()))

    def _fill_in(self, check: CatalogueCheck, text: str) -> str:
        """A query of the catalogue with the target's labels and window, whose forms were checked."""
        query = " ".join(text.split()).replace("$series", self._labels(check)).replace("$window", self._target.window)
        if check.range_seconds:
            return f"({query})[{check.range_seconds}s:{check.step_seconds}s]"
        return query

    async def _answer(self, check: CatalogueCheck, query: str) -> tuple[Series, ...]:
        body = await self._body({"query": query, "timeout": f"{check.timeout_seconds:g}s"}, check.max_bytes)
        found = series_of(body)
        if len(found) > check.max_rows:
            raise CheckFailed("too_many_series.at_all", count=len(found), most=check.max_rows)
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
        target, status = self._target.target_id, answer.status_code
        if answer.is_redirect:
            raise TargetUnreachable("redirected", target=target, status=status)
        if status in _LOGIN_REFUSED:
            raise TargetUnreachable("login_refused.http", target=target, status=status)
        if status != httpx.codes.OK and status not in _ERRORS_IN_JSON:
            raise CheckFailed("wrong_answer.status", target=target, status=status)
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise CheckFailed("wrong_answer.compressed", target=target)

    def _tls_context(self) -> ssl.SSLContext:
        file = self._target.ca_file
        try:
            return ssl.create_default_context(cafile=str(file) if file else None)
        except (OSError, ssl.SSLError) as error:
            why = verbatim(error) if isinstance(error, ssl.SSLError) else system_problem(error)
            target = self._target.target_id
            raise TargetUnreachable("bad_ca_file", target=target, path=str(file), why=why) from None

    def _unreachable(self, error: Exception) -> TargetUnreachable:
        target, url = self._target.target_id, self._target.url
        why = verbatim(str(error) or type(error).__name__)
        return TargetUnreachable("target_unreachable.url", target=target, url=url, why=why)


async def _capped(answer: httpx.Response, max_bytes: int) -> bytes:
    """The whole body. Raises CheckFailed where it is larger than the cap: a part of it means nothing."""
    body = b""
    async for chunk in answer.aiter_raw(65_536):
        body += chunk
        if len(body) > max_bytes:
            raise CheckFailed("too_large", bytes=max_bytes)
    return body
