"""Request bodies: size limit, strict decoding, validation, and errors that name the field."""

from __future__ import annotations

import json
import re
import sys
from http import HTTPStatus
from typing import Annotated, Any, Self, TypeVar

from dbdiag.planner.v1.planner_types import Language
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from starlette.requests import Request

from gateway.cases.closing import Verdict
from gateway.http.problems import BadBody, WrongValue, describe_first
from gateway.http.request_language import prefer_language
from gateway.turn.conversations import ChatMessage
from services.chassis.errors import InvalidInput
from services.chassis.messages import Detail, Message

MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARACTERS = 200_000
MAX_CLOSING_CHARACTERS = 2000

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f\ud800-\udfff]")


def _readable(text: str) -> str:
    found = _CONTROL.search(text)
    if found is not None:
        details: dict[str, Detail] = {"code": f"U+{ord(found[0]):04X}", "position": found.start()}
        raise WrongValue(Message("invalid_field.control_character", details))
    if not text.strip():
        raise WrongValue(Message("invalid_field.empty"))
    return text


Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9._:-]+$")]


_TARGET = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"


class ChatBody(BaseModel):
    """A message. Without session_id it starts a new session; a repeated request_id returns the first answer.

    `turn` is the number of the last turn that the sender has seen. If the session has moved on, the message is refused
    with 409 `turn_passed` and nothing is recorded; the problem's `turn` and `pending` give the current state.
    """

    model_config = ConfigDict(extra="forbid")

    message: Annotated[str, StringConstraints(max_length=MAX_MESSAGE_CHARACTERS), AfterValidator(_readable)] = Field(
        examples=["线上报表查询突然变慢", "the app cannot get connections"]
    )
    session_id: Identifier | None = None
    request_id: Identifier | None = None
    language: Language | None = None
    turn: Annotated[int, Field(ge=0, strict=True)] | None = Field(
        default=None, description="The last turn that the sender has seen; 409 if the session has moved on."
    )

    target: Annotated[str, StringConstraints(pattern=_TARGET)] | None = Field(
        default=None, description="The id of the target that the session diagnoses from now on; 422 if it is unknown."
    )

    def chat_message(self) -> ChatMessage:
        """The message for `Conversations.chat`."""
        return ChatMessage(self.message, self.session_id, self.request_id, self.language, self.turn, self.target)


_Words = Annotated[str, StringConstraints(max_length=MAX_CLOSING_CHARACTERS), AfterValidator(_readable)]


_RootCauseId = Annotated[str, StringConstraints(pattern=r"^RC-\d{1,9}$")]


class CloseBody(BaseModel):
    """The verdict on a case: a known root cause by id, or a new one in words; and the solution."""

    model_config = ConfigDict(extra="forbid")

    root_cause_id: _RootCauseId | None = Field(default=None, examples=["RC-0001"])
    root_cause: _Words | None = None
    solution: _Words | None = None
    language: Language | None = None

    @model_validator(mode="after")
    def _one_cause(self) -> Self:
        if (self.root_cause_id is None) == (self.root_cause is None):
            raise WrongValue(Message("invalid_field.one_cause"))
        return self

    def verdict(self) -> Verdict:
        """The verdict for `Closings.close`."""
        return Verdict(self.root_cause_id or "", self.root_cause or "", self.solution or "")


class ReviewBody(BaseModel):
    """The reviewer and the reason of a decision. Accepting a quarantined proposal requires from_quarantine.

    root_cause_id overrides the proposed cause with a known one.
    """

    model_config = ConfigDict(extra="forbid")

    reviewer: Annotated[str, StringConstraints(max_length=128), AfterValidator(_readable)]
    reason: _Words | None = None
    from_quarantine: bool = False
    root_cause_id: _RootCauseId | None = None


Body = TypeVar("Body", bound=BaseModel)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """Reads the request's JSON as `kind`. Raises BadBody (400, 413), or InvalidInput (422) naming the field."""
    raw = await _read(request)
    try:
        data: Any = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadBody("invalid_utf8", HTTPStatus.BAD_REQUEST, byte=error.start) from None
    except json.JSONDecodeError as error:
        place: dict[str, Detail] = {"line": error.lineno, "column": error.colno}
        raise BadBody("malformed_json.place", HTTPStatus.BAD_REQUEST, **place) from None
    except RecursionError:
        raise BadBody("malformed_json", HTTPStatus.BAD_REQUEST) from None
    except ValueError:
        # Valid JSON, but Python refuses to convert an integer of that length.
        raise InvalidInput("invalid_body.long_number", digits=sys.get_int_max_str_digits()) from None
    prefer_language(request, _read_language(data))
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise InvalidInput(describe_first(found, "invalid_body")) from None


def _read_language(data: Any) -> Language | None:
    """The language that a body asks for, even if the rest of it is wrong."""
    asked = data.get("language") if isinstance(data, dict) else None
    return Language(asked) if asked in tuple(Language) else None


async def _read(request: Request) -> bytes:
    limit = MAX_BODY_BYTES // 1024
    too_large = BadBody("body_too_large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, limit=limit)
    stated = request.headers.get("content-length", "0")
    if stated.isdigit() and int(stated) > MAX_BODY_BYTES:
        raise too_large
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MAX_BODY_BYTES:
            raise too_large
    return bytes(raw)
