"""The conversation for scripts: reads one message a line, writes plain text or one JSON object a turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from gateway.cli import output
from gateway.cli.chat.conversation import Conversation, is_leaving, strip_controls
from gateway.cli.chat.events import Final
from services.chassis.errors import DbdiagError


def run(talk: Conversation, messages: Iterable[str], out: TextIO, *, as_json: bool) -> int:
    """Says each line and prints each answer; the exit code is the first failure's, or 0.

    A message that is refused does not end the conversation; a gateway that is gone does.
    """
    outcome, answered = output.DONE, False
    for line in messages:
        message = line.strip()
        if not message:
            continue
        if is_leaving(message):
            break
        try:
            body = _answer(talk, message)
        except DbdiagError as error:
            code = output.report(error, as_json=as_json) or output.FELL_SHORT
            outcome = outcome or code
            if code == output.DEPENDENCY_DOWN:
                break
            continue
        answered = True
        print(json.dumps(body, ensure_ascii=False) if as_json else _text(body), file=out, flush=True)
    if answered and not as_json:
        print(f"dbdiag: session {talk.session_id}", file=sys.stderr)
    return outcome


def _answer(talk: Conversation, message: str) -> Mapping[str, Any]:
    body: Mapping[str, Any] = {}
    for event in talk.say(message):
        if isinstance(event, Final):
            body = event.body
    return body


def _text(body: Mapping[str, Any]) -> str:
    return strip_controls(str(body.get("message", ""))).rstrip("\n") + "\n"
