"""POST /chat and POST /chat/stream."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from typing import Any

from dbdiag.planner.v1.planner_types import Language
from starlette.requests import Request
from starlette.responses import StreamingResponse

from gateway.http.metrics import Metrics
from gateway.http.openapi import describe_body
from gateway.http.problems import MEDIA_TYPE, render_problem
from gateway.http.request_language import choose_language
from gateway.http.routes import Routes
from gateway.http.schemas import ChatBody, read_body
from gateway.turn.conversations import ChatMessage, Conversations, Silent
from services.chassis import channel, logs
from services.chassis.errors import DbdiagError

_BODY = {
    **describe_body(ChatBody),
    "responses": {
        "409": {
            "description": "`turn_passed`, or the session changed meanwhile; nothing was recorded.",
            "content": {MEDIA_TYPE: {"schema": {"type": "object"}}},
        }
    },
}


class _Queue:
    """A listener that turns progress and text into server-sent events."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

    def progress(self, step: str, note: str = "") -> None:
        """See Listener."""
        self.events.put_nowait(("progress", {"step": step, "note": note} if note else {"step": step}))

    def chunk(self, text: str) -> None:
        """See Listener."""
        self.events.put_nowait(("chunk", {"text": text}))


class ChatRoutes:
    """Turns over HTTP. A turn runs to completion even if the caller disconnects, and is recorded."""

    def __init__(self, conversations: Conversations, metrics: Metrics) -> None:
        self._conversations = conversations
        self._metrics = metrics
        self._running: set[asyncio.Task[Any]] = set()
        self.routes = Routes(tags=["chat"])
        self.routes.post("/chat", openapi_extra=_BODY)(self.chat)
        self.routes.post("/chat/stream", openapi_extra=_BODY)(self.stream)

    async def chat(self, request: Request) -> dict[str, Any]:
        """Answers a message: `{session_id, turn, message, details}`."""
        message = await self._message(request)
        return await asyncio.shield(self._start(message, Silent()))

    async def stream(self, request: Request) -> StreamingResponse:
        """Answers a message with server-sent events: `progress`, `chunk`, then `final` or `error`."""
        message = await self._message(request)
        queue = _Queue()
        task = self._start(message, queue)
        task.add_done_callback(lambda _: queue.events.put_nowait(None))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(
            _events(queue, task, choose_language(request)), media_type="text/event-stream", headers=headers
        )

    async def drain(self) -> None:
        """Waits for running turns to finish."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _message(self, request: Request) -> ChatMessage:
        try:
            return (await read_body(request, ChatBody)).chat_message()
        except DbdiagError as error:
            self._metrics.count_refusal(error.reason)
            raise

    def _start(self, message: ChatMessage, listener: Any) -> asyncio.Task[dict[str, Any]]:
        request_id = message.request_id or uuid.uuid4().hex
        channel.request_id.set(request_id)
        logs.unbind_all()
        logs.bind(request_id=request_id)
        task = asyncio.create_task(self._answer(message, listener))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _answer(self, message: ChatMessage, listener: Any) -> dict[str, Any]:
        started = time.perf_counter()
        try:
            response = await self._conversations.chat(message, listener)
        except DbdiagError as error:
            self._metrics.count_refusal(error.reason)
            raise
        self._metrics.count_turn(response, time.perf_counter() - started)
        return response


async def _events(queue: _Queue, task: asyncio.Task[dict[str, Any]], language: Language) -> AsyncIterator[str]:
    while (event := await queue.events.get()) is not None:
        yield _event(*event)
    error = task.exception()
    if isinstance(error, Exception):
        yield _event("error", render_problem(error, language))
    else:
        yield _event("final", task.result())


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
