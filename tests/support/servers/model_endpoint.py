"""An OpenAI-compatible endpoint on this machine that says what a test tells it to, over real HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

# Bytes in one piece of an answer that drips.
_DRIP = 16


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `hang` seconds pass before it, `drip` before every small piece of it; `cut` closes the

    connection in the middle of the body.
    """

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    hang: float = 0.0
    cut: bool = False
    drip: float = 0.0


def completion(
    content: str | None, finish_reason: str = "stop", refusal: str | None = None, tokens: tuple[int, int] = (11, 7)
) -> Answer:
    """A whole answer with its count of prompt and completion tokens."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return Answer(
        json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "small",
                "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
                "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
            }
        ).encode()
    )


def refused(status: int, message: str) -> Answer:
    """An error answer in the endpoint's own form."""
    return Answer(json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode(), status)


def stream(*pieces: str, finish_reason: str = "stop", tokens: tuple[int, int] = (11, 7), cut: bool = False) -> Answer:
    """A streamed answer; usage comes in the last event, as real endpoints send it."""
    events: list[dict[str, Any]] = [
        *({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces),
        {"choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]},
        {
            "choices": [],
            "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
        },
    ]
    frame = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "small"}
    lines = "".join(f"data: {json.dumps(frame | event)}\n\n" for event in events) + "data: [DONE]\n\n"
    return Answer(lines.encode(), content_type="text/event-stream", cut=cut)


@dataclass
class ModelEndpoint:
    """Gives its answers in order, the last one forever, or what a function makes of each request; keeps the requests.

    `heads` are the requests' lines and headers, in lower case.
    """

    answers: list[Answer] | Callable[[dict[str, Any]], Answer]
    requests: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    base_url: str = ""
    _open: set[asyncio.Task[Any]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request and closes the connection."""
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # The caller went away, or the test is over.
        finally:
            self._open.remove(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        self.heads.append(head)
        self.requests.append(json.loads(await reader.readexactly(length)))
        answer = self._next()
        await asyncio.sleep(answer.hang)
        writer.write(
            f"HTTP/1.1 {answer.status} X\r\ncontent-type: {answer.content_type}\r\n"
            f"content-length: {len(answer.body)}\r\nconnection: close\r\n\r\n".encode()
        )
        body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
        step = _DRIP if answer.drip else len(body) + 1
        for at in range(0, len(body), step):
            await asyncio.sleep(answer.drip)
            writer.write(body[at : at + step])
            await writer.drain()

    def _next(self) -> Answer:
        if callable(self.answers):
            return self.answers(self.requests[-1])
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def close(self) -> None:
        """Ends what is still being answered."""
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def endpoint(
    *answers: Answer, by: Callable[[dict[str, Any]], Answer] | None = None
) -> AsyncIterator[ModelEndpoint]:
    """A running endpoint that answers with `answers`, or by a function of the request."""
    played = ModelEndpoint(by or list(answers))
    server = await asyncio.start_server(played.serve, "127.0.0.1", 0)
    played.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server:
        try:
            yield played
        finally:
            await played.close()
