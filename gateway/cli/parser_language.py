"""The language of the command line's parser: click takes its templates from gettext, here they come from a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

import click

from gateway.cli.language import LanguageCode

_MODULES = (click.core, click.exceptions, click.parser, click.types)
# The values of a template that are words and not what was typed.
_WORDS = ("name", "number_type")


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

    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return cast("dict[str, str]", yaml.load(text, yaml.CSafeLoader))
