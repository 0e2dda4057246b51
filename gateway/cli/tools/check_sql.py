"""`dbdiag check-sql`: whether a statement is admitted into a catalogue or dataset, and why not."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click
from pydantic import BaseModel, ConfigDict

from gateway.cli import output
from gateway.cli.language import Texts, language
from gateway.cli.tools.library import read_line

if TYPE_CHECKING:
    from sql_admission import Admission


say = Texts("tools").say


class _Line(BaseModel):
    """The fields of a line that are read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int | None = None
    engine: str | None = None
    sql: str


@click.command(name="check-sql")
@click.option("--engine", type=click.Choice(["postgres", "duckdb"]), default="postgres", show_default=True)
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON; without SQL, one object for each line of standard input."
)
@click.argument("sql", required=False)
def check_sql(engine: str, as_json: bool, sql: str | None) -> int:
    """Check whether SQL is admitted: read-only, bounded, and built from allow-listed parts.

    Without SQL and with --json reads {"id", "engine", "sql"} a line and writes {"id", "allow", "reason"} for each; the
    engine of a line without one is that of --engine. With SQL the exit code is 0 when it is admitted and 1 when not.
    """
    if sql is not None:
        return _one(sql, engine, as_json)
    if not as_json:
        raise output.BadUsage("bad_usage.no_statement")
    from sql_admission import admit

    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            read = read_line(_Line, line, number)
            body = {"id": read.id, **_document(admit(read.sql, read.engine or engine))}
            print(json.dumps(body, ensure_ascii=False), flush=True)
    return output.DONE


def _one(sql: str, engine: str, as_json: bool) -> int:
    from sql_admission import admit

    decision = admit(sql, engine)
    if as_json:
        print(json.dumps(_document(decision), ensure_ascii=False))
    else:
        refusal = decision.refusal
        print(say("refused", reason=refusal.text(language())) if refusal else say("admitted"))
    return output.DONE if decision.allow else output.FELL_SHORT


def _document(decision: Admission) -> dict[str, object]:
    return {"allow": decision.allow, "reason": decision.reason}
