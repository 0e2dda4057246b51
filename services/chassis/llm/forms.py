"""The request forms that endpoints accept, and which one to try after a refusal.

All are called OpenAI-compatible and differ in their support: schemas, JSON without a schema, neither; some accept
no temperature, no token count of a stream, no system message, or think aloud by default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from pydantic import BaseModel

from services.chassis.llm.model import Message


class Structure(IntEnum):
    """How a request asks for the shape of the answer."""

    SCHEMA = 0
    JSON = 1
    PLAIN = 2


@dataclass(frozen=True)
class Form:
    """The parts of a request. `quiet`: thinking is off; `merged`: the system message is part of the user's."""

    structure: Structure = Structure.SCHEMA
    temperature: bool = True
    counted: bool = True
    streamed: bool = True
    quiet: bool = False
    merged: bool = False

    def request(self, messages: Sequence[Message], answer: type[BaseModel] | None) -> dict[str, Any]:
        """The fields of a request; with `answer` None, for text."""
        asked = list(messages)
        fields: dict[str, Any] = {"temperature": 0 if answer else 0.2} if self.temperature else {}
        if answer is not None:
            schema = answer.model_json_schema()
            if self.structure is Structure.SCHEMA:
                named = {"name": answer.__name__, "schema": schema}
                fields["response_format"] = {"type": "json_schema", "json_schema": named}
            else:
                told = "Answer with one JSON object of this schema: " + json.dumps(schema)
                asked.insert(0, {"role": "system", "content": told})
            if self.structure is Structure.JSON:
                fields["response_format"] = {"type": "json_object"}
        elif self.streamed:
            fields |= {"stream": True} | ({"stream_options": {"include_usage": True}} if self.counted else {})
        if self.quiet:
            fields["enable_thinking"] = False
        return fields | {"messages": _merged(asked) if self.merged else asked}

    def lesser(self, complaint: str, structured: bool) -> Form | None:
        """The form to try after a refusal with this complaint; None if nothing is left to drop."""
        said = complaint.lower()
        for named, form in (
            ("enable_thinking", replace(self, quiet=True)),
            ("temperature", replace(self, temperature=False)),
            ("stream_options", replace(self, counted=False)),
        ):
            if named in said and form != self:
                return form
        if _ROLES.search(said) and not self.merged:
            return replace(self, merged=True)
        if structured and self.structure is not Structure.PLAIN:
            unknown = "response_format" in said and "json_schema" not in said and _UNKNOWN.search(said)
            return replace(self, structure=Structure.PLAIN if unknown else Structure(self.structure + 1))
        return replace(self, counted=False) if not structured and self.counted else None


FIRST = Form()
_UNKNOWN = re.compile(r"unknown|unrecognized|unexpected|not (?:permitted|allowed|supported)|extra")
_ROLES = re.compile(r"(?:system|developer).{0,40}(?:role|message|not supported)|roles must alternate")


def _merged(messages: Sequence[Message]) -> list[Message]:
    """The messages, with the system message prepended to the first user message."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if not rest or not system:
        return list(messages)
    first: Message = {"role": rest[0]["role"], "content": "\n\n".join([*system, rest[0]["content"]])}
    return [first, *rest[1:]]
