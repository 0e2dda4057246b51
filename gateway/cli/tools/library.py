"""The library that `match` and `understand` read: a folder, the shipped one, or one plain JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import click
from pydantic import BaseModel, ConfigDict, ValidationError

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.chassis.problems import field_problem

OPTION = click.option(
    "--library",
    "path",
    type=click.Path(exists=True, path_type=Path),
    help="A library folder, or a JSON file with phenomena and root causes. [default: the shipped library]",
)
_Line = TypeVar("_Line", bound=BaseModel)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Words(_Part):
    zh: str = ""
    en: str = ""


class _Observe(_Part):
    present_when: _Words = _Words()


class _Phenomenon(_Part):
    id: str
    name: _Words | None = None
    description: _Words = _Words()
    observe: _Observe = _Observe()


class _File(_Part):
    phenomena: tuple[_Phenomenon, ...]


def library_content(path: Path | None) -> bytes:
    """The JSON of the library at a path: a file as it is, a folder compiled."""
    if path is not None and path.is_file():
        return path.read_bytes()
    from services.knowledge.files import POSTGRESQL, compile_libraries

    return compile_libraries([path or POSTGRESQL])


def phenomena_of(content: bytes) -> list[dict[str, Any]]:
    """The phenomena of a library with their names and tests of presence, as the planner takes them."""
    try:
        phenomena = _File.model_validate_json(content).phenomena
    except ValidationError as error:
        problem = first_problem(error, "invalid_request.the_file")
        raise InvalidInput("invalid_request.library_file", problem=problem) from error
    return [
        {
            "phenomenon_id": item.id,
            "name": (item.name or item.description).model_dump(),
            "present_when": item.observe.present_when.model_dump(),
        }
        for item in phenomena
    ]


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
