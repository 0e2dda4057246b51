"""Chat completions over HTTP: which failures are retried and when, how streams are cut into events, whom keys reach."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from services.chassis.llm.chat_api import ChatApi, RequestFailed, RequestRefused, open_chat_api, read_events
from tests.support.cases import for_each

URL = "http://model.test/v1/chat/completions"
SOON = {"retry-after-ms": "1"}


class Pieces(httpx.AsyncByteStream):
    """A body that arrives in these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


def played(*answers: httpx.Response | Exception, retries: int = 1) -> tuple[ChatApi, list[httpx.Request]]:
    """A client of an endpoint that gives these answers, and the requests that it will get."""
    requests: list[httpx.Request] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        given = answers[len(requests) - 1]
        if isinstance(given, Exception):
            raise given
        return given

    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    return ChatApi(http, URL, {"Authorization": "Bearer k"}, retries), requests


async def events_of(*pieces: bytes) -> list[Any]:
    """The events of a stream that arrives in these pieces."""
    return [event async for event in read_events(httpx.Response(200, stream=Pieces(*pieces)))]


@for_each("status", [408, 409, 429, 500, 502, 503, 529])
async def test_a_passing_failure_is_repeated(status: int) -> None:
    """Time-outs, conflicts, rate limits and server errors are repeated with the same body and key."""
    api, requests = played(httpx.Response(status, headers=SOON), httpx.Response(200, json={"n": 1}))
    assert (await api.post({"model": "m"})).json() == {"n": 1}
    first, second = requests
    assert first.content == second.content == b'{"model":"m"}'
    assert first.headers["authorization"] == second.headers["authorization"] == "Bearer k"


@for_each("status", [301, 400, 401, 403, 404, 422])
async def test_a_lasting_failure_is_not_repeated(status: int) -> None:
    """What the next attempt cannot change is raised at once, named by its status."""
    api, requests = played(httpx.Response(status, text="why"))
    with pytest.raises(RequestFailed) as failed:
        await api.post({})
    assert (failed.value.kind, len(requests)) == (f"HTTP {status}", 1)
    assert isinstance(failed.value, RequestRefused) == (status in (400, 422))
    assert getattr(failed.value, "complaint", "why") == "why"


@for_each("error", [httpx.ConnectError("gone"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut")])
async def test_a_lost_connection_is_repeated_after_a_while(error: Exception) -> None:
    """A connection that fails is tried again after three eighths to half a second."""
    api, requests = played(error, httpx.Response(200, json={}))
    begun = time.monotonic()
    await api.post({})
    assert (len(requests), time.monotonic() - begun > 0.37) == (2, True)


async def test_attempts_are_limited() -> None:
    """After `retries` repetitions the last failure is raised."""
    api, requests = played(*[httpx.Response(503, headers=SOON)] * 3, retries=2)
    with pytest.raises(RequestFailed, match="HTTP 503"):
        await api.post({})
    assert len(requests) == 3


@for_each(
    ("status", "headers", "attempts"),
    [
        (429, {"retry-after": "121"}, 1),
        (503, {"x-should-retry": "false"}, 1),
        (404, {"x-should-retry": "true"} | SOON, 2),
        (429, {"retry-after": "0.001"}, 2),
        (429, {"retry-after": "60"} | SOON, 2),
        (429, {"retry-after": "soon"} | SOON, 2),
    ],
)
async def test_the_endpoint_decides_about_a_repetition(status: int, headers: dict[str, str], attempts: int) -> None:
    """`Retry-After` up to two minutes is obeyed, a longer one is futile; `x-should-retry` overrules the status."""
    api, requests = played(httpx.Response(status, headers=headers), httpx.Response(200))
    if attempts == 1:
        with pytest.raises(RequestFailed):
            await api.post({})
    else:
        await api.post({})
    assert len(requests) == attempts


async def test_a_wait_can_be_cancelled() -> None:
    """Cancelling ends the wait for the next attempt."""
    api, requests = played(httpx.Response(429, headers={"retry-after": "60"}))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await api.post({})
    assert len(requests) == 1


@for_each("end", ["\n", "\r\n", "\r"])
@for_each("size", [1, 2, 3, 1000])
async def test_a_stream_is_cut_into_events_however_it_arrives(end: str, size: int) -> None:
    """Line ends of every kind, bytes in any portions, comments, other fields and data of several lines are read."""
    lines = [
        "\ufeff: hello",
        "event: chunk",
        'data: {"a":',
        'data:"x\u2028y\u0085中"}',
        "",
        "id: 1",
        "",
        "data: 2",
        "",
        "",
    ]
    told = end.join([*lines, "data: [DONE]", "", "data: {broken", "", ""]).encode()
    pieces = [told[at : at + size] for at in range(0, len(told), size)]
    assert await events_of(*pieces) == [{"a": "x\u2028y\u0085中"}, 2]


async def test_a_stream_may_end_without_a_word_about_it() -> None:
    """`[DONE]` is not required; an unfinished event is dropped; a page instead of a stream has no events."""
    assert await events_of(b"data: 1\n\ndata: 2") == [1]
    assert await events_of(b"<html>: a page</html>\n\n") == []


@for_each("body", [b'data: {"error": {"message": "m"}}\n\n', b"data: {\n\n", b"data: \xff\n\n"])
async def test_a_broken_stream_raises(body: bytes) -> None:
    """An event that reports an error, is no JSON or no text raises."""
    with pytest.raises((RequestFailed, ValueError)):
        await events_of(b"data: 1\n\n", body)


async def test_a_finished_stream_keeps_its_connection() -> None:
    """After `[DONE]` the rest of a response is read, so that its connection serves the next request."""
    connections: list[asyncio.Task[Any] | None] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(asyncio.current_task())
        while head := await _head(reader):
            await reader.readexactly(int(head.split("content-length:")[1].split("\r\n")[0]))
            writer.write(b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\ne\r\ndata: [DONE]\n\n\r\n")
            await asyncio.sleep(0.01)
            writer.write(b"0\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        api = open_chat_api(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "k", "m", None, 5, 0)
        for _ in range(2):
            async with contextlib.aclosing(await api.post({"stream": True})) as response:
                assert [event async for event in read_events(response)] == []
        await api.close()
        await asyncio.gather(*(task for task in connections if task))
    assert len(connections) == 1


async def _head(reader: asyncio.StreamReader) -> str:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    except asyncio.IncompleteReadError:
        return ""


@for_each(
    ("base", "version", "url"),
    [
        (None, None, "https://api.openai.com/v1/chat/completions"),
        ("http://h:1", None, "http://h:1/v1/chat/completions"),
        ("http://h:1/api/v3", None, "http://h:1/api/v3/chat/completions"),
        ("https://n.azure.test", "2024", "https://n.azure.test/openai/deployments/a%2Fb/chat/completions"),
        ("https://h/gate", "2024", "https://h/gate/deployments/a%2Fb/chat/completions"),
        ("https://h/openai/deployments/x", "2024", "https://h/openai/deployments/x/chat/completions"),
        (None, "2024", "https://api.openai.com/v1/chat/completions"),
    ],
)
async def test_an_endpoint_has_its_address(base: str | None, version: str | None, url: str) -> None:
    """A bare host gets its version or Azure's path; a path is kept."""
    api = open_chat_api(base, "k", "a/b", version, 5, 0)
    assert api.url == url
    await api.close()


@pytest.mark.parametrize(("version", "hosts"), [(None, ["here.test", "there.test"]), ("2024", ["here.test"])])
async def test_no_other_host_gets_the_key(
    version: str | None, hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redirect to another host is followed without the key, or not at all."""
    requests: list[httpx.Request] = []

    async def answer(self: object, request: httpx.Request) -> httpx.Response:
        requests.append(request)
        await request.aread()
        there = {"location": "http://there.test/"}
        return httpx.Response(200) if request.url.host == "there.test" else httpx.Response(307, headers=there)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", answer)
    api = open_chat_api("http://here.test", "secret", "m", version, 5, 0)
    with contextlib.suppress(RequestFailed):
        await api.post({"q": 1})
    await api.close()
    assert [each.url.host for each in requests] == hosts
    assert ["secret" in str(each.headers.raw) for each in requests] == [True, False][: len(hosts)]
    assert {each.content for each in requests} == {b'{"q":1}'}


async def test_a_key_that_no_header_can_hold_fails_the_question_only() -> None:
    """A model can be configured with such a key; asking it raises ValueError."""
    api = open_chat_api("http://127.0.0.1:1", "钥匙", "m", None, 5, 0)
    with pytest.raises(ValueError, match="ascii"):
        await api.post({})
    await api.close()
