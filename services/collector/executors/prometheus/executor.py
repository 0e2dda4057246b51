"""Runs checks on a Prometheus server: queries of the catalogue only, over the HTTP API.

Answers are read up to a cap. Redirects are never followed: the secret goes to the configured address and nowhere else.
"""

from __future__ import annotations

import asyncio
import json
import math
import ssl
from collections.abc import Callable, Mapping, Sequence
from typing import Self

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from lang.expressions import Reads, Row, Value
from services.chassis.messages import Message
from services.chassis.problems import system_problem, verbatim
from services.collector.catalogue.schema import CatalogueCheck
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


class Series(BaseModel):
    """One series: its labels, and its value now or its values over a range, each with its time in seconds."""

    metric: dict[str, str] = {}
    value: tuple[float, str] | None = None
    values: tuple[tuple[float, str], ...] = ()


class _Data(BaseModel):
    result: tuple[Series, ...]


class _Answer(BaseModel):
    status: str
    data: _Data | None = None
    errorType: str = ""
    error: str = ""


_ANSWER = TypeAdapter(_Answer)


def series_of(body: bytes) -> tuple[Series, ...]:
    """The series of an answer. Raises CheckFailed where it is an error, or no answer of a Prometheus at all."""
    try:
        answer = _ANSWER.validate_json(body)
    except ValidationError:
        raise CheckFailed("wrong_answer.not_prometheus") from None
    if answer.status != "success" or answer.data is None:
        key = "timed_out.server" if answer.errorType == "timeout" else "look_failed.server"
        raise CheckFailed(key, words=f"{answer.errorType or 'error'}: {answer.error or 'no reason is given'}")
    return answer.data.result


def reads_of(answers: Mapping[str, Sequence[Series]], key: tuple[str, ...]) -> Reads:
    """Rows by the labels of `key`, joined over all queries; one read for each moment, the oldest first.

    Raises CheckFailed where a query gave several series for one row: its labels mean more than one thing.
    """
    moments: dict[float, dict[tuple[str, ...], dict[str, Value]]] = {}
    for column, found in answers.items():
        for series in found:
            name = tuple(series.metric.get(label, "") for label in key)
            # Values of now carry the moment of each question; they belong together.
            for moment, text in series.values or (((0.0, series.value[1]),) if series.value else ()):
                row = moments.setdefault(moment, {}).setdefault(name, dict(zip(key, name, strict=True)))
                if column in row:
                    where = tuple(filter(None, name)) or Message("too_many_series.target_labels")
                    raise CheckFailed("too_many_series.for_row", column=column, where=where)
                row[column] = _number(text)
    times = sorted(moments)
    rows = tuple(_whole(moments[time], answers) for time in times)
    return Reads(rows, times[-1] - times[0] if times else 0.0, key)


def _whole(found: Mapping[tuple[str, ...], dict[str, Value]], columns: Mapping[str, object]) -> tuple[Row, ...]:
    """Every row with every column: what a query did not give is not known."""
    return tuple(dict.fromkeys(columns, None) | row for _, row in sorted(found.items()))


def _number(text: str) -> float | None:
    """A sample; None for one that is no number, as a rate of nothing is."""
    try:
        value = float(text)
    except ValueError:
        raise CheckFailed("wrong_answer.no_number") from None
    return value if math.isfinite(value) else None
