"""What the errors mean by which a server refuses a statement, and how to run it right."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from services.planner.model import Text

_FILE = Path(__file__).with_name("server_errors.yaml")


class ServerError(NamedTuple):
    """An error by words of its message. step: the statement is to be run again, as the text says."""

    words: tuple[str, ...]
    text: Text
    step: bool


@cache
def _errors() -> tuple[ServerError, ...]:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    entries = content.values()
    return tuple(
        ServerError(tuple(each["words"]), Text(each["zh"], each["en"]), bool(each.get("step"))) for each in entries
    )


def error_in(message: str) -> ServerError | None:
    """The error of a server that a message quotes; None where it quotes none that is known."""
    said = message.lower()
    return next((each for each in _errors() if any(words in said for words in each.words)), None)


def with_refusal(said: str, message: str) -> str:
    """The person's own words, with the line of the message behind them by which a server refuses a statement."""
    lines = (line.strip() for line in message.splitlines() if line.strip() not in said)
    refused = next((line for line in lines if "|" not in line and error_in(line)), "")
    return f"{said}\n{refused}" if refused and not error_in(said) else said
