"""Names and texts as SQL writes them, and column names as a table can have them."""

from __future__ import annotations

from collections.abc import Iterable


def quote(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


def usable_names(header: Iterable[object]) -> list[str]:
    """Column names on one line: empty ones become `column_N`, of equal ones the later get a number."""
    seen: set[str] = set()
    names = []
    for at, cell in enumerate(header, 1):
        name = wanted = " ".join(str(cell if cell is not None else "").replace("\ufeff", "").split()) or f"column_{at}"
        count = 1
        while name.lower() in seen:
            count += 1
            name = f"{wanted}_{count}"
        seen.add(name.lower())
        names.append(name)
    return names
