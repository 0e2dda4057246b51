"""Admission of HTTP requests, the same for every route."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from functools import cache
from typing import Any, cast

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from gateway.contracts.clients import Services
from gateway.http.admission import Admission, Doors
from gateway.http.app import create_app
from gateway.turn.conversations import Conversations
from services.chassis.errors import DependencyDown
from tests.support.cases import for_each

pytestmark = pytest.mark.sampled

TOKEN = "correct-horse-battery"
HERE = "http://127.0.0.1:8080"
PROBES = {"/healthz", "/readyz"}
STATIC = {"/", "/docs", "/static/app.js"}
JSON = {"content-type": "application/json"}


class _Unavailable:
    """Stands for everything behind the interface: every call fails like an outage."""

    def __getattr__(self, name: str) -> _Unavailable:
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:
        raise DependencyDown("nothing is behind these doors")


class _Ready(_Unavailable):
    async def unready(self) -> list[str]:
        return []


@cache
def application(*names: str, token: str | None = None) -> Starlette:
    """The whole application over a gateway whose services are all down."""
    doors = Doors(frozenset(names), SecretStr(token) if token else None)
    return create_app(cast(Conversations, _Unavailable()), cast(Services, _Ready()), doors)


async def send(app: Starlette, method: str, path: str, base: str = HERE, **more: Any) -> httpx.Response:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=base) as client:
        return await client.request(method, path, **more)


def doors() -> Iterator[tuple[str, str]]:
    """Every method of every route, with a value for each parameter."""
    for route in _flat(application().routes):
        if isinstance(route, Mount):
            yield "GET", f"{route.path}/app.js"
        elif isinstance(route, Route):
            path = re.sub(r"\{\w+\}", "x-1", route.path)
            yield from ((method, path) for method in sorted(route.methods or ()))


def _flat(routes: Any) -> Iterator[Any]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        yield from _flat(inner.routes) if inner is not None else [route]


DOORS = sorted(set(doors()))


def test_the_doors_are_all_there() -> None:
    """The walk over the routes finds the page, the reference, operations, and every changing route."""
    assert {path for _, path in DOORS} >= {"/", "/docs", "/openapi.json", "/metrics", "/static/app.js", *PROBES}
    assert {door for door in DOORS if door[0] not in ("GET", "HEAD")} == {
        ("POST", "/chat"),
        ("POST", "/chat/stream"),
        ("POST", "/sessions/x-1/close"),
        ("DELETE", "/sessions/x-1"),
        ("POST", "/knowledge/proposals/x-1/accept"),
        ("POST", "/knowledge/proposals/x-1/reject"),
    }


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert (body["status"], bool(body["detail"])) == (response.status_code, True)
    return body["status"], body["reason"]


@for_each(("method", "path"), DOORS)
async def test_a_foreign_host_name_is_refused(method: str, path: str) -> None:
    """A page that uses DNS rebinding gets nothing; only the probes accept any host name."""
    response = await send(application(), method, path, "http://evil.example:8080")
    if path in PROBES:
        assert response.status_code == 200
    elif method == "HEAD":
        assert response.status_code == 421
    else:
        assert problem(response) == (421, "host_not_allowed")


@for_each(
    "more",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9000"},
        {"origin": "http://localhost:8080"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": HERE, "sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
@for_each(("method", "path"), [door for door in DOORS if door[0] != "HEAD"])
async def test_a_foreign_page_is_refused(method: str, path: str, more: dict[str, str]) -> None:
    """A browser's request for a foreign page, including another port of this machine, reaches no route."""
    response = await send(application(), method, path, headers=more)
    assert problem(response) == (403, "foreign_origin")


@for_each("more", [{"origin": HERE}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {}])
async def test_the_page_itself_and_programs_are_answered(more: dict[str, str]) -> None:
    """The page's own requests, typed addresses and clients other than browsers are admitted."""
    assert (await send(application(), "GET", "/metrics", headers=more)).status_code == 200


@for_each("path", sorted(DOORS))
async def test_a_link_from_elsewhere_opens_the_pages_alone(path: tuple[str, str]) -> None:
    """A link in a ticket opens the page, which holds no data; links and forms open no other route."""
    method, where = path
    follow = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    response = await send(application(), method, where, headers=follow)
    opened = method == "GET" and where in {"/", "/docs"}
    assert (response.status_code == 403) is not opened
    framed = await send(application(), method, where, headers=follow | {"sec-fetch-dest": "iframe"})
    assert framed.status_code == 403


CHANGING = [door for door in DOORS if door[0] not in ("GET", "HEAD")]


@for_each("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None])
@for_each(("method", "path"), CHANGING)
async def test_a_body_that_is_not_json_is_refused(method: str, path: str, kind: str | None) -> None:
    """A body that any page can send without a preflight is 415, as is one without a type."""
    headers = {} if kind is None else {"content-type": kind}
    response = await send(application(), method, path, content=b'{"message": "slow"}', headers=headers)
    assert problem(response) == (415, "not_json")


async def test_a_body_in_pieces_is_a_body() -> None:
    """A chunked body needs its content type as well."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"message": "slow"}'

    assert problem(await send(application(), "POST", "/chat", content=pieces())) == (415, "not_json")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
async def test_json_is_taken(kind: str) -> None:
    """Any spelling of the JSON type is admitted; the route reports errors inside the body."""
    response = await send(application(), "POST", "/chat", content=b"{", headers={"content-type": kind})
    assert problem(response) == (400, "malformed_json")


@for_each("host", ["127.0.0.1", "127.0.0.1:8080", "127.9.8.7:1", "localhost", "LOCALHOST:8080", "[::1]", "[::1]:8080"])
async def test_this_machine_by_any_of_its_names(host: str) -> None:
    """Loopback is admitted by address and by name, with any port."""
    assert (await send(application(), "GET", "/metrics", headers={"host": host})).status_code == 200


@for_each(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:127",
        "127.0.0.1@evil.example",
        "localhost:8080@evil.example",
        "[::1].evil.example",
        "[::2]",
        "10.0.0.1",
        "0.0.0.0",
        "",
        "[",
        "localhost:x",
        "db.internal.evil.example",
    ],
)
async def test_what_only_looks_like_this_machine_is_foreign(host: str) -> None:
    """Names that merely contain an allowed one, other addresses and malformed hosts are refused."""
    response = await send(application("db.internal"), "GET", "/metrics", headers={"host": host})
    assert problem(response) == (421, "host_not_allowed")


async def test_a_configured_name_is_answered() -> None:
    """A configured name is served with any port and in any case, and its own pages are not foreign."""
    for host in ("db.internal", "DB.internal:8080"):
        response = await send(application("db.internal"), "GET", "/metrics", headers={"host": host})
        assert response.status_code == 200
    own = {"host": "db.internal", "origin": "https://db.internal"}
    assert (await send(application("db.internal"), "GET", "/metrics", headers=own)).status_code == 200


async def test_two_host_headers_are_none() -> None:
    """Zero or two Host headers are refused, even if one of them is allowed."""
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/metrics"}
    for hosts in ([], [b"localhost", b"evil.example"]):
        sent = await _straight(scope | {"headers": [(b"host", host) for host in hosts]})
        assert sent["status"] == 421


async def _straight(scope: dict[str, Any]) -> dict[str, Any]:
    sent: list[dict[str, Any]] = []

    async def unreachable(*_: Any) -> Any:
        raise AssertionError("it must not be reached")

    async def keep(message: Any) -> None:
        sent.append(message)

    await Admission(unreachable, Doors(), lambda reason: None)(scope, unreachable, keep)
    return sent[0]


@given(st.binary(max_size=60), st.binary(max_size=60))
async def test_any_header_is_admitted_or_refused(host: bytes, origin: bytes) -> None:
    """Arbitrary bytes in the headers lead to a refusal, never to a failure."""
    headers = [(b"host", b"evil." + host), (b"origin", origin)]
    sent = await _straight({"type": "http", "method": "GET", "path": "/chat", "headers": headers})
    assert sent["status"] == 421
    headers = [(b"host", b"localhost"), (b"origin", b"evil" + origin)]
    assert (await _straight({"type": "http", "method": "GET", "path": "/chat", "headers": headers}))["status"] == 403


@for_each(
    ("speaks", "han"), [("zh-CN,zh;q=0.9,en;q=0.8", True), ("zh", True), ("en-US,zh;q=0.5", False), ("fr", False)]
)
@for_each(
    ("headers", "advice"),
    [
        ({"host": "evil.example"}, "--allowed-host"),
        ({"origin": "http://evil.example"}, "127.0.0.1:8080"),
        ({"content-type": "text/plain"}, "application/json"),
        ({}, "DBDIAG_TOKEN"),
    ],
)
async def test_a_refusal_says_what_to_do_in_the_reader_s_language(
    headers: dict[str, str], advice: str, speaks: str, han: bool
) -> None:
    """The detail names the remedy, in Chinese if the client prefers it, otherwise in English."""
    app = application(token=None if headers else TOKEN)
    response = await send(app, "POST", "/chat", content=b"{}", headers={**JSON, "accept-language": speaks, **headers})
    assert advice in response.json()["detail"]
    assert bool(re.search("[一-鿿]", response.json()["detail"])) is han
    assert "evil" not in response.text


@for_each(("method", "path"), DOORS)
async def test_with_a_token_only_probes_and_pages_are_open(method: str, path: str) -> None:
    """Without the token every route is 401, except probes and the static files of the pages, which hold no data."""
    for header in (None, "Bearer", "Bearer wrong-wrong-wrong-wr", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"):
        headers = {} if header is None else {"authorization": header}
        response = await send(application(token=TOKEN), method, path, headers=headers)
        if path in PROBES | STATIC:
            assert response.status_code == 200
        else:
            assert response.status_code == 401
            assert response.headers["www-authenticate"] == "Bearer"
            assert method == "HEAD" or problem(response) == (401, "token_required")
        assert TOKEN not in response.text
        assert TOKEN not in str(response.headers)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
async def test_the_token_opens_every_door(scheme: str) -> None:
    """With the token a request gets as far as without a required token."""
    headers = {"authorization": f"{scheme} {TOKEN}"}
    for path in ("/metrics", "/openapi.json", "/docs", "/"):
        assert (await send(application(token=TOKEN), "GET", path, headers=headers)).status_code == 200
    response = await send(application(token=TOKEN), "POST", "/chat", content=b"{", headers=headers | JSON)
    assert problem(response) == (400, "malformed_json")


async def test_a_token_excuses_no_foreign_page() -> None:
    """Host, origin and content type are checked even with a valid token."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    app = application(token=TOKEN)
    assert (await send(app, "GET", "/metrics", "http://evil.example", headers=headers)).status_code == 421
    assert (await send(app, "GET", "/metrics", headers=headers | {"origin": "null"})).status_code == 403
    assert (await send(app, "POST", "/chat", content=b"{}", headers=headers)).status_code == 415


@for_each(("method", "path"), DOORS)
async def test_nothing_may_be_framed_or_sniffed(method: str, path: str) -> None:
    """Every response, including refusals, forbids framing, foreign scripts and MIME sniffing."""
    for base in (HERE, "http://evil.example"):
        headers = (await send(application(), method, path, base, headers=JSON)).headers
        assert headers["x-content-type-options"] == "nosniff"
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["frame-ancestors"], policy["base-uri"]) == ("'self'", "'none'", "'none'")
        assert not {"script-src", "style-src", "script-src-elem"} & policy.keys()


async def test_a_defect_carries_the_policy_too() -> None:
    """Responses to internal errors carry the security headers too."""
    app = application.__wrapped__()

    async def defect(request: Request) -> Response:
        raise RuntimeError("planted")

    app.add_route("/defect", defect)
    response = await send(app, "GET", "/defect")
    assert problem(response) == (500, "internal")
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


async def test_refusals_are_counted() -> None:
    """Refusals are counted by reason."""
    app = application.__wrapped__()
    await send(app, "GET", "/docs", "http://evil.example")
    assert 'dbdiag_refused_total{reason="host_not_allowed"} 1.0' in (await send(app, "GET", "/metrics")).text


async def test_every_reference_of_the_document_resolves() -> None:
    """Each $ref of /openapi.json resolves within it, so that clients can be generated."""
    document = (await send(application(), "GET", "/openapi.json")).json()
    found = re.findall(r'"\$ref": "([^"]+)"', json.dumps(document))
    assert {"ChatBody", "CloseBody", "ReviewBody", "Language"} <= {name.rpartition("/")[2] for name in found}
    for name in found:
        assert name.startswith("#/")
        at: Any = document
        for part in name.removeprefix("#/").split("/"):
            at = at[part]
        assert at
    assert "$defs" not in json.dumps(document)


async def test_the_documents_load_nothing_from_elsewhere() -> None:
    """/docs loads nothing from another host and has no inline script or style; redoc is not served."""
    page = await send(application(), "GET", "/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert not re.search(r"https?://|\bon\w+=|<script>|<style|style=", page.text)
    for source in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert source == "/" or source.startswith("/static/")
        loaded = await send(application(), "GET", source)
        assert loaded.status_code == 200
        assert not re.search(r"https?://(?!127\.0\.0\.1|www\.w3\.org)", loaded.text)
    assert (await send(application(), "GET", "/redoc")).status_code == 404


@for_each(("speaks", "han"), [("zh-CN", True), ("en", False), ("", False)])
@for_each(
    ("method", "path", "status", "reason"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("PUT", "/docs", 405, "method_not_allowed"),
        ("GET", "/knowledge/proposals?state=maybe", 422, "invalid_parameter"),
        ("GET", "/knowledge/proposals/x-1?past_cases=0", 422, "invalid_parameter"),
        ("GET", "/knowledge/proposals/x-1?past_cases=many", 422, "invalid_parameter"),
    ],
)
async def test_errors_outside_any_route_are_problems_too(
    method: str, path: str, status: int, reason: str, speaks: str, han: bool
) -> None:
    """Unknown paths, methods and parameters give problem+json in the client's language."""
    response = await send(application(), method, path, headers={"accept-language": speaks})
    assert problem(response) == (status, reason)
    assert bool(re.search("[一-鿿]", response.json()["detail"])) is han
