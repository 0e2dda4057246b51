"""`dbdiag understand`: a message with its context a line on standard input, its turn plan out. Needs no server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gateway.cli import failures
from services.chassis.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from services.planner.cases import CaseContext
    from services.planner.model import Text


class _Case(BaseModel):
    """What is read of a line; the rest of it is passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int | None = None
    message: str
    context: dict[str, Any] = Field(default_factory=dict)


@click.command()
@click.option(
    "--library",
    "path",
    type=click.Path(exists=True, path_type=Path),
    help="A library folder, or one JSON file with phenomena and root causes; the shipped library by default.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
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
    known, tests = _library(path)
    _prepare()
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            case, context = _read(line, number)
            plan = _plan(case.message, context, known, tests)
            body = {"id": case.id, "plan": plan}
            print(json.dumps(body, ensure_ascii=False) if as_json else _text(case.message, plan), flush=True)
    return failures.DONE


def _prepare() -> None:
    from services.planner.settings import PlannerSettings
    from services.planner.understand import acts

    acts.keep_in(PlannerSettings().planner_cache_dir.expanduser())


def _library(path: Path | None) -> tuple[Mapping[str, Text], Mapping[str, Text]]:
    """What the library calls each phenomenon, and when it is present."""
    from gateway.cli.match import library_at
    from services.planner.model import Text

    phenomena = library_at(path).phenomena
    names = {entry.id: Text(entry.name.zh, entry.name.en) for entry in phenomena}
    tests = {entry.id: Text(*entry.present_when[:2]) for entry in phenomena}
    return names, tests


def _read(line: bytes, number: int) -> tuple[_Case, CaseContext]:
    from services.planner.cases import CaseContext

    try:
        case = _Case.model_validate_json(line)
        return case, CaseContext.model_validate(case.context)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"])) or "the line"
        raise InvalidInput(f"reading line {number} of standard input: {place}: {problem['msg']}") from error


def _plan(message: str, context: CaseContext, known: Mapping[str, Text], tests: Mapping[str, Text]) -> dict[str, Any]:
    from services.planner.cases import form_of, view_of
    from services.planner.understand.plan import understand as plan_of

    view = view_of(context, known, tests)
    return form_of(plan_of(message, view), view, known).model_dump()


def _text(message: str, plan: dict[str, Any]) -> str:
    said = ", ".join(f"{name} {value}" for name, value in plan.items() if value)
    return f"{said or 'nothing'} <- {message}"
