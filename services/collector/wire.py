"""The collector's words are its contract's: the chassis' codec, and what a request to collect must have."""

from __future__ import annotations

from dbdiag.collector.v1 import collector_pb2 as pb

from services.chassis.errors import InvalidInput
from services.chassis.wire import from_wire, to_wire
from services.collector.model import CollectRequest

__all__ = ["read_request", "to_wire"]
MAX_CHECKS = 100


def read_request(message: pb.CollectRequest) -> CollectRequest:
    """Raises InvalidInput without a session, a target or checks, with too many, or with a budget below zero."""
    for name in ("session_id", "target_id"):
        if not getattr(message, name):
            raise InvalidInput("invalid_request.empty_field", name=name)
    if not 1 <= len(message.checks) <= MAX_CHECKS:
        raise InvalidInput("invalid_request.check_count", count=len(message.checks), most=MAX_CHECKS)
    if not message.time_budget_seconds >= 0:
        raise InvalidInput("invalid_request.negative_budget")
    return from_wire(message, CollectRequest)
