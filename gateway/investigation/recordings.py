"""Reads documents of a diagnosis; corrupt, binary, unknown or newer ones give a clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.chassis.errors import InvalidInput


def text_of(path: Path, reason: str) -> str:
    """The text of a file. Raises InvalidInput with this reason if it cannot be read or is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"reading {path}: {error.strerror or error}", reason=reason) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"reading {path}: it is no text in UTF-8", reason=reason) from error


def document_of(text: str, name: str, known: str, what: str, reason: str) -> dict[str, Any]:
    """The JSON object of a text in the known format.

    Raises InvalidInput, naming the file, if it is not such a document or has another format.
    """
    try:
        body: Any = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"reading {name}: it is no {what}", reason=reason) from error
    found = body.get("format") if isinstance(body, dict) else None
    if not isinstance(found, str):
        raise InvalidInput(f"reading {name}: it is no {what}", reason=reason)
    if found != known:
        said = f"it is of the format {found[:60]}; this dbdiag reads {known}"
        raise InvalidInput(f"reading {name}: {said}", reason=reason)
    document: dict[str, Any] = body
    return document
