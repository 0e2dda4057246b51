"""Why one look brought nothing: the check is then unknown with this reason, and the rest go on."""

from __future__ import annotations


class LookFailed(Exception):
    """reason: stable, for machines; message: for a person, without any secret."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


class TargetUnreachable(LookFailed):
    """Nothing can be looked at there. refused_slots: the server answered that no connection slot is free."""

    def __init__(self, message: str, reason: str = "target_unreachable") -> None:
        super().__init__(reason, message)

    @property
    def refused_slots(self) -> bool:
        """Whether the refusal itself tells that connections are exhausted."""
        return self.reason == "no_connection_slot"
