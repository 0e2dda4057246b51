"""A problem that lint or check found, with its place in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from services.chassis.messages import Message

Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """place: the way to the entry in the layer, as `("metrics", 0, "expr")`; empty for the whole layer."""

    severity: Severity
    place: tuple[str | int, ...]
    message: Message

    @property
    def key(self) -> str:
        """The place as text."""
        return ".".join(str(part) for part in self.place) or "layer"
