"""The transactions that a message names as the oldest that vacuum spares, and the prepared ones with their gid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang import deferred_re as re
from lang.objects.kinds_and_roles import Seen
from lang.pastes.model import Table

# The kinds of both; a prepared transaction is named by its number and its gid.
OLDEST_XMIN, PREPARED = "oldest_xmin", "prepared"
_OF_VACUUM = re.compile(r"\b(?:oldest xmin|removable cutoff): (\d+)", re.IGNORECASE)


def is_transaction(words: str) -> bool:
    """True for "oldest xmin: 918230441", which names a transaction and tells no age."""
    return _OF_VACUUM.fullmatch(words.strip()) is not None


def transactions_in(message: str, tables: Iterable[Table]) -> Iterator[Seen]:
    """The transactions of a message and of its tables."""
    yield from (Seen(OLDEST_XMIN, number) for number in _OF_VACUUM.findall(message))
    for table in tables:
        columns = [name.strip().lower() for name in table.columns]
        if {"gid", "transaction"} <= {*columns}:
            rows = (dict(zip(columns, map(str.strip, row), strict=False)) for row in table.rows)
            yield from (Seen(PREPARED, f"{row['transaction']} {row['gid']}") for row in rows)
