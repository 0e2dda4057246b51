"""Messages for problems that other programs report: the operating system by its errno, pydantic by its error type."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any

from services.chassis.messages import Message

_SYSTEM = {
    errno.EACCES: "system.no_permission",
    errno.EPERM: "system.not_permitted",
    errno.ENOTDIR: "system.not_a_directory",
    errno.EISDIR: "system.is_a_directory",
    errno.ENOENT: "system.no_such_file",
    errno.EROFS: "system.read_only",
    errno.ENOSPC: "system.no_space",
    errno.ECONNREFUSED: "system.connection_refused",
}
# By pydantic's error type: the message, and the name under which pydantic gives its limit.
_FIELDS = {
    "extra_forbidden": ("field.unknown", ""),
    "missing": ("field.missing", ""),
    "string_pattern_mismatch": ("field.pattern", "pattern"),
    "string_too_short": ("field.too_short", "min_length"),
    "string_too_long": ("field.too_long", "max_length"),
    "string_type": ("field.text", ""),
    "bool_type": ("field.truth", ""),
    "bool_parsing": ("field.truth", ""),
    "int_type": ("field.integer", ""),
    "int_parsing": ("field.integer", ""),
    "int_from_float": ("field.integer", ""),
    "float_type": ("field.number", ""),
    "float_parsing": ("field.number", ""),
    "model_type": ("field.mapping", ""),
    "model_attributes_type": ("field.mapping", ""),
    "dict_type": ("field.mapping", ""),
    "tuple_type": ("field.list", ""),
    "list_type": ("field.list", ""),
    "greater_than_equal": ("field.at_least", "ge"),
    "less_than_equal": ("field.at_most", "le"),
    "greater_than": ("field.above", "gt"),
    "less_than": ("field.below", "lt"),
    "literal_error": ("field.one_of", "expected"),
    "enum": ("field.one_of", "expected"),
}


class Misfit(ValueError):
    """Raised by a validator of pydantic: a field whose problem is a message."""

    def __init__(self, key: str | Message, **details: str) -> None:
        self.message = key if isinstance(key, Message) else Message(key, details)
        super().__init__(self.message.text())


def verbatim(words: object) -> Message:
    """The words of another program on one line, the same in every language."""
    return Message("verbatim", {"words": " ".join(str(words).split())})


def system_problem(error: OSError) -> Message:
    """The message for a system error; the system's own words if it is an uncommon one."""
    key = _SYSTEM.get(error.errno or 0)
    return Message(key) if key else verbatim(error.strerror or error)


def field_problem(error: Mapping[str, Any]) -> Message:
    """The message for one of the errors that pydantic lists; its own words if it is an uncommon one."""
    context = error.get("ctx", {})
    if isinstance(context.get("error"), Misfit):
        message: Message = context["error"].message
        return message
    key, limit = _FIELDS.get(error["type"], ("", ""))
    if not key:
        return verbatim(str(error["msg"]).removeprefix("Value error, "))
    return Message(key, {"limit": str(context[limit])} if limit else {})
