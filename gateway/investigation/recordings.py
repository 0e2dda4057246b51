"""Reads documents of a diagnosis; corrupt, binary, unknown or newer ones give a clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.chassis.errors import InvalidInput
from services.chassis.problems import system_problem


def read_text(path: Path, reason: str) -> str:
    """The text of a file. Raises InvalidInput with this reason if it cannot be read or is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput("unreadable.system", reason=reason, path=str(path), problem=system_problem(error)) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("unreadable.not_text", reason=reason, path=str(path)) from error


def read_document(text: str, name: str, known: str, reason: str) -> dict[str, Any]:
    """The JSON object of a text in the known format.

    Raises InvalidInput with the key `reason`, naming the file, if it is not such a document or has another format.
    """
    try:
        body: Any = json.loads(text)
    except ValueError as error:
        raise InvalidInput(reason, name=name) from error
    found = body.get("format") if isinstance(body, dict) else None
    if not isinstance(found, str):
        raise InvalidInput(reason, name=name)
    if found != known:
        raise InvalidInput("unreadable.format", reason=reason, name=name, found=found[:60], known=known)
    document: dict[str, Any] = body
    return document
