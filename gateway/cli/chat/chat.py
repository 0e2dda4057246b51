"""`dbdiag chat`: a conversation on the terminal, or one message a line from a script."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli.language import LanguageCode, Texts, choose_language

if TYPE_CHECKING:
    from gateway.cli.chat.client import Gateway

say = Texts("chat").say
DEFAULT_URL = "http://127.0.0.1:8080"
FOLDER = Path(".dbdiag")


@click.command()
@click.option("--session", "session_id", metavar="ID", help="Resume this session.")
@click.option("--url", envvar="DBDIAG_URL", metavar="URL", help=f"The gateway. [default: {DEFAULT_URL}, else its own]")
@click.option("--target", help="The gateway's target to investigate on request. [default: its only database]")
@click.option(
    "--language", type=click.Choice(["zh", "en"]), help="The language of answers. [default: the language you write in]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a turn.")
def chat(
    session_id: str | None, url: str | None, target: str | None, language: LanguageCode | None, as_json: bool
) -> int:
    """Talk a fault through to its root cause.

    On a terminal: a conversation. Otherwise each line of standard input is one message, and answers are plain text.
    A line is a message: output of many lines is pasted into the page instead.
    Where no gateway runs, chat starts the services for itself, with their data in ./.dbdiag.
    A gateway that requires a token gets the one in DBDIAG_TOKEN.
    """
    import uuid

    from gateway.cli.chat.conversation import Conversation

    words = choose_language(language, os.environ)
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(_open_gateway(url, words))
        talk = Conversation(
            gateway, session_id=session_id, language=language, new_id=lambda: uuid.uuid4().hex, target=target
        )
        if as_json or not sys.stdin.isatty():
            from gateway.cli.chat import script

            return script.run(talk, sys.stdin, sys.stdout, as_json=as_json)
        from gateway.cli.chat import terminal

        resume = f"dbdiag chat --session {{session_id}}{f' --url {url}' if url else ''}"
        return terminal.run(talk, words, resume)


@contextlib.contextmanager
def _open_gateway(url: str | None, words: LanguageCode) -> Iterator[Gateway]:
    from gateway.cli.chat.client import Gateway

    token = _token()
    gateway = Gateway(url or DEFAULT_URL, token, words)
    try:
        if url or gateway.is_ready():
            yield gateway
            return
    finally:
        gateway.close()
    with _start_gateway(words, token) as own:
        yield own


def _token() -> str | None:
    """The token as a gateway that is started here would read it."""
    from gateway.settings import GatewaySettings
    from services.chassis.settings import load

    # DBDIAG_URL is for the command line and no setting.
    environ = {name: value for name, value in os.environ.items() if name != "DBDIAG_URL"}
    token = load(GatewaySettings, environ).token
    return token.get_secret_value() if token else None


@contextlib.contextmanager
def _start_gateway(words: LanguageCode, token: str | None) -> Iterator[Gateway]:
    import time

    from gateway.cli.chat import private_services
    from gateway.cli.chat.client import Gateway

    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        with _show_waiting(say("starting", words, folder=FOLDER)):
            url = stack.enter_context(private_services.run_services(FOLDER))
        print(say("started", words, seconds=time.monotonic() - started, folder=FOLDER), file=sys.stderr)
        own = Gateway(url, token, words)
        stack.callback(own.close)
        yield own


@contextlib.contextmanager
def _show_waiting(text: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        print(text, file=sys.stderr)
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
