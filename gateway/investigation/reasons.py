"""The reason why a check brought nothing, in a person's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.chassis.messages import Message, from_plain, is_key
from services.chassis.problems import verbatim


def read_failure(reason: str, message: Mapping[str, Any] | None) -> Message:
    """The reason as a message; its English text if it has no key and details, as in older documents."""
    try:
        found = from_plain(message or {})
        # Renders it once: a damaged document may lack details.
        found.text()
        return found
    except (KeyError, TypeError, AttributeError):
        code, colon, words = reason.partition(": ")
        return verbatim(words if colon and is_key(code) else reason)


def render_reason(reason: str, message: Mapping[str, Any] | None, language: str) -> str:
    """The reason in a language. English keeps the code in front of the text, as the contract has it."""
    if language == "zh" and message:
        return read_failure(reason, message).text(language)
    code, colon, words = reason.partition(": ")
    return f"{code.replace('_', ' ')}{colon}{words}" if colon and is_key(code) else reason
