"""One conversation from the command line: the session it belongs to, and the words that stay on this side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from gateway.cli import closing
from gateway.cli.events import Event, Final
from gateway.cli.phrases import LanguageCode
from services.chassis.errors import DbdiagError

SERVER_COMMANDS = ("/help", "/status", "/history", "/why", "/look", "/undo", "/reset")
LEAVE = ("/exit", "/quit", "exit", "quit")

_COMMAND = re.compile(r"/[a-z]+")
_ITEM = re.compile(r"(?:[-*]|\d+[.)])\s")
# Everything a terminal would obey rather than show, but for line ends and tabs.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Speaker(Protocol):
    """Whoever answers: `gateway.cli.remote.Gateway`."""

    def session(self, session_id: str) -> Mapping[str, Any]:
        """The dialogue so far."""

    def say(
        self,
        message: str,
        *,
        session_id: str | None,
        request_id: str,
        language: str | None,
        turn: int | None,
        target: str | None = None,
    ) -> Iterator[Any]:
        """The events of an answer."""

    def close_case(self, session_id: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """What became of closing the case."""


class Conversation:
    """Talks in one session; the first answer names it when none is given."""

    def __init__(
        self,
        speaker: Speaker,
        *,
        session_id: str | None,
        language: LanguageCode | None,
        new_id: NewRequestId,
        target: str | None = None,
    ) -> None:
        self._speaker = speaker
        self._language = language
        self._new_id = new_id
        # Told until an answer shows that the session has it.
        self._target = target
        self.session_id = session_id
        # The last turn that was seen; None where none was, or where an answer was not waited for.
        self._turn: int | None = None

    def say(self, message: str) -> Iterator[Event]:
        """Sends `message`, yields the answer's events, and remembers which session it became.

        `/close` closes the case instead.
        """
        if closing.is_closing(message):
            yield self._close(message)
            return
        seen, self._turn = self._turn, None
        events = self._speaker.say(
            message,
            session_id=self.session_id,
            request_id=self._new_id(),
            language=self._language,
            turn=seen,
            target=self._target,
        )
        try:
            for event in events:
                if isinstance(event, Final):
                    self.session_id = str(event.body.get("session_id") or self.session_id or "") or None
                    self._turn, self._target = event.body.get("turn"), None
                yield event
        except DbdiagError as error:
            # Who is told that the conversation went on is told the list that holds now.
            self._turn = int(error.details["turn"]) if "turn" in error.details else seen
            raise

    def _close(self, message: str) -> Final:
        wanted = closing.asked(message, self.session_id, self._language)
        body = self._speaker.close_case(self.session_id or "", wanted)
        text = closing.told(body, self._language)
        return Final({"session_id": self.session_id, "turn": self._turn, "message": text, "closed": body})

    def so_far(self) -> Mapping[str, Any]:
        """What GET /sessions/{id} says of this session; raises NotFound when there is none."""
        seen = self._speaker.session(self.session_id or "")
        self._turn = seen.get("turn")
        return seen


class NewRequestId(Protocol):
    """Makes an id that no other message has."""

    def __call__(self) -> str:
        """A new one."""


def is_leaving(message: str) -> bool:
    """Whether the person wants out."""
    return message.strip().lower() in LEAVE


def unknown_command(message: str) -> str | None:
    """The slash command in `message` that nobody knows; None when it is a known one or no command."""
    word = message.strip().lower()
    if _COMMAND.fullmatch(word) and word not in (*SERVER_COMMANDS, closing.CLOSE, *LEAVE):
        return word
    return None


def printable(text: str) -> str:
    """`text` without what would steer a terminal: texts of tickets and people are shown, never obeyed."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def lines_kept(text: str) -> str:
    """Markdown in which each line of `text` stays a line of its own: an answer's line ends are meant.

    Left alone, Markdown would join lines, and take "2. ..." under a sentence for a part of it.
    """
    kept: list[str] = []
    fenced = listing = False
    for line in text.split("\n"):
        opens = line.lstrip().startswith("```")
        if not fenced and line.strip() and not line.startswith(" "):
            if bool(_ITEM.match(line)) != listing:
                kept.append("")
            listing = bool(_ITEM.match(line))
        kept.append(line if fenced or opens or not line.strip() else f"{line}  ")
        fenced ^= opens
    return "\n".join(kept)
