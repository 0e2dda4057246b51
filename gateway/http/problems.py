"""Errors over HTTP: one problem+json form, one mapping from the error tree."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from gateway.passed import TurnPassed
from services.chassis import errors, logs

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


class BadBody(errors.InvalidInput):
    """A body that cannot be read at all; `status` says in which way."""

    def __init__(self, message: str, reason: str, status: HTTPStatus) -> None:
        super().__init__(message, reason=reason)
        self.status = status


def problem_of(error: Exception) -> dict[str, Any]:
    """The problem+json content of an error; a defect tells nothing of its inside."""
    if isinstance(error, errors.DbdiagError):
        problem = _problem(_status_of(error), error.reason, error.message)
        if isinstance(error, TurnPassed):
            problem |= {"turn": error.turn, "pending": error.items}
        return problem
    logs.logger("http").error("request failed", exc_info=error)
    return _problem(
        HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "an internal error; the log has it under this request id"
    )


def _status_of(error: errors.DbdiagError) -> HTTPStatus:
    if isinstance(error, BadBody):
        return error.status
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), HTTPStatus.INTERNAL_SERVER_ERROR)


def _problem(status: HTTPStatus, reason: str, detail: str) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
        "reason": reason,
    }


def response_of(error: Exception) -> JSONResponse:
    """The response to an error."""
    content = problem_of(error)
    return JSONResponse(content, content["status"], media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Makes every error of the app a problem+json."""

    async def known(request: Request, error: Exception) -> JSONResponse:
        return response_of(error)

    async def http(request: Request, error: Exception) -> JSONResponse:
        status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
        detail = f"{request.method} {request.url.path}: {status.phrase.lower()}; /docs lists what there is"
        content = _problem(status, status.name.lower(), detail)
        return JSONResponse(content, status.value, media_type=MEDIA_TYPE)

    app.add_exception_handler(errors.DbdiagError, known)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, known)
