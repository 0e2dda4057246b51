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

A message says what was attempted, on what, what went wrong and what to do. `reason` is stable and machine-readable; it
travels in the trailing metadata key `error-reason`. The mapping to a status stands in `interceptors.py`, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class DbdiagError(Exception):
    """The root: a stable `reason`, a message for a person, and details as text."""

    default_reason: ClassVar[str] = "internal"

    def __init__(self, message: str, *, reason: str | None = None, details: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.default_reason
        self.details = dict(details or {})


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
