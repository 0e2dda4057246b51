"""POST /chat and POST /chat/stream."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from gateway.conversation import ChatMessage, Conversations, Silent
from gateway.http.bodies import ChatBody, read_body
from gateway.http.metrics import Metrics
from gateway.http.problems import MEDIA_TYPE, problem_of
from services.chassis import channel, logs
from services.chassis.errors import DbdiagError

_BODY = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": ChatBody.model_json_schema()}}},
    "responses": {
        "409": {
            "description": "The turn that the sender saw has passed, or the session changed; nothing was recorded.",
            "content": {MEDIA_TYPE: {"schema": {"type": "object"}}},
        }
    },
}


class _Queue:
    """A listener that turns what it hears into server-sent events."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

    def progress(self, step: str, note: str = "") -> None:
        """See Listener."""
        self.events.put_nowait(("progress", {"step": step, "note": note} if note else {"step": step}))

    def chunk(self, text: str) -> None:
        """See Listener."""
        self.events.put_nowait(("chunk", {"text": text}))


class ChatRoutes:
    """Turns over HTTP. A turn runs to its end even when the caller has hung up: what was said is kept."""

    def __init__(self, conversations: Conversations, metrics: Metrics) -> None:
        self._conversations = conversations
        self._metrics = metrics
        self._running: set[asyncio.Task[Any]] = set()
        self.router = APIRouter(tags=["chat"])
        self.router.post("/chat", openapi_extra=_BODY)(self.chat)
        self.router.post("/chat/stream", openapi_extra=_BODY)(self.stream)

    async def chat(self, request: Request) -> dict[str, Any]:
        """Answers one message: `{session_id, turn, message, details}`."""
        message = await self._message(request)
        return await asyncio.shield(self._start(message, Silent()))

    async def stream(self, request: Request) -> StreamingResponse:
        """The same as server-sent events: `progress`, `chunk`, then `final` or `error`."""
        message = await self._message(request)
        queue = _Queue()
        task = self._start(message, queue)
        task.add_done_callback(lambda _: queue.events.put_nowait(None))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(_events(queue, task), media_type="text/event-stream", headers=headers)

    async def drain(self) -> None:
        """Waits for the turns that are running."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _message(self, request: Request) -> ChatMessage:
        try:
            return (await read_body(request, ChatBody)).chat_message()
        except DbdiagError as error:
            self._metrics.refused(error.reason)
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
            self._metrics.refused(error.reason)
            raise
        self._metrics.answered(response, time.perf_counter() - started)
        return response


async def _events(queue: _Queue, task: asyncio.Task[dict[str, Any]]) -> AsyncIterator[str]:
    while (event := await queue.events.get()) is not None:
        yield _event(*event)
    error = task.exception()
    yield _event("error", problem_of(error)) if isinstance(error, Exception) else _event("final", task.result())


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
