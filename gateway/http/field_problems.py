"""Validation errors as messages: which field is wrong, and why, in either language."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import ErrorDetails

from services.chassis.messages import Message

# The error types that the bodies and parameters of this interface can raise; the English texts are pydantic's.
_KEYS = {
    "bool_parsing": "invalid_field.bool_parsing",
    "bool_type": "invalid_field.bool_type",
    "enum": "invalid_field.enum",
    "extra_forbidden": "invalid_field.extra_forbidden",
    "greater_than_equal": "invalid_field.greater_than_equal",
    "int_parsing": "invalid_field.int_parsing",
    "int_type": "invalid_field.int_type",
    "less_than_equal": "invalid_field.less_than_equal",
    "missing": "invalid_field.missing",
    "model_type": "invalid_field.model_type",
    "string_pattern_mismatch": "invalid_field.string_pattern_mismatch",
    "string_too_long": "invalid_field.string_too_long",
    "string_too_short": "invalid_field.string_too_short",
    "string_type": "invalid_field.string_type",
}


class WrongValue(ValueError):
    """Raised by a validator; carries the message for the sender."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text())
        self.message = message


def describe_first(errors: Sequence[ErrorDetails], key: str) -> Message:
    """The message of a key that has the details `field` and `problem`, for the first of pydantic's errors."""
    first = errors[0]
    field = ".".join(str(part) for part in first["loc"])
    return Message(key, {"field": field or Message("invalid_field.body"), "problem": _describe(first)})


def _describe(error: ErrorDetails) -> Message:
    context = error.get("ctx", {})
    wrong = context.get("error")
    if isinstance(wrong, WrongValue):
        return wrong.message
    key = _KEYS.get(error["type"])
    if key is None:
        return Message("verbatim", {"words": error["msg"]})
    return Message(key, {name: value for name, value in context.items() if isinstance(value, str | int | float)})
