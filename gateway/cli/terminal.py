"""The conversation on a terminal: answers streamed as Markdown, a word on what is being done, line editing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from rich.console import Console, Group
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.spinner import Spinner
from rich.text import Text

from gateway.cli import failures
from gateway.cli.closing import CLOSE
from gateway.cli.conversation import (
    LEAVE,
    SERVER_COMMANDS,
    Conversation,
    is_leaving,
    lines_kept,
    printable,
    unknown_command,
)
from gateway.cli.events import Chunk, Final, Progress
from gateway.cli.phrases import LanguageCode, say, step_words
from services.chassis.errors import DbdiagError

SHOWN_OF_THE_PAST = 6


def run(talk: Conversation, words: LanguageCode, resume: str) -> int:
    """Talks until the person leaves, then says how to resume; `resume` is a command with `{session_id}` in it."""
    console = Console(highlight=False)
    if talk.session_id:
        _show_the_past(console, talk, words)
    else:
        console.print(Text(say(words, "welcome"), style="dim"))
    with _line_editing():
        while (message := _read(words)) is not None and not is_leaving(message):
            if message.strip():
                _turn(console, talk, words, message.strip())
    console.print()
    command = resume.format(session_id=talk.session_id)
    farewell = say(words, "how_to_resume", session_id=talk.session_id, command=command) if talk.session_id else None
    console.print(Text(farewell or say(words, "goodbye"), style="dim"))
    return failures.DONE


def _read(words: LanguageCode) -> str | None:
    while True:
        try:
            return input(say(words, "prompt"))
        except EOFError:
            return None
        except KeyboardInterrupt:
            print()


def _turn(console: Console, talk: Conversation, words: LanguageCode, message: str) -> None:
    unknown = unknown_command(message)
    if unknown:
        known = " ".join((*SERVER_COMMANDS, CLOSE, LEAVE[0]))
        console.print(Text(say(words, "unknown_command", command=unknown, known=known), style="yellow"))
        return
    try:
        text = _streamed(console, talk, words, message)
    except KeyboardInterrupt:
        console.print(Text(say(words, "stopped_waiting"), style="yellow"))
        return
    except DbdiagError as error:
        console.print(Text(say(words, "failed", message=printable(error.message)), style="red"))
        console.print(Text(say(words, "try_again"), style="dim"))
        return
    console.print(Padding(_markdown(text), (0, 0, 1, 2)))
    if message == SERVER_COMMANDS[0]:
        console.print(Text(say(words, "local_help"), style="dim"))


def _streamed(console: Console, talk: Conversation, words: LanguageCode, message: str) -> str:
    """The whole answer; while it comes, its last lines are shown and then taken away again."""
    text, spinner = "", Spinner("dots", Text(say(words, "thinking"), style="dim"))
    with Live(spinner, console=console, transient=True, refresh_per_second=12) as live:
        for event in talk.say(message):
            if isinstance(event, Progress):
                spinner.update(text=Text(step_words(words, event.step, printable(event.note)), style="dim"))
            elif isinstance(event, Chunk):
                text += printable(event.text)
                live.update(Group(Padding(_markdown(_tail(text, console.height)), (0, 0, 0, 2)), spinner))
            elif isinstance(event, Final):
                text = printable(str(event.body.get("message") or text))
    return text


def _markdown(text: str) -> Markdown:
    """Rendered Markdown that shows `<idle>` as it stands, where the default would take it for HTML and drop it."""
    rendered = Markdown(text)
    rendered.parsed = MarkdownIt("commonmark", {"html": False}).enable("table").parse(lines_kept(text))
    return rendered


def _tail(text: str, height: int) -> str:
    """The last lines of `text` that fit a screen of `height` lines; a live region must not outgrow it."""
    return "\n".join(text.split("\n")[-max(4, height // 2) :])


def _show_the_past(console: Console, talk: Conversation, words: LanguageCode) -> None:
    seen = talk.so_far()
    console.print(Text(say(words, "resuming", session_id=talk.session_id, turns=seen["turn"]), style="dim"))
    for entry in seen["dialogue"][-SHOWN_OF_THE_PAST:]:
        _show_utterance(console, entry, words)
    console.print(Rule(style="dim"))


def _show_utterance(console: Console, entry: Mapping[str, Any], words: LanguageCode) -> None:
    text = printable(str(entry.get("text", "")))
    if entry.get("speaker") == "user":
        console.print(Text(f"{say(words, 'you')} › {text}", style="bold"))
    else:
        console.print(Padding(_markdown(text), (0, 0, 1, 2)))


@contextlib.contextmanager
def _line_editing() -> Any:
    """History and editing where readline is present; what was typed stays in a file only its owner can read."""
    try:
        import readline
    except ImportError:
        yield
        return
    path = _history_file()
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(1000)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            readline.write_history_file(path)


def _history_file() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "dbdiag" / "history"
