"""Server-sent events as the gateway writes them: bytes in, typed events out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Progress:
    """A step of the turn has started."""

    step: str
    # The current detail of a long step.
    note: str = ""


@dataclass(frozen=True)
class Chunk:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True)
class Final:
    """The whole answer: the body that POST /chat returns."""

    body: Body


@dataclass(frozen=True)
class Problem:
    """The turn failed: a problem+json body."""

    body: Body


Event = Progress | Chunk | Final | Problem


def parse(pieces: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream, in order, however its bytes are split. Unknown events and comments are ignored."""
    name = ""
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            event = _event(name, "\n".join(data)) if data else None
            if event is not None:
                yield event
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    # Only \n ends a line: str.splitlines would also cut at characters that JSON text may hold.
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")


def _event(name: str, data: str) -> Event | None:
    body = json.loads(data)
    match name:
        case "progress":
            return Progress(str(body.get("step", "")), str(body.get("note", "")))
        case "chunk":
            return Chunk(str(body.get("text", "")))
        case "final":
            return Final(body)
        case "error":
            return Problem(body)
    return None
