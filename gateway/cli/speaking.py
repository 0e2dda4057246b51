"""Which language a verb speaks: `--lang`, else what the locale says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextvars import ContextVar
from itertools import pairwise
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gateway.cli.phrases import LanguageCode

# Kept beyond the command's own context, so that its failure is told in the language that was asked for.
_chosen: ContextVar[str | None] = ContextVar("chosen", default=None)


def speaking(command: click.Command) -> click.Command:
    """The same command, with the option `--lang`; of a group, each of its verbs."""
    if isinstance(command, click.Group):
        for verb in command.commands.values():
            speaking(verb)
    elif not any(option.name == "lang" for option in command.params):
        command.params.append(
            click.Option(
                ["--lang"],
                type=click.Choice(["zh", "en"]),
                expose_value=False,
                is_eager=True,
                callback=_choose,
                help="Speak Chinese or English. [default: as the locale says]",
            )
        )
    return command


def _choose(ctx: click.Context, _: click.Parameter, wanted: str | None) -> None:
    _chosen.set(wanted)


def begin(arguments: Sequence[str]) -> None:
    """Before a verb is read: what its words ask for, so that also what is wrong with them is told in it."""
    after = dict(pairwise(arguments)).get("--lang")
    _chosen.set(next((word.partition("=")[2] for word in arguments if word.startswith("--lang=")), after))


def language() -> LanguageCode:
    """What the running verb speaks, or the one that has just failed."""
    from gateway.cli.phrases import choose_language

    return choose_language(_chosen.get(), os.environ)
