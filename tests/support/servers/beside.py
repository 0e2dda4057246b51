"""An asynchronous context that is held open by a thread with a loop of its own, beside code that runs its own loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

Value = TypeVar("Value")
_START_SECONDS, _STOP_SECONDS = 120, 30


@contextmanager
def beside(context: AbstractAsyncContextManager[Value]) -> Iterator[Value]:
    """The value of the context until the block ends."""
    started: Future[Value] = Future()
    ended = threading.Event()

    async def hold() -> None:
        try:
            async with context as value:
                started.set_result(value)
                await asyncio.to_thread(ended.wait)
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=lambda: asyncio.run(hold()))
    thread.start()
    try:
        yield started.result(_START_SECONDS)
    finally:
        ended.set()
        thread.join(_STOP_SECONDS)
