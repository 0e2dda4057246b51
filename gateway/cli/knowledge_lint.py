"""`dbdiag knowledge lint`: what is valid and still not good in a library."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from gateway.cli import failures
from gateway.cli.knowledge_words import counted, say
from gateway.cli.knowledge_words import step as worded
from gateway.cli.speaking import language

if TYPE_CHECKING:
    from services.knowledge.lint.finding import Finding

_PATIENCE_SECONDS = 1.0
_COLORS = {"error": "red", "warning": "yellow", "hint": "cyan"}


@click.command(name="lint")
@click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="DIR",
    help="A library folder, or a shipped one by its name (`postgresql`, the default); may be given several times.",
)
@click.option(
    "--dsn",
    "dsns",
    multiple=True,
    metavar="URL",
    help="Run every query on this PostgreSQL too, in transactions that only read; may be given several times.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def lint(libraries: tuple[str, ...], dsns: tuple[str, ...], strict: bool, as_json: bool) -> int:
    """Find what weakens libraries: causes that look alike, words said of two things, queries that some version refuses.

    Exits with 1 when there is an error.
    """
    from services.knowledge.lint.lint import lint as find
    from services.knowledge.shipped import locate

    findings = find([locate(name) for name in libraries or ("postgresql",)], dsns, _progress())
    counts = Counter(str(finding.severity) for finding in findings)
    if as_json:
        click.echo(
            json.dumps({"findings": [asdict(found) for found in findings], "counts": counts}, ensure_ascii=False)
        )
    else:
        _show(findings, counts)
    failed = counts["error"] or (strict and counts["warning"])
    return failures.FELL_SHORT if failed else failures.DONE


def _show(findings: list[Finding], counts: Counter[str]) -> None:
    chinese = language() == "zh"
    for finding in findings:
        severity = click.style(str(finding.severity), fg=_COLORS[finding.severity])
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        what, advice = (finding.what_zh, finding.advice_zh) if chinese else (finding.what, finding.advice)
        click.echo(f"{place}: {severity} [{finding.rule}] {finding.entry} {finding.field}: {what}")
        click.echo(f"    {advice}")
    told = ", ".join(counted(counts[name], name) for name in _COLORS)
    click.echo(told if findings else say("nothing_found"))


def _progress() -> Callable[[str], None]:
    """Tells the step on stderr once the work has taken a second."""
    started = time.monotonic()

    def tell(step: str) -> None:
        if time.monotonic() - started > _PATIENCE_SECONDS:
            click.echo(f"{worded(step)} ...", err=True)
            sys.stderr.flush()

    return tell
