"""Bodies from outside: read with a limit, decoded strictly, checked by pydantic, refused in the caller's terms."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Annotated, Any, Self, TypeVar

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from gateway.closing import Verdict
from gateway.conversation import ChatMessage
from gateway.http.problems import BadBody
from gateway.language import Language
from services.chassis.errors import InvalidInput

MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARACTERS = 20_000
MAX_CLOSING_CHARACTERS = 2000

_ONE_CAUSE = {
    Language.ZH: "root_cause_id 和 root_cause 给一个：已知根因的编号，或者新根因的描述",
    Language.EN: "give one of root_cause_id (a known cause) and root_cause (the description of a new one)",
}

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f\ud800-\udfff]")


def _readable(text: str) -> str:
    found = _CONTROL.search(text)
    if found is not None:
        raise ValueError(f"contains a control character (U+{ord(found[0]):04X} at position {found.start()})")
    if not text.strip():
        raise ValueError("is empty; say what you see")
    return text


Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9._:-]+$")]


_TARGET = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"


class ChatBody(BaseModel):
    """A message. Without session_id a new session begins; the same request_id twice is answered once.

    With `turn`, the number of the last turn that the sender saw, a message that comes after another one was answered is
    refused with 409 `turn_passed` and nothing is recorded; the problem's `turn` and `pending` are what holds now.
    """

    model_config = ConfigDict(extra="forbid")

    message: Annotated[str, StringConstraints(max_length=MAX_MESSAGE_CHARACTERS), AfterValidator(_readable)] = Field(
        examples=["线上报表查询突然变慢", "the app cannot get connections"]
    )
    session_id: Identifier | None = None
    request_id: Identifier | None = None
    language: Language | None = None
    turn: Annotated[int, Field(ge=0, strict=True)] | None = Field(
        default=None, description="The last turn that the sender saw; 409 when it is not the last one any more."
    )

    target: Annotated[str, StringConstraints(pattern=_TARGET)] | None = Field(
        default=None, description="The target that the session is to look at from here on, by its id; 422 for no such."
    )

    def chat_message(self) -> ChatMessage:
        """As the conversations want it."""
        return ChatMessage(self.message, self.session_id, self.request_id, self.language, self.turn, self.target)


_Words = Annotated[str, StringConstraints(max_length=MAX_CLOSING_CHARACTERS), AfterValidator(_readable)]


_RootCauseId = Annotated[str, StringConstraints(pattern=r"^RC-\d{1,9}$")]


class CloseBody(BaseModel):
    """What the case was: a root cause by its id, or described in words when it is new; and what helped."""

    model_config = ConfigDict(extra="forbid")

    root_cause_id: _RootCauseId | None = Field(default=None, examples=["RC-0001"])
    root_cause: _Words | None = None
    solution: _Words | None = None
    language: Language | None = None

    @model_validator(mode="after")
    def _one_cause(self) -> Self:
        if (self.root_cause_id is None) == (self.root_cause is None):
            raise ValueError(_ONE_CAUSE[self.language or Language.EN])
        return self

    def verdict(self) -> Verdict:
        """As the closings want it."""
        return Verdict(self.root_cause_id or "", self.root_cause or "", self.solution or "", self.language)


class ReviewBody(BaseModel):
    """Who decides on a proposal, and why. A quarantined one is accepted only with from_quarantine.

    With root_cause_id it is accepted as that known cause, whatever was proposed.
    """

    model_config = ConfigDict(extra="forbid")

    reviewer: Annotated[str, StringConstraints(max_length=128), AfterValidator(_readable)]
    reason: _Words | None = None
    from_quarantine: bool = False
    root_cause_id: _RootCauseId | None = None


Body = TypeVar("Body", bound=BaseModel)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """The request's JSON as `kind`. Raises BadBody (400, 413) or InvalidInput (422) naming the field."""
    raw = await _read(request)
    try:
        data: Any = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        detail = f"the body is not UTF-8 (byte {error.start}); send JSON encoded as UTF-8"
        raise BadBody(detail, "invalid_utf8", HTTPStatus.BAD_REQUEST) from None
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" at line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadBody(f"the body is not valid JSON{where}", "malformed_json", HTTPStatus.BAD_REQUEST) from None
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "the body"
        raise InvalidInput(f"{field}: {first['msg'].removeprefix('Value error, ')}", reason="invalid_body") from None


async def _read(request: Request) -> bytes:
    too_large = BadBody(
        f"the body is larger than {MAX_BODY_BYTES // 1024} KiB; send the relevant lines only",
        "body_too_large",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    )
    stated = request.headers.get("content-length", "0")
    if stated.isdigit() and int(stated) > MAX_BODY_BYTES:
        raise too_large
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MAX_BODY_BYTES:
            raise too_large
    return bytes(raw)
