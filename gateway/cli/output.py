"""How a verb reports failure: one line on stderr in the verb's language, or one JSON object, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import click

from gateway.cli.language import LanguageCode, language
from services.chassis.messages import Detail, Message

DONE = 0
FELL_SHORT = 1
BAD_INPUT = 2
DEPENDENCY_DOWN = 3
INTERRUPTED = 130
_MODULES = (click.core, click.exceptions, click.parser, click.types)
# The values of a template that are words and not what was typed.
_WORDS = ("name", "number_type")


def show(as_json: bool, body: Mapping[str, Any], lines: Sequence[str]) -> None:
    """Prints one JSON object, or the lines."""
    if as_json:
        import json

        click.echo(json.dumps(body, ensure_ascii=False))
    else:
        click.echo("\n".join(lines))


class BadUsage(click.UsageError):
    """Options or arguments that do not go together, as a message."""

    def __init__(self, key: str, **details: Detail) -> None:
        super().__init__(Message(key, details).text())
        self.as_message = Message(key, details)


def report(error: Exception, *, as_json: bool) -> int | None:
    """Prints a member of the error tree and returns its exit code; None if `error` is not a member."""
    from services.chassis import errors

    if not isinstance(error, errors.DbdiagError):
        return None
    _print(error.as_message, error.reason, {name: str(value) for name, value in error.details.items()}, as_json)
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
    if isinstance(error, BadUsage):
        message = error.as_message
    else:
        words = error.format_message()
        message = Message("verbatim", {"words": words if as_json or language() == "en" else finish(words)})
    if isinstance(error, click.UsageError) and error.ctx is not None:
        message = Message("bad_usage.see_help", {"problem": message, "command": error.ctx.command_path})
    _print(message, "bad_usage", {}, as_json)
    return BAD_INPUT


def _print(message: Message, reason: str, details: Mapping[str, str], as_json: bool) -> None:
    if as_json:
        # Loaded here: help and all that goes well are sooner without it.
        import json

        body = {"error": message.text(), "reason": reason, "details": dict(details)}
        print(json.dumps(body, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"dbdiag: {' '.join(message.text(language()).split())}", file=sys.stderr)


def set_language(language: LanguageCode) -> None:
    """Makes click word its errors in this language from now on."""
    for module in _MODULES:
        vars(module).update(_=_look_up if language == "zh" else str, ngettext=_plural(language))


def _plural(language: LanguageCode) -> object:
    def choose(singular: str, plural: str, count: int) -> str:
        text = singular if count == 1 else plural
        return _look_up(text) if language == "zh" else text

    return choose


class _Chinese(str):
    """A template that translates the words filled into it as well."""

    def format(self, *args: object, **values: object) -> str:
        words = {name: _table().get(str(values[name]), values[name]) for name in _WORDS if name in values}
        return super().format(*args, **values | words)


def _look_up(template: str) -> str:
    return _Chinese(_table().get(template, template))


def finish(message: str) -> str:
    """A Chinese message with the full stops that click writes by itself."""
    return (f"{message[:-1]}。" if message.endswith(".") else message).replace("。 ", "。")


@cache
def _table() -> Mapping[str, str]:
    import yaml

    text = Path(__file__).with_name("parser_language.yaml").read_text(encoding="utf-8")
    return cast("dict[str, str]", yaml.load(text, yaml.CSafeLoader))
