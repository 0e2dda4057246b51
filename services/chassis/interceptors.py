"""The interceptor of every served call: admission, ids, deadline, errors mapped to a status, one log line.

The only place that maps the error tree to gRPC statuses.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn, TypeAlias

import grpc
import grpc.aio

from services.chassis import channel, errors, logs, messages

_STATUS: dict[type[errors.DbdiagError], grpc.StatusCode] = {
    errors.InvalidInput: grpc.StatusCode.INVALID_ARGUMENT,
    errors.NotFound: grpc.StatusCode.NOT_FOUND,
    errors.Precondition: grpc.StatusCode.FAILED_PRECONDITION,
    errors.TooBusy: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.DeadlinePassed: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors.DependencyDown: grpc.StatusCode.UNAVAILABLE,
    errors.NotOffered: grpc.StatusCode.UNIMPLEMENTED,
    errors.Internal: grpc.StatusCode.INTERNAL,
}
# Probes and reflection come from tools that set no deadline.
_EXEMPT = ("/grpc.health.v1.", "/grpc.reflection.")
# Bytes on the wire: message and details (a third longer once encoded) must fit the 8 KiB that a client accepts.
_MAX_DETAILS = 4096
_MAX_MESSAGE = 2048
# gRPC hands over calls one by one, and none while a reply is computed: without yielding, the limit never sees the
# waiting ones. Arrivals have ceased after this many turns of the event loop without a new call.
_LOOK_EVERY_SECONDS = 0.01
_QUIET_TURNS = 15

Context = grpc.aio.ServicerContext[Any, Any]
# The class is generic for type checkers only.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every method of every service of a server; at most `limit` calls are open at once."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._open = 0
        self._arrived = 0
        self._look_at = 0.0
        self._door = asyncio.Lock()
        self._wrapped: dict[str, tuple[Handler, Handler]] = {}
        self._refusal: Handler = grpc.stream_stream_rpc_method_handler(self._refuse)
        self._log = logs.logger("grpc")

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The wrapped handler of the method; see grpc.aio.ServerInterceptor."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or method.startswith(_EXEMPT):
            return handler
        self._arrived += 1
        if self._open >= self._limit:
            return self._refusal
        self._admit()
        known, wrapped = self._wrapped.get(method, (None, None))
        if known is not handler or wrapped is None:
            wrapped = self._streaming(handler, method) if handler.response_streaming else self._unary(handler, method)
            self._wrapped[method] = (handler, wrapped)
        return wrapped

    def _admit(self) -> None:
        # gRPC runs each call in its own task, which ends with the call in every case.
        task = asyncio.current_task()
        assert task is not None
        self._open += 1
        task.add_done_callback(self._leave)

    async def _let_in(self) -> None:
        """Admits or refuses the waiting calls; does nothing right after it has done so."""
        if self._clock() < self._look_at and not self._door.locked():
            return
        async with self._door:
            quiet = 0 if self._clock() >= self._look_at else _QUIET_TURNS
            while quiet < _QUIET_TURNS:
                seen = self._arrived
                await asyncio.sleep(0)
                quiet = quiet + 1 if self._arrived == seen else 0
                self._look_at = self._clock() + _LOOK_EVERY_SECONDS

    def _leave(self, task: asyncio.Task[Any]) -> None:
        self._open -= 1

    async def _refuse(self, requests: Any, context: Context) -> None:
        """Refuses without reading the request: a refusal must cost less than the call."""
        error = errors.TooBusy("too_many_calls", limit=self._limit)
        await self._abort(context, error)

    def _unary(self, handler: Handler, method: str) -> Handler:
        inner: Any = handler.stream_unary or handler.unary_unary
        make = (
            grpc.stream_unary_rpc_method_handler if handler.request_streaming else grpc.unary_unary_rpc_method_handler
        )

        async def call(request: Any, context: Context) -> Any:
            started = self._clock()
            try:
                if self._open > 1:
                    await self._let_in()
                self._enter(context)
                reply = await inner(request, context)
            except Exception as error:
                await self._fail(context, method, started, error)
            if self._log.is_enabled_for(logging.DEBUG):
                self._log.debug("call", method=method, status="OK", seconds=round(self._clock() - started, 6))
            return reply

        return make(call, handler.request_deserializer, handler.response_serializer)

    def _streaming(self, handler: Handler, method: str) -> Handler:
        inner: Any = handler.stream_stream or handler.unary_stream
        make = (
            grpc.stream_stream_rpc_method_handler if handler.request_streaming else grpc.unary_stream_rpc_method_handler
        )

        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            started = self._clock()
            try:
                if self._open > 1:
                    await self._let_in()
                self._enter(context)
                async for message in inner(request, context):
                    yield message
            except Exception as error:
                await self._fail(context, method, started, error)
            self._log.debug("call", method=method, status="OK", seconds=round(self._clock() - started, 6))

        return make(call, handler.request_deserializer, handler.response_serializer)

    def _enter(self, context: Context) -> None:
        """Reads ids and deadline. Raises DeadlinePassed if the caller has stopped waiting."""
        request_id = session_id = ""
        for key, value in context.invocation_metadata() or ():
            if key == channel.REQUEST_ID_KEY and isinstance(value, str):
                request_id = value
            elif key == channel.SESSION_ID_KEY and isinstance(value, str):
                session_id = value
        channel.request_id.set(request_id)
        channel.session_id.set(session_id)
        logs.unbind_all()
        logs.bind(request_id=request_id, session_id=session_id)
        remaining = context.time_remaining()
        if remaining is None:
            raise errors.DeadlinePassed("deadline_required")
        if remaining <= 0:
            raise errors.DeadlinePassed("deadline_exceeded.queued")
        channel.deadline.set(self._clock() + remaining)

    async def _fail(self, context: Context, method: str, started: float, error: Exception) -> NoReturn:
        if isinstance(error, grpc.aio.AbortError):
            raise error
        seconds = round(self._clock() - started, 6)
        known = _of_the_tree(error, method)
        if known is None:
            self._log.error("call failed", method=method, seconds=seconds, exc_info=error)
            known = errors.Internal("internal.call", method=method)
        else:
            self._log.info("call refused", method=method, seconds=seconds, reason=known.reason)
        await self._abort(context, known)

    async def _abort(self, context: Context, error: errors.DbdiagError) -> NoReturn:
        trailing: list[tuple[str, str | bytes]] = [(channel.REASON_KEY, error.reason)]
        told = messages.to_plain(error.as_message)["details"] if error.key else dict(error.details)
        details = json.dumps(told, ensure_ascii=False).encode()
        if error.key and len(details) <= _MAX_DETAILS:
            trailing.append((channel.MESSAGE_KEY, error.key))
        if told and len(details) <= _MAX_DETAILS:
            trailing.append((channel.DETAILS_KEY, details))
        await context.abort(status_of(error), _shortened(error.message), tuple(trailing))


def status_of(error: errors.DbdiagError) -> grpc.StatusCode:
    """The status of an error's class, or of its nearest ancestor that has one."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), grpc.StatusCode.INTERNAL)


def _of_the_tree(error: Exception, method: str) -> errors.DbdiagError | None:
    """The error as the caller may see it; None for a defect."""
    if isinstance(error, NotImplementedError):
        # Raised by the generated base class for methods that a servicer does not implement.
        return errors.NotOffered("not_offered", method=method)
    return error if isinstance(error, errors.DbdiagError) else None


def _shortened(message: str) -> str:
    """The message cut to fit a header, where a byte outside printable ASCII takes three."""
    size = 0
    for end, character in enumerate(message):
        plain = " " <= character <= "~" and character != "%"
        size += 1 if plain else 3 * len(character.encode(errors="replace"))
        if size > _MAX_MESSAGE:
            return f"{message[:end]} ..."
    return message
