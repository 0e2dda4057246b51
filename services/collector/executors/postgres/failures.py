"""Errors of a PostgreSQL server or its driver, as the reason why a check failed.

Texts of a server are read whatever its databases are encoded in. What a database without an encoding (SQL_ASCII)
holds is bytes to the driver, with which no comparison of a check is true; and what is no letter of its encoding, as a
statement of another database may have, would end the look. It is read as the connection's encoding says, else as
UTF-8, with a sign for each byte that is no letter in it.
"""

from __future__ import annotations

import re

import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Loader

from services.chassis.messages import Message
from services.chassis.problems import verbatim
from services.collector.failures import CheckFailed, TargetUnreachable

_FULL = re.compile(r"too many clients|remaining connection slots|too many connections for", re.IGNORECASE)
_SECRET = re.compile(r"(password\s*=\s*)\S+|(://[^:/\s]+:)[^@\s]+@", re.IGNORECASE)
_FAILURES = {
    "42501": "missing_privilege.server",
    "42703": "column_not_there.server",
    "42P01": "relation_not_there.server",
    "42883": "function_not_there.server",
    "55000": "not_available_here.server",
    "55P03": "locked.server",
    "57014": "timed_out.server",
    "53300": "no_connection_slot.server",
    "25006": "write_refused.server",
    "0A000": "not_supported.server",
}
# libpq reports a failed connection as text alone; these are its commonest texts.
_PLACE = r'connection to server (?:at |on socket )(?P<place>"[^"]+"(?: \([^)]*\))?(?:, port \d+)?) failed: '
_CONNECTING = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
        (_PLACE + "Connection refused", "target_unreachable.refused"),
        (_PLACE + "No such file or directory", "target_unreachable.no_socket"),
        (r'could not translate host name (?P<host>"[^"]*")', "target_unreachable.no_such_host"),
        (r"connection timeout expired", "target_unreachable.timeout"),
        (r"fe_sendauth: no password supplied", "target_unreachable.no_password"),
        (r'password authentication failed for user (?P<user>"[^"]*")', "target_unreachable.wrong_password"),
        (r'role (?P<user>"[^"]*") does not exist', "target_unreachable.no_such_role"),
        (r'database (?P<name>"[^"]*") does not exist', "target_unreachable.no_such_database"),
        (r"no pg_hba.conf entry for (?P<entry>.*)", "target_unreachable.not_in_hba"),
    )
)
_TEXTS = ("text", "varchar", "bpchar", "name")
# What the driver calls the encoding of a database that has none.
_NONE = "ascii"


def unreachable(target_id: str, error: Exception) -> TargetUnreachable:
    """Why there is no connection; a server without a free slot is a reason of its own."""
    words = _without_secrets(" ".join(str(error).split()))
    if _FULL.search(words):
        return TargetUnreachable("no_connection_slot", target=target_id, why=verbatim(words))
    return TargetUnreachable("target_unreachable.connecting", target=target_id, why=connection_problem(words))


def connection_problem(words: str) -> Message:
    """The message for what libpq reports about a failed connection; its own words if they are uncommon."""
    for pattern, key in _CONNECTING:
        if found := pattern.search(words):
            return Message(key, found.groupdict())
    return verbatim(words) if words else Message("target_unreachable.silent")


def statement_failure(error: psycopg.Error) -> CheckFailed:
    """Why a statement failed, with a stable reason for its SQLSTATE."""
    words = _without_secrets((error.diag.message_primary or str(error) or type(error).__name__).strip())
    return CheckFailed(_FAILURES.get(error.sqlstate or "", "look_failed.server"), words=words)


def _without_secrets(text: str) -> str:
    return _SECRET.sub(lambda found: f"{found[1] or found[2] or ''}***", text)


class _Lenient(Loader):
    """Bytes that are no letters become the replacement character."""

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        super().__init__(oid, context)
        encoding = self.connection.info.encoding if self.connection is not None else _NONE
        self._encoding = "utf-8" if encoding == _NONE else encoding

    def load(self, data: Buffer) -> str:
        """See Loader."""
        return bytes(data).decode(self._encoding, errors="replace")


def read_any_encoding(connection: psycopg.AsyncConnection) -> psycopg.AsyncConnection:
    """The same connection, which now reads text of any encoding."""
    for name in _TEXTS:
        connection.adapters.register_loader(name, _Lenient)
    return connection
