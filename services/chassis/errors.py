"""One error tree for all services and for callers of them.

    DbdiagError
    ├── InvalidInput        the caller's input is wrong; the same call will fail again   INVALID_ARGUMENT
    ├── NotFound            a named thing does not exist                                 NOT_FOUND
    ├── Precondition        the state does not allow it                                  FAILED_PRECONDITION
    ├── TooBusy             admission limit reached; retry with back-off                 RESOURCE_EXHAUSTED
    ├── DeadlinePassed      time ran out, or the call came without a deadline            DEADLINE_EXCEEDED
    ├── DependencyDown      something this needs does not answer; retry with back-off    UNAVAILABLE
    ├── NotOffered          the method exists in the contract but not in this build      UNIMPLEMENTED
    └── Internal            a defect; the log has the details                            INTERNAL

An error carries a message as key and details (see `messages.py`): what was attempted, on what, what went wrong and what
to do. Its `reason` is stable and machine-readable and travels in the trailing metadata key `error-reason`. The mapping
to a status stands in `interceptors.py`, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from services.chassis.messages import Detail, Message, is_key


class DbdiagError(Exception):
    """The root. `DbdiagError("reason.variant", name=value)` renders the text of that key with these details.

    A sentence in place of the key is shown unchanged in every language: the words of another program.
    """

    default_reason: ClassVar[str] = "internal"

    def __init__(
        self,
        message: str | Message,
        /,
        *,
        reason: str | None = None,
        details: Mapping[str, Detail] | None = None,
        **values: Detail,
    ) -> None:
        super().__init__(message)
        self.details: dict[str, Detail] = {**(details or {}), **values}
        if isinstance(message, Message):
            self._message: Message | None = message
            self.details = {**message.details, **self.details}
        else:
            self._message = Message(message, self.details) if is_key(message) else None
        self._words = "" if self._message else str(message)
        self.reason = reason or (self._message.reason if self._message else self.default_reason)

    @property
    def as_message(self) -> Message:
        """The error as a message, to be nested in another."""
        return self._message or Message("verbatim", {"words": self._words})

    @property
    def key(self) -> str:
        """The key of its text; empty for the words of another program."""
        return self._message.key if self._message else ""

    @property
    def message(self) -> str:
        """The text in English."""
        return self.text("en")

    def text(self, language: str) -> str:
        """The text in a language."""
        return self.as_message.text(language)

    def __str__(self) -> str:
        return self.message


class InvalidInput(DbdiagError):
    """The caller's input is wrong."""

    default_reason = "invalid_request"


class NotFound(DbdiagError):
    """A named thing does not exist."""

    default_reason = "not_found"


class Precondition(DbdiagError):
    """The state does not allow it."""

    default_reason = "failed_precondition"


class TooBusy(DbdiagError):
    """The admission limit is reached."""

    default_reason = "too_many_calls"


class DeadlinePassed(DbdiagError):
    """Time ran out, or the call came without a deadline."""

    default_reason = "deadline_exceeded"


class DependencyDown(DbdiagError):
    """Something this needs does not answer."""

    default_reason = "dependency_down"


class NotOffered(DbdiagError):
    """The contract has it, this build does not."""

    default_reason = "not_offered"


class Internal(DbdiagError):
    """A defect."""

    default_reason = "internal"
