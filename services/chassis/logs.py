"""JSON logs on stderr with the request's and session's ids; never a user's words."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog

LogLevel = Literal["debug", "info", "warning", "error"]


def configure(level: LogLevel) -> None:
    """Sends structlog to stderr as one JSON object a line, from `level` up. Called once, in `__main__`."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without the values of variables: they may be a user's words or a key.
            structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # A line at a time: processes that share stderr would mix what is written in pieces.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines carry `component: name`."""
    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return bound


def bind(**ids: str) -> None:
    """Puts ids into every further line of this task and of the tasks it starts."""
    structlog.contextvars.bind_contextvars(**ids)


def unbind_all() -> None:
    """Forgets what was bound, before another call's ids are."""
    structlog.contextvars.clear_contextvars()
