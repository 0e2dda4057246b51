"""Text of a server as text, whatever its databases are encoded in.

What a database without an encoding (SQL_ASCII) holds is bytes to the driver, with which no comparison of a check is
true; and what is no letter of its encoding, as a statement of another database may have, would end the look. It is
read as the connection's encoding says, else as UTF-8, with a sign for each byte that is no letter in it.
"""

from __future__ import annotations

import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Loader

_TEXTS = ("text", "varchar", "bpchar", "name")
# What the driver calls the encoding of a database that has none.
_NONE = "ascii"


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
