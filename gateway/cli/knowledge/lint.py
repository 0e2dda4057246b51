"""`dbdiag knowledge lint`: weaknesses of valid libraries."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.knowledge.files import count_things, say
from gateway.cli.knowledge.files import step as worded
from gateway.cli.language import language
from gateway.cli.options import JSON, LIBRARIES_OR_POSTGRESQL

if TYPE_CHECKING:
    from services.knowledge.files import Finding

_PATIENCE_SECONDS = 1.0
_COLORS = {"error": "red", "warning": "yellow", "hint": "cyan"}


@click.command(name="lint")
@LIBRARIES_OR_POSTGRESQL
@click.option(
    "--dsn",
    "dsns",
    multiple=True,
    metavar="URL",
    help="Also run every query on this PostgreSQL, in read-only transactions; repeatable.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings as well.")
@JSON
def lint(libraries: tuple[str, ...], dsns: tuple[str, ...], strict: bool, as_json: bool) -> int:
    """Find weaknesses of libraries: causes that look alike, ambiguous aliases, queries that fail on some version.

    Exits with 1 when there is an error.
    """
    from services.engine.tables.parameters import DEFAULT_PARAMETERS
    from services.knowledge.files import lint as find
    from services.knowledge.files import locate

    paths = [locate(name) for name in libraries or ("postgresql",)]
    findings = find(paths, DEFAULT_PARAMETERS.expert_rates, dsns, _progress())
    counts = Counter(str(finding.severity) for finding in findings)
    if as_json:
        click.echo(
            json.dumps({"findings": [asdict(found) for found in findings], "counts": counts}, ensure_ascii=False)
        )
    else:
        _show(findings, counts)
    failed = counts["error"] or (strict and counts["warning"])
    return output.FELL_SHORT if failed else output.DONE


def _show(findings: list[Finding], counts: Counter[str]) -> None:
    chinese = language() == "zh"
    for finding in findings:
        severity = click.style(str(finding.severity), fg=_COLORS[finding.severity])
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        what, advice = (finding.what_zh, finding.advice_zh) if chinese else (finding.what, finding.advice)
        click.echo(f"{place}: {severity} [{finding.rule}] {finding.entry} {finding.field}: {what}")
        click.echo(f"    {advice}")
    told = ", ".join(count_things(counts[name], name) for name in _COLORS)
    click.echo(told if findings else say("nothing_found"))


def _progress() -> Callable[[str], None]:
    """Prints the step on stderr once the work has taken a second."""
    started = time.monotonic()

    def tell(step: str) -> None:
        if time.monotonic() - started > _PATIENCE_SECONDS:
            click.echo(f"{worded(step)} ...", err=True)
            sys.stderr.flush()

    return tell
