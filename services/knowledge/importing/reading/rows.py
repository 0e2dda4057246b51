"""Tables independent of the file format: rows of text cells, and lines that could not be read as rows."""

from __future__ import annotations

from dataclasses import dataclass

from services.chassis.messages import Message


@dataclass(frozen=True)
class Row:
    """number: its line in a CSV file or its row in a sheet, from 1. joined: columns whose cell spans the row before."""

    number: int
    cells: tuple[str, ...]
    joined: frozenset[int] = frozenset()

    @property
    def empty(self) -> bool:
        """True if all cells are blank."""
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True)
class BrokenRow:
    """A line that could not be read as a row, and why."""

    number: int
    reason: Message


@dataclass(frozen=True)
class Table:
    """Rows in their order. name: the sheet's, or empty."""

    name: str
    rows: tuple[Row | BrokenRow, ...]
