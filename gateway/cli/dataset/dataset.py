"""`dbdiag dataset`: draft the semantic layer of data, lint it, check it for drift, keep verified answers."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.language import Texts, language
from gateway.cli.options import EXISTING_FILE, JSON

if TYPE_CHECKING:
    from services.analyst.dataset_files import Located

say = Texts("dataset").say
_COLORS = {"error": "red", "warning": "yellow", "note": "cyan"}
_DATABASE = click.option(
    "--database",
    "places",
    multiple=True,
    metavar="FILE",
    help="A data file, a folder of them, or a postgresql:// URL; repeatable. [default: what lies beside the YAML]",
)
_NOW = click.option("--now", type=click.DateTime(["%Y-%m-%d"]), help="The day that counts as today. [default: as_of]")


@click.group()
def dataset() -> None:
    """Draft, lint and check the semantic layer of data, a YAML file that says what its columns mean."""


@dataset.command()
@click.argument("places", nargs=-1, required=True, metavar="FILE...")
@click.option("--name", help="The dataset's name. [default: that of the first file]")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the YAML here. [default: print it]")
@click.option("--force", is_flag=True, help="Overwrite the file of --out.")
@_NOW
@JSON
def describe(
    places: tuple[str, ...], name: str | None, out: Path | None, force: bool, now: dt.datetime | None, as_json: bool
) -> int:
    """Draft the layer of CSV, TSV, Parquet, Excel, JSON, DuckDB and SQLite files, folders, or a postgresql:// URL."""
    from services.analyst.dataset_files import describe as draft

    if out is not None and out.exists() and not force:
        raise output.BadUsage("bad_usage.file_exists", path=str(out))
    drafted = draft(places, name or _name_of(places[0]), _day(now), [say("remark")])
    notes = [note.text(language()) for note in drafted.notes]
    counts = {part: getattr(drafted, part) for part in ("tables", "metrics", "dimensions", "joins")}
    if out is not None:
        _write(out, drafted.text)
    if as_json:
        body = {"path": str(out) if out else None, "yaml": drafted.text, **counts, "notes": notes}
        click.echo(json.dumps(body, ensure_ascii=False))
        return output.DONE
    if out is None:
        click.echo(drafted.text, nl=False)
    for note in notes:
        click.echo(say("noted", note=note), err=True)
    click.echo(say("drafted", **counts), err=True)
    if out is not None:
        click.echo(say("written", path=out), err=True)
    return output.DONE


@dataset.command()
@click.argument("layer", type=EXISTING_FILE, metavar="YAML")
@_DATABASE
@_NOW
@JSON
def lint(layer: Path, places: tuple[str, ...], now: dt.datetime | None, as_json: bool) -> int:
    """Find errors of a layer: unknown columns, words of two ids, values not in the data, metrics that do not run.

    Exits with 1 when there is an error.
    """
    from services.analyst.dataset_files import lint as find

    return _report(layer, find(layer, places, _day(now)), as_json)


@dataset.command()
@click.argument("layer", type=EXISTING_FILE, metavar="YAML")
@_DATABASE
@_NOW
@JSON
def check(layer: Path, places: tuple[str, ...], now: dt.datetime | None, as_json: bool) -> int:
    """Compare a layer with its data: columns and values that came or went, and whether its examples still hold.

    Exits with 1 when something it names is gone or an example differs.
    """
    from services.analyst.dataset_files import check as find

    return _report(layer, find(layer, places, _day(now)), as_json)


@dataset.command()
@click.argument("layer", type=EXISTING_FILE, metavar="YAML")
@click.argument("question")
@click.option("--sql", required=True, help="The statement that answers it.")
@_DATABASE
@JSON
def keep(layer: Path, question: str, sql: str, places: tuple[str, ...], as_json: bool) -> int:
    """Keep a statement as the verified answer to a question, among the layer's examples.

    The statement must be admitted and run. The same question is answered by it from then on, and `check` runs it.
    """
    from services.analyst.dataset_files import keep_sql

    count = keep_sql(layer, places, question, sql)
    body = json.dumps({"path": str(layer), "question": question, "rows": count}, ensure_ascii=False)
    click.echo(body if as_json else say("kept", path=layer, count=count))
    return output.DONE


def _report(path: Path, found: Sequence[Located], as_json: bool) -> int:
    counts = Counter(one.finding.severity for one in found)
    if as_json:
        findings = [
            {
                "severity": one.finding.severity,
                "line": one.line,
                "key": one.finding.key,
                "reason": one.finding.message.key,
                "message": one.finding.message.text(),
            }
            for one in found
        ]
        body = {"findings": findings, "errors": counts["error"], "warnings": counts["warning"], "notes": counts["note"]}
        click.echo(json.dumps(body, ensure_ascii=False))
    else:
        for one in found:
            severity = click.style(say(one.finding.severity), fg=_COLORS[one.finding.severity])
            message = one.finding.message.text(language())
            click.echo(f"{path}:{one.line}: {severity}: {one.finding.key}: {message}")
        click.echo(say("counted", errors=counts["error"], warnings=counts["warning"], notes=counts["note"]))
    return output.FELL_SHORT if counts["error"] else output.DONE


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        from services.chassis.errors import InvalidInput
        from services.chassis.problems import system_problem

        raise InvalidInput("not_writable.layer", path=str(path), why=system_problem(error)) from None


def _name_of(place: str) -> str:
    """The name of a file without its ending, or of a database in a URL without what may be a password."""
    stem = re.split(r"[?#]", place)[0].rstrip("/").rpartition("/")[2] if "://" in place else Path(place).stem
    return stem or "dataset"


def _day(now: dt.datetime | None) -> dt.date:
    return now.date() if now else dt.datetime.now().astimezone().date()
