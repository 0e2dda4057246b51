"""The matcher's words are its contract's, so the chassis' codec is all of its wire."""

from __future__ import annotations

from services.chassis.wire import from_wire, to_wire

__all__ = ["from_wire", "to_wire"]
