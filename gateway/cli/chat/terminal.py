"""The conversation on a terminal: answers streamed as Markdown, progress, line editing."""

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

from gateway.cli import output
from gateway.cli.chat.conversation import (
    CLOSE,
    LEAVE,
    SERVER_COMMANDS,
    Conversation,
    is_leaving,
    keep_lines,
    strip_controls,
    unknown_command,
)
from gateway.cli.chat.events import Chunk, Final, Progress
from gateway.cli.language import LanguageCode, Texts
from services.chassis.errors import DbdiagError

say = Texts("chat").say
_STEPS = (
    ("collect", "step_collect"),
    ("match", "step_match"),
    ("diagnose", "step_diagnose"),
    ("respond", "step_respond"),
    ("decide", "step_understand"),
    ("understand", "step_understand"),
    ("query", "step_query"),
    ("show", "step_query"),
    ("explain", "step_query"),
    ("what_if", "step_query"),
)
SHOWN_OF_THE_PAST = 6


def run(talk: Conversation, words: LanguageCode, resume: str) -> int:
    """Runs the conversation to its end, then prints how to resume it; `resume`: a command with `{session_id}` in it."""
    console = Console(highlight=False)
    if talk.session_id:
        _show_the_past(console, talk, words)
    else:
        console.print(Text(say("welcome", words), style="dim"))
    with _line_editing():
        while (message := _read(words)) is not None and not is_leaving(message):
            if message.strip():
                _turn(console, talk, words, message.strip())
    console.print()
    command = resume.format(session_id=talk.session_id)
    farewell = say("how_to_resume", words, session_id=talk.session_id, command=command) if talk.session_id else None
    console.print(Text(farewell or say("goodbye", words), style="dim"))
    return output.DONE


def _read(words: LanguageCode) -> str | None:
    while True:
        try:
            return input(say("prompt", words))
        except EOFError:
            return None
        except KeyboardInterrupt:
            print()


def _turn(console: Console, talk: Conversation, words: LanguageCode, message: str) -> None:
    unknown = unknown_command(message)
    if unknown:
        known = " ".join((*SERVER_COMMANDS, CLOSE, LEAVE[0]))
        console.print(Text(say("unknown_command", words, command=unknown, known=known), style="yellow"))
        return
    try:
        text = _stream(console, talk, words, message)
    except KeyboardInterrupt:
        console.print(Text(say("stopped_waiting", words), style="yellow"))
        return
    except DbdiagError as error:
        console.print(Text(say("failed", words, message=strip_controls(error.text(words))), style="red"))
        console.print(Text(say("try_again", words), style="dim"))
        return
    console.print(Padding(_markdown(text), (0, 0, 1, 2)))
    if message == SERVER_COMMANDS[0]:
        console.print(Text(say("local_help", words), style="dim"))


def _stream(console: Console, talk: Conversation, words: LanguageCode, message: str) -> str:
    """The whole answer; its last lines are shown while it arrives, then cleared."""
    text, spinner = "", Spinner("dots", Text(say("thinking", words), style="dim"))
    with Live(spinner, console=console, transient=True, refresh_per_second=12) as live:
        for event in talk.say(message):
            if isinstance(event, Progress):
                spinner.update(text=Text(step_words(words, event.step, strip_controls(event.note)), style="dim"))
            elif isinstance(event, Chunk):
                text += strip_controls(event.text)
                live.update(Group(Padding(_markdown(_tail(text, console.height)), (0, 0, 0, 2)), spinner))
            elif isinstance(event, Final):
                text = strip_controls(str(event.body.get("message") or text))
    return text


def step_words(words: LanguageCode, step: str, note: str = "") -> str:
    """The text for a step of the turn and its current detail; a step without one is reported as work in progress."""
    key = next((key for word, key in _STEPS if word in step.lower()), "thinking")
    return f"{say(key, words)} · {note}" if note else say(key, words)


def _markdown(text: str) -> Markdown:
    """Rendered Markdown that shows `<idle>` literally, where the default would drop it as HTML."""
    rendered = Markdown(text)
    rendered.parsed = MarkdownIt("commonmark", {"html": False}).enable("table").parse(keep_lines(text))
    return rendered


def _tail(text: str, height: int) -> str:
    """The last lines of `text` that fit a screen of `height` lines."""
    return "\n".join(text.split("\n")[-max(4, height // 2) :])


def _show_the_past(console: Console, talk: Conversation, words: LanguageCode) -> None:
    seen = talk.so_far()
    console.print(Text(say("resuming", words, session_id=talk.session_id, turns=seen["turn"]), style="dim"))
    for entry in seen["dialogue"][-SHOWN_OF_THE_PAST:]:
        _show_utterance(console, entry, words)
    console.print(Rule(style="dim"))


def _show_utterance(console: Console, entry: Mapping[str, Any], words: LanguageCode) -> None:
    text = strip_controls(str(entry.get("text", "")))
    if entry.get("speaker") == "user":
        console.print(Text(f"{say('you', words)} › {text}", style="bold"))
    else:
        console.print(Padding(_markdown(text), (0, 0, 1, 2)))


@contextlib.contextmanager
def _line_editing() -> Any:
    """Line editing and history where readline is present; the history file is readable by its owner only."""
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
