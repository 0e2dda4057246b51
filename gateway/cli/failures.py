"""How a failed verb ends: one tidy line on stderr in the person's language, or one JSON object, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

DONE = 0
FELL_SHORT = 1
BAD_INPUT = 2
DEPENDENCY_DOWN = 3
INTERRUPTED = 130


def report(error: Exception, *, as_json: bool) -> int | None:
    """Prints a member of the error tree and returns its exit code; None when `error` is no member."""
    from services.chassis import errors

    if not isinstance(error, errors.DbdiagError):
        return None
    _print(error.message, error.reason, error.details, as_json)
    if isinstance(error, errors.InvalidInput | errors.NotFound | errors.Precondition):
        return BAD_INPUT
    if isinstance(error, errors.DependencyDown | errors.DeadlinePassed | errors.TooBusy):
        return DEPENDENCY_DOWN
    return FELL_SHORT


def report_usage(error: click.ClickException, *, as_json: bool) -> int:
    """Prints what was wrong with the command line and where its help is; returns the exit code."""
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
    from gateway.cli.speaking import language
    from gateway.wording.error_words import in_language

    if as_json:
        # Loaded here: help and all that goes well are sooner without it.
        import json

        body = {"error": message, "reason": reason, "details": dict(details)}
        print(json.dumps(body, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"dbdiag: {in_language(' '.join(message.split()), language())}", file=sys.stderr)
