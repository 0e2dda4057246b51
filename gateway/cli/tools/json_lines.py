"""Reads JSON from outside into a model, and words its first problem."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.chassis.problems import field_problem

_Line = TypeVar("_Line", bound=BaseModel)


def read_line(kind: type[_Line], line: bytes, number: int) -> _Line:
    """One line of standard input. Raises InvalidInput, naming the line."""
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        problem = first_problem(error, "invalid_request.the_line")
        raise InvalidInput("invalid_request.line", number=number, problem=problem) from error


def first_problem(error: ValidationError, whole: str) -> Message:
    """The first problem with its place; whole: the key for a problem that has none."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or Message(whole)
    return Message("invalid_request.place", {"place": place, "problem": field_problem(first)})
