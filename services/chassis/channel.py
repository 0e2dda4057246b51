"""Channels to other services: throttled retries, keepalive, propagated deadlines and ids, translated errors."""

from __future__ import annotations

import contextlib
import contextvars
import json
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import TypedDict, TypeVar

import grpc
import grpc.aio

from services.chassis import errors, messages

REQUEST_ID_KEY = "x-request-id"
SESSION_ID_KEY = "x-session-id"
REASON_KEY = "error-reason"
MESSAGE_KEY = "error-message-key"
DETAILS_KEY = "error-details-bin"

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
session_id: contextvars.ContextVar[str] = contextvars.ContextVar("session_id", default="")
# Monotonic seconds at which the caller stops waiting; infinity when nobody waits.
deadline: contextvars.ContextVar[float] = contextvars.ContextVar("deadline", default=float("inf"))

Reply = TypeVar("Reply")

_SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
    "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1},
}

_OPTIONS: list[tuple[str, str | int]] = [
    ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    # A replaced peer is back long before gRPC's default of one second.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
]

_BY_STATUS: dict[grpc.StatusCode, type[errors.DbdiagError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: errors.InvalidInput,
    grpc.StatusCode.NOT_FOUND: errors.NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: errors.Precondition,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.TooBusy,
    grpc.StatusCode.DEADLINE_EXCEEDED: errors.DeadlinePassed,
    grpc.StatusCode.UNAVAILABLE: errors.DependencyDown,
    grpc.StatusCode.UNIMPLEMENTED: errors.NotOffered,
}


class CallOptions(TypedDict):
    """Keyword arguments of a stub's call."""

    timeout: float
    metadata: tuple[tuple[str, str], ...]


def connect(address: str) -> grpc.aio.Channel:
    """A lazy channel to `host:port`, `dns:///name:port` or `unix:/path`."""
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


def outgoing(limit_seconds: float) -> CallOptions:
    """Options for the next call: its timeout (`limit_seconds`, or the caller's deadline if sooner) and the ids."""
    remaining = deadline.get() - time.monotonic()
    if remaining <= 0:
        raise errors.DeadlinePassed("deadline_exceeded.outgoing")
    pairs = ((REQUEST_ID_KEY, request_id.get()), (SESSION_ID_KEY, session_id.get()))
    return {"timeout": min(limit_seconds, remaining), "metadata": tuple(pair for pair in pairs if pair[1])}


async def answered(call: Awaitable[Reply], peer: str) -> Reply:
    """The reply of a unary call to `peer`. Raises its failure as a member of the error tree."""
    with failures_of(peer):
        return await call


async def streamed(call: AsyncIterator[Reply], peer: str) -> AsyncIterator[Reply]:
    """The messages of a server stream. Raises its failure as a member of the error tree."""
    with failures_of(peer):
        async for message in call:
            yield message


@contextlib.contextmanager
def failures_of(peer: str) -> Iterator[None]:
    """Raises failures of calls to `peer` in the block as members of the error tree."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error, peer) from error


def from_rpc_error(error: grpc.aio.AioRpcError, peer: str) -> errors.DbdiagError:
    """The error tree's member for a failed call, with the far side's reason, message and details."""
    metadata = {key: _text(value) for key, value in error.trailing_metadata() or ()}
    reason = metadata.get(REASON_KEY)
    raw = json.loads(metadata.get(DETAILS_KEY, "{}"))
    kind = _BY_STATUS.get(error.code(), errors.Internal)
    words = error.details() or error.code().name
    if reason is None:
        return kind("call_failed", reason=kind.default_reason, peer=peer, words=words)
    if MESSAGE_KEY in metadata:
        return kind(messages.from_plain({"key": metadata[MESSAGE_KEY], "details": raw}), reason=reason)
    return kind(words, reason=reason, details=raw)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
