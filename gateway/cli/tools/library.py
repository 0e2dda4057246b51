"""The library that `match` and `understand` read: a folder, the shipped one, or one plain JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel, ConfigDict, ValidationError

from gateway.cli.tools.json_lines import first_problem
from services.chassis.errors import InvalidInput

OPTION = click.option(
    "--library",
    "path",
    type=click.Path(exists=True, path_type=Path),
    help="A library folder, or a JSON file with phenomena and root causes. [default: the shipped library]",
)


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
