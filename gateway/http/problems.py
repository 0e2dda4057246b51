"""Errors over HTTP: one problem+json form, and one mapping from the error tree to statuses.

`reason` is stable and for programs; `detail` is for people, in the language of the request.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from dbdiag.planner.v1.planner_types import Language
from pydantic_core import ErrorDetails
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from gateway.http.request_language import choose_language
from gateway.turn.stale_turn import TurnPassed
from services.chassis import errors, logs
from services.chassis.messages import Detail, Message

MEDIA_TYPE = "application/problem+json"
_STATUS: dict[type[errors.DbdiagError], HTTPStatus] = {
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Precondition: HTTPStatus.CONFLICT,
    errors.TooBusy: HTTPStatus.TOO_MANY_REQUESTS,
    errors.DeadlinePassed: HTTPStatus.GATEWAY_TIMEOUT,
    errors.DependencyDown: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.NotOffered: HTTPStatus.NOT_IMPLEMENTED,
}
_OF_STATUS = {HTTPStatus.NOT_FOUND: "not_found.route", HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed.route"}
# The error types that the bodies and parameters of this interface can raise; the English texts are pydantic's.
_KEYS = {
    "bool_parsing": "invalid_field.bool_parsing",
    "bool_type": "invalid_field.bool_type",
    "enum": "invalid_field.enum",
    "extra_forbidden": "invalid_field.extra_forbidden",
    "greater_than_equal": "invalid_field.greater_than_equal",
    "int_parsing": "invalid_field.int_parsing",
    "int_type": "invalid_field.int_type",
    "less_than_equal": "invalid_field.less_than_equal",
    "missing": "invalid_field.missing",
    "model_type": "invalid_field.model_type",
    "string_pattern_mismatch": "invalid_field.string_pattern_mismatch",
    "string_too_long": "invalid_field.string_too_long",
    "string_too_short": "invalid_field.string_too_short",
    "string_type": "invalid_field.string_type",
}


class BadBody(errors.InvalidInput):
    """A body that cannot be read at all; `status` says why."""

    def __init__(self, key: str, status: HTTPStatus, **details: Detail) -> None:
        super().__init__(key, details=details)
        self.status = status


class Refusal(errors.DbdiagError):
    """A request that is refused before it reaches a route; `status` says why."""

    def __init__(self, key: str, status: HTTPStatus, **details: Detail) -> None:
        super().__init__(key, details=details)
        self.status = status


def render_problem(error: Exception, language: str = Language.EN) -> dict[str, Any]:
    """The problem+json content of an error. A defect is logged, and its content stays in the log."""
    if isinstance(error, errors.DbdiagError):
        problem = _problem(_status_of(error), error.reason, error.text(language))
        if isinstance(error, TurnPassed):
            problem |= {"turn": error.turn, "pending": error.items}
        return problem
    logs.logger("http").error("request failed", exc_info=error)
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", Message("internal.request").text(language))


def make_response(error: Exception, language: str) -> JSONResponse:
    """The response to an error."""
    return _response(render_problem(error, language))


def install(app: Starlette) -> None:
    """Answers every error of the app with a problem+json."""

    async def known(request: Request, error: Exception) -> JSONResponse:
        return make_response(error, choose_language(request))

    async def http(request: Request, error: Exception) -> JSONResponse:
        status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
        details: dict[str, Detail] = {"method": request.method, "path": request.url.path, "phrase": status.phrase}
        message = Message(_OF_STATUS.get(status, "http_error"), details)
        return _response(_problem(status, status.name.lower(), message.text(choose_language(request))))

    app.add_exception_handler(errors.DbdiagError, known)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, known)


def _status_of(error: errors.DbdiagError) -> HTTPStatus:
    if isinstance(error, BadBody | Refusal):
        return error.status
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), HTTPStatus.INTERNAL_SERVER_ERROR)


def _problem(status: HTTPStatus, reason: str, detail: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": detail, "reason": reason}


def _response(problem: dict[str, Any]) -> JSONResponse:
    return JSONResponse(problem, problem["status"], media_type=MEDIA_TYPE)


class WrongValue(ValueError):
    """Raised by a validator; carries the message for the sender."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text())
        self.message = message


def describe_first(errors: Sequence[ErrorDetails], key: str) -> Message:
    """The message of a key that has the details `field` and `problem`, for the first of pydantic's errors."""
    first = errors[0]
    field = ".".join(str(part) for part in first["loc"])
    return Message(key, {"field": field or Message("invalid_field.body"), "problem": _describe(first)})


def _describe(error: ErrorDetails) -> Message:
    context = error.get("ctx", {})
    wrong = context.get("error")
    if isinstance(wrong, WrongValue):
        return wrong.message
    key = _KEYS.get(error["type"])
    if key is None:
        return Message("verbatim", {"words": error["msg"]})
    return Message(key, {name: value for name, value in context.items() if isinstance(value, str | int | float)})
