"""What a PostgreSQL server or its driver says went wrong, as the reason of a look that failed."""

from __future__ import annotations

import re

import psycopg

from services.collector.failures import LookFailed, TargetUnreachable

_FULL = re.compile(r"too many clients|remaining connection slots|too many connections for", re.IGNORECASE)
_SECRET = re.compile(r"(password\s*=\s*)\S+|(://[^:/\s]+:)[^@\s]+@", re.IGNORECASE)
_REASONS = {
    "42501": "missing_privilege",
    "42703": "column_not_there",
    "42P01": "relation_not_there",
    "42883": "function_not_there",
    "55000": "not_available_here",
    "55P03": "locked",
    "57014": "timed_out",
    "53300": "no_connection_slot",
    "25006": "write_refused",
    "0A000": "not_supported",
}


def unreachable(target_id: str, error: Exception) -> TargetUnreachable:
    """Why a connection was not to be had; that no slot is free is a reason of its own."""
    said = " ".join(str(error).split()) or "no answer"
    if _FULL.search(said):
        return TargetUnreachable(
            f"{target_id} has no free connection slot: {_without_secrets(said)}", "no_connection_slot"
        )
    return TargetUnreachable(f"connecting to {target_id}: {_without_secrets(said)}")


def failed(error: psycopg.Error) -> LookFailed:
    """Why a statement was not answered, by a stable reason."""
    said = _without_secrets((error.diag.message_primary or str(error) or type(error).__name__).strip())
    return LookFailed(_REASONS.get(error.sqlstate or "", "look_failed"), said)


def _without_secrets(text: str) -> str:
    return _SECRET.sub(lambda found: f"{found[1] or found[2] or ''}***", text)
