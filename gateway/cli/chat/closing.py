"""`/close` in a conversation: the request to the gateway, and the text for its reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateway.cli.language import LanguageCode, Texts
from services.chassis.errors import InvalidInput

say = Texts("chat").say
CLOSE = "/close"
_CAUSE = re.compile(r"(RC-\d+)\b\s*", re.IGNORECASE)
_HAN = re.compile(r"[一-鿿]")


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
