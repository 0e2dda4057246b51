"""The figures of a disk that an output of `df` shows, where it shows one disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lang import deferred_re as re
from lang.numbers.filling import Figure, Measure
from lang.objects.named_objects import tables_in
from lang.objects.settings_said import amount_of

_FORM = "filesystems"
_COLUMNS = {"size": Measure.SIZE, "容量": Measure.SIZE, "1k_blocks": Measure.SIZE, "avail": Measure.FREE}
# File systems in memory, of the system's own.
_NO_DISK = ("tmpfs", "devtmpfs", "udev", "overlay", "shm", "none", "efivarfs")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMGT]?)i?B?", re.IGNORECASE)


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
