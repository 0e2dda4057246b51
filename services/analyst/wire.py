"""The analyst's words are its contract's: the chassis' codec, and what requests must have."""

from __future__ import annotations

from dbdiag.analyst.v1 import analyst_pb2 as pb

from services.analyst.model import AskRequest
from services.chassis.errors import InvalidInput
from services.chassis.wire import from_wire, to_wire

__all__ = ["read_ask", "read_max_rows", "to_wire"]
_MOST_QUESTIONS = 20
_MOST_ROWS, _ROWS = 100_000, 1_000


def read_ask(message: pb.AskRequest) -> AskRequest:
    """Raises InvalidInput for a conversation that is too long, or a language that is not spoken."""
    if len(message.conversation) > _MOST_QUESTIONS:
        raise InvalidInput("invalid_request.long_conversation", count=len(message.conversation), most=_MOST_QUESTIONS)
    if message.language not in ("", "zh", "en"):
        raise InvalidInput("invalid_request.answer_language", language=repr(message.language))
    return from_wire(message, AskRequest)


def read_max_rows(message: pb.ExecuteSqlRequest) -> int:
    """Raises InvalidInput beyond the most that a call returns."""
    if message.max_rows > _MOST_ROWS:
        raise InvalidInput("invalid_request.max_rows", count=message.max_rows, most=_MOST_ROWS)
    return message.max_rows or _ROWS
