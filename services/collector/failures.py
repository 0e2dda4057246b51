"""Why one check could not be run: its findings are then unknown for this reason, and the other checks continue."""

from __future__ import annotations

from services.chassis.errors import DbdiagError
from services.chassis.messages import Message


class CheckFailed(DbdiagError):
    """A check ran and brought nothing, or could not run. Its details hold no secret."""

    default_reason = "look_failed"

    def __str__(self) -> str:
        return spell_out(self.reason, self.as_message)


class TargetUnreachable(CheckFailed):
    """No check can run on the target. refused_slots: the server answered that no connection slot is free."""

    default_reason = "target_unreachable"

    @property
    def refused_slots(self) -> bool:
        """True if the refusal itself shows that connections are exhausted."""
        return self.reason == "no_connection_slot"


def spell_out(reason: str, message: Message) -> str:
    """A reason and its message as one English text: what contracts and records carry beside the key."""
    return f"{reason}: {message.text()}"
