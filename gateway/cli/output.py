"""How a verb reports failure: one line on stderr in the verb's language, or one JSON object, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

DONE = 0
FELL_SHORT = 1
BAD_INPUT = 2
DEPENDENCY_DOWN = 3
INTERRUPTED = 130


def show(as_json: bool, body: Mapping[str, Any], lines: Sequence[str]) -> None:
    """Prints one JSON object, or the lines."""
    if as_json:
        import json

        click.echo(json.dumps(body, ensure_ascii=False))
    else:
        click.echo("\n".join(lines))


def report(error: Exception, *, as_json: bool) -> int | None:
    """Prints a member of the error tree and returns its exit code; None if `error` is not a member."""
    from services.chassis import errors

    if not isinstance(error, errors.DbdiagError):
        return None
    from gateway.cli.language import language

    message = error.text(language()) if error.key and not as_json else error.message
    _print(message, error.reason, {name: str(value) for name, value in error.details.items()}, as_json)
    if isinstance(error, errors.InvalidInput | errors.NotFound | errors.Precondition):
        return BAD_INPUT
    if isinstance(error, errors.DependencyDown | errors.DeadlinePassed | errors.TooBusy):
        return DEPENDENCY_DOWN
    return FELL_SHORT


def report_usage(error: click.ClickException, *, as_json: bool) -> int:
    """Prints a usage error with a pointer to the help; returns the exit code."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return BAD_INPUT
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = error.format_message()
    if context is not None:
        message = f"{message} (see `{context.command_path} --help`)"
    _print(message, "bad_usage", {}, as_json)
    return BAD_INPUT


def _print(message: str, reason: str, details: Mapping[str, str], as_json: bool) -> None:
    from gateway.cli.language import language
    from gateway.wording.error_words import in_language

    if as_json:
        # Loaded here: help and all that goes well are sooner without it.
        import json

        body = {"error": message, "reason": reason, "details": dict(details)}
        print(json.dumps(body, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"dbdiag: {in_language(' '.join(message.split()), language())}", file=sys.stderr)
