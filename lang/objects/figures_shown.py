"""Figures of an output that later answers need: the oldest transactions that vacuum spares, the room on a disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lang import deferred_re as re
from lang.numbers.filling import Figure, Measure
from lang.objects.kinds_and_roles import Seen
from lang.objects.named_objects import tables_in
from lang.objects.settings_said import amount_of
from lang.pastes.model import Table

# The kinds of both; a prepared transaction is named by its number and its gid.
OLDEST_XMIN, PREPARED = "oldest_xmin", "prepared"
_OF_VACUUM = re.compile(r"\b(?:oldest xmin|removable cutoff): (\d+)", re.IGNORECASE)
_FORM = "filesystems"
_COLUMNS = {"size": Measure.SIZE, "容量": Measure.SIZE, "1k_blocks": Measure.SIZE, "avail": Measure.FREE}
# File systems in memory, of the system's own.
_NO_DISK = ("tmpfs", "devtmpfs", "udev", "overlay", "shm", "none", "efivarfs")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMGT]?)i?B?", re.IGNORECASE)


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


def figures_shown(message: str) -> Iterator[Figure]:
    """How large the one disk of a `df` is, and how much of it is free; of several none can be told to be meant."""
    for table in tables_in(message):
        rows = [dict(zip(table.columns, row, strict=False)) for row in table.rows]
        disks = [each for each in rows if each.get("filesystem", "").lower() not in _NO_DISK]
        if table.form == _FORM and len(disks) == 1:
            yield from _of_disk(disks[0])


def _of_disk(row: Mapping[str, str]) -> Iterator[Figure]:
    unit = "K" if "1k_blocks" in row else ""
    for column, measure in _COLUMNS.items():
        found = _SIZE.fullmatch(row.get(column, ""))
        amount = amount_of(found[1] + (found[2].upper() or unit)) if found is not None else None
        if amount:
            yield Figure(measure, amount)
