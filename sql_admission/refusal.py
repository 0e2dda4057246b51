"""The exception that the rules raise for a refused statement; it never leaves the package."""

from __future__ import annotations

from services.chassis.messages import Detail, Message


class Refused(Exception):
    """The statement is not admitted. The message says why."""

    def __init__(self, key: str, **details: Detail) -> None:
        super().__init__(key)
        self.message = Message(key, details)
