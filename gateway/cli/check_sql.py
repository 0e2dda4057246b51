"""`dbdiag check-sql`: would this statement be admitted into a catalogue or a dataset, and why not. Needs no server."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click
from pydantic import BaseModel, ConfigDict, ValidationError

from gateway.cli import failures
from gateway.cli.record_words import say
from gateway.cli.speaking import language
from gateway.wording.error_words import refusal_in_language
from services.chassis.errors import InvalidInput

if TYPE_CHECKING:
    from services.collector.admission import Admission


class _Line(BaseModel):
    """What is read of a line."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int | None = None
    engine: str | None = None
    sql: str


@click.command(name="check-sql")
@click.option("--engine", type=click.Choice(["postgres", "duckdb"]), default="postgres", show_default=True)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object; without SQL one for each line of standard input."
)
@click.argument("sql", required=False)
def check_sql(engine: str, as_json: bool, sql: str | None) -> int:
    """Say whether SQL would be admitted: read-only, bounded, and of listed parts alone.

    Without SQL and with --json reads {"id", "engine", "sql"} a line and writes {"id", "allow", "reason"} for each; the
    engine of a line without one is that of --engine. With SQL the exit code is 0 when it is admitted and 1 when not.
    """
    if sql is not None:
        return _one(sql, engine, as_json)
    if not as_json:
        raise click.UsageError("give a statement, or --json to read JSON lines from standard input")
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            read = _read(line, number)
            body = {"id": read.id, **_decided(read.sql, read.engine or engine)._asdict()}
            print(json.dumps(body, ensure_ascii=False), flush=True)
    return failures.DONE


def _one(sql: str, engine: str, as_json: bool) -> int:
    decision = _decided(sql, engine)
    if as_json:
        print(json.dumps(decision._asdict(), ensure_ascii=False))
    else:
        reason = refusal_in_language(decision.reason, language())
        print(say("admitted") if decision.allow else say("refused", reason=reason))
    return failures.DONE if decision.allow else failures.FELL_SHORT


def _decided(sql: str, engine: str) -> Admission:
    from services.collector.admission import ENGINES, Admission, admit

    if engine not in ENGINES:
        return Admission(False, f"the engine {engine} is none of {', '.join(ENGINES)}")
    return admit(sql, engine)


def _read(line: bytes, number: int) -> _Line:
    try:
        return _Line.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"])) or "the line"
        raise InvalidInput(f"reading line {number} of standard input: {place}: {problem['msg']}") from error
