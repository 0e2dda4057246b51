"""The language that a verb speaks (`--lang`, else the locale) and its texts, which lie in the folders' `texts.yaml`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal, cast

import click

LanguageCode = Literal["zh", "en"]

# Kept beyond the command's own context: its failure is reported in the language that was asked for.
_chosen: ContextVar[str | None] = ContextVar("chosen", default=None)


class Texts:
    """The texts of one folder: `key: {en: ..., zh: ...}`, read when the first is needed."""

    def __init__(self, folder: str) -> None:
        self._path = Path(__file__).parent / folder / "texts.yaml"

    @cached_property
    def table(self) -> Mapping[str, Mapping[LanguageCode, str]]:
        """Every text by its key."""
        import yaml

        entries = yaml.load(self._path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        return cast("dict[str, dict[LanguageCode, str]]", entries)

    def say(self, key: str, spoken: LanguageCode | None = None, /, **values: object) -> str:
        """One text, filled in, in the language `spoken`; by default in the verb's."""
        return self.table[key][spoken or language()].format(**values)


def choose_language(wanted: str | None, environ: Mapping[str, str]) -> LanguageCode:
    """The language asked for, else the locale's: Chinese where it starts with zh, English elsewhere."""
    if wanted in ("zh", "en"):
        return "zh" if wanted == "zh" else "en"
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def add_option(command: click.Command) -> click.Command:
    """The same command with the option `--lang`; of a group, each of its verbs."""
    if isinstance(command, click.Group):
        for verb in command.commands.values():
            add_option(verb)
    elif not any(option.name == "lang" for option in command.params):
        command.params.append(
            click.Option(
                ["--lang"],
                type=click.Choice(["zh", "en"]),
                expose_value=False,
                help="Speak Chinese or English. [default: the locale's]",
            )
        )
    return command


@contextmanager
def spoken_as(arguments: Sequence[str]) -> Iterator[LanguageCode]:
    """The language that the arguments ask for, taken before they are parsed, so that usage errors are in it too.

    The option is `--lang`, in a chat `--language`.
    """
    given = dict(pairwise(arguments)) | dict(word.split("=", 1) for word in arguments if "=" in word)
    before = _chosen.set(given.get("--lang") or given.get("--language"))
    try:
        yield language()
    finally:
        _chosen.reset(before)


def language() -> LanguageCode:
    """The language of the verb that runs, or that has just failed."""
    return choose_language(_chosen.get(), os.environ)
