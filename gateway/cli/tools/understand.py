"""`dbdiag understand`: a message with its context a line on standard input, its turn plan on standard output."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel, ConfigDict, Field

from gateway.cli import output
from gateway.cli.options import JSON_LINES
from gateway.cli.tools.library import OPTION, library_content, phenomena_of, read_line
from services.chassis.errors import InvalidInput


class _Case(BaseModel):
    """The fields of a line that are read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int | None = None
    message: str
    context: dict[str, Any] = Field(default_factory=dict)


@click.command()
@OPTION
@JSON_LINES
def understand(path: Path | None, as_json: bool) -> int:
    """Say what messages ask for, by rules.

    Reads one JSON object a line: {"id", "message", "context": {"pending", "confirmed", "denied", "last_clarification",
    "history"}}; writes {"id", "plan"} for each, references resolved to ids.

    \b
    pending             [{"ordinal": 1, "phenomenon_id": "P-0001",
                          "description": "as it was shown"}, ...]
    confirmed, denied   ["P-0002", ...]
    last_clarification  {"question": "...", "options": as pending}
    history             [{"role": "user", "content": "..."}, ...]
    """
    return asyncio.run(_run(phenomena_of(library_content(path)), as_json))


async def _run(known: list[dict[str, Any]], as_json: bool) -> int:
    from gateway.cli.services import start_case_reader

    async with start_case_reader(known) as reader:
        for number, line in enumerate(sys.stdin.buffer, 1):
            if not line.strip():
                continue
            case = read_line(_Case, line, number)
            try:
                plan = await reader.read(case.message, json.dumps(case.context))
            except InvalidInput as error:
                raise InvalidInput("invalid_request.line", number=number, problem=error.as_message) from error
            body = {"id": case.id, "plan": plan}
            print(json.dumps(body, ensure_ascii=False) if as_json else _text(case.message, plan), flush=True)
    return output.DONE


def _text(message: str, plan: dict[str, Any]) -> str:
    said = ", ".join(f"{name} {value}" for name, value in plan.items() if value)
    return f"{said or 'nothing'} <- {message}"
