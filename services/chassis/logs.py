"""JSON logs on stderr with request and session ids; never a user's words."""

from __future__ import annotations

import logging
import sys
from typing import Literal, TextIO, cast

# structlog imports rich, to draw tracebacks, wherever it is installed: a tenth of a second, and these logs are JSON.
_hides_rich = "rich" not in sys.modules
if _hides_rich:
    sys.modules["rich"] = None  # type: ignore[assignment]
import structlog  # noqa: E402

if _hides_rich:
    del sys.modules["rich"]

LogLevel = Literal["debug", "info", "warning", "error"]


class _Stderr:
    """The stderr of the moment: a logger may live longer than the stream that it first wrote to."""

    def write(self, text: str) -> int:
        """Writes to the current stderr."""
        return sys.stderr.write(text)

    def flush(self) -> None:
        """Flushes the current stderr."""
        sys.stderr.flush()


STREAM = cast(TextIO, _Stderr())


def configure(level: LogLevel) -> None:
    """Configures structlog to write one JSON object per line to stderr, from `level` up. Called once, in `__main__`."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without the values of variables, which may be a user's words or a key.
            structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # One write per line, because processes that share stderr would interleave partial lines.
        logger_factory=structlog.WriteLoggerFactory(STREAM),
        cache_logger_on_first_use=True,
    )


def logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines carry `component: name`."""
    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return bound


def bind(**ids: str) -> None:
    """Adds ids to every further line of this task and its child tasks."""
    structlog.contextvars.bind_contextvars(**ids)


def unbind_all() -> None:
    """Removes all bound ids."""
    structlog.contextvars.clear_contextvars()
