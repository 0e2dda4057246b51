"""One conversation from the command line: its session, and the commands that are handled locally."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from gateway.cli.chat.events import Event, Final
from gateway.cli.language import LanguageCode, Texts
from services.chassis.errors import DbdiagError, InvalidInput

SERVER_COMMANDS = ("/help", "/status", "/history", "/why", "/look", "/undo", "/reset")
LEAVE = ("/exit", "/quit", "exit", "quit")
_COMMAND = re.compile(r"/[a-z]+")
_ITEM = re.compile(r"(?:[-*]|\d+[.)])\s")
# Control characters, except for line ends and tabs.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
say = Texts("chat").say
CLOSE = "/close"
_CAUSE = re.compile(r"(RC-\d+)\b\s*", re.IGNORECASE)
_HAN = re.compile(r"[一-鿿]")


class Speaker(Protocol):
    """The other side of a conversation; see `gateway.cli.chat.client.Gateway`."""

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
        """The result of closing the case."""


class Conversation:
    """Talks in one session; without one, the first answer starts it."""

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
        # Sent until an answer shows that the session has it.
        self._target = target
        self.session_id = session_id
        # The last turn seen; None before the first, and after an answer that was not awaited.
        self._turn: int | None = None

    def say(self, message: str) -> Iterator[Event]:
        """Sends `message`, yields the answer's events, and remembers which session it became.

        `/close` closes the case instead.
        """
        if is_closing(message):
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
            # The error of a stale turn brings the current turn.
            self._turn = int(str(error.details["turn"])) if "turn" in error.details else seen
            raise

    def _close(self, message: str) -> Final:
        wanted = read_request(message, self.session_id, self._language)
        body = self._speaker.close_case(self.session_id or "", wanted)
        text = render_reply(body, self._language)
        return Final({"session_id": self.session_id, "turn": self._turn, "message": text, "closed": body})

    def so_far(self) -> Mapping[str, Any]:
        """The reply of GET /sessions/{id} for this session. Raises NotFound."""
        seen = self._speaker.session(self.session_id or "")
        self._turn = seen.get("turn")
        return seen


class NewRequestId(Protocol):
    """Makes unique request ids."""

    def __call__(self) -> str:
        """A new one."""


def is_leaving(message: str) -> bool:
    """Whether the message ends the conversation."""
    return message.strip().lower() in LEAVE


def unknown_command(message: str) -> str | None:
    """The unknown slash command in `message`; None for a known one or no command."""
    word = message.strip().lower()
    if _COMMAND.fullmatch(word) and word not in (*SERVER_COMMANDS, CLOSE, *LEAVE):
        return word
    return None


def strip_controls(text: str) -> str:
    """`text` without terminal control sequences, which tickets and messages may contain."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def keep_lines(text: str) -> str:
    """Markdown that keeps each line of `text` on a line of its own.

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


def is_closing(message: str) -> bool:
    """Whether a message closes the case."""
    return message.strip().split(maxsplit=1)[:1] == [CLOSE]


def read_request(message: str, session_id: str | None, language: LanguageCode | None) -> dict[str, Any]:
    """The body for `/close RC-0001 what helped`, or for `/close a cause in words`.

    Raises InvalidInput when nothing follows, or when there is no session yet.
    """
    if not session_id:
        raise InvalidInput("invalid_request.nothing_to_close")
    words = message.strip().removeprefix(CLOSE).strip()
    if not words:
        raise InvalidInput("invalid_request.how_to_close")
    named = _CAUSE.match(words)
    body = {"root_cause": words}
    if named:
        rest = words[named.end() :]
        body = {"root_cause_id": named[1].upper(), **({"solution": rest} if rest else {})}
    return {**body, **({"language": language} if language else {})}


def render_reply(body: Mapping[str, Any], language: LanguageCode | None) -> str:
    """The text for the reply, in the chosen language or the case's."""
    proposal = body["proposal"]
    spoken = language or ("zh" if _HAN.search(f"{proposal['complaint']}{proposal['solution']}") else "en")
    known = {"cause": proposal["root_cause_id"], "proposal": proposal["proposal_id"]}
    lines = [say("closed", spoken, **known)]
    preview = body.get("preview")
    lines.append(_preview(preview, known["cause"], spoken) if preview else say("closed_without_preview", spoken))
    if proposal["quarantined"]:
        lines.append(say("closed_quarantined", spoken))
    if proposal["held_out"]:
        lines.append(say("closed_held_out", spoken))
    return "\n".join(lines)


def _preview(preview: Mapping[str, Any], cause: str, language: LanguageCode) -> str:
    own = next((item for item in preview["beliefs"] if item["root_cause_id"] == cause), None)
    before, after = (own["confidence_before"], own["confidence_after"]) if own else (0.0, 0.0)
    past = preview["past_cases"]
    return say(
        "closed_preview",
        language,
        cause=cause,
        before=before,
        after=after,
        changed=len(past["changed"]),
        replayed=past["replayed"],
    )
