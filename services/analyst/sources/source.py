"""Where the data of a dataset comes from, as a value that travels to the child process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Cell: TypeAlias = "str | int | float | bool | None"
_POSTGRES = ("postgresql://", "postgres://")


@dataclass(frozen=True)
class Rows:
    """A table handed in. types: DuckDB types by column; key: its key column, or empty."""

    name: str
    types: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]
    key: str = ""


@dataclass(frozen=True)
class Source:
    """One of: a file or folder; the URL of a PostgreSQL database, of which `tables` are read, or all; rows."""

    path: Path | None = None
    url: str = ""
    tables: tuple[str, ...] = ()
    rows: Rows | None = None

    def to_plain(self) -> dict[str, Any]:
        """As JSON data."""
        if self.rows:
            rows = self.rows
            return {"rows": {"name": rows.name, "types": dict(rows.types), "rows": list(rows.rows), "key": rows.key}}
        if self.url:
            return {"url": self.url, "tables": list(self.tables)}
        return {"path": str(self.path.absolute()) if self.path else ""}


def source_of(place: str | Path, tables: Sequence[str] = ()) -> Source:
    """The source that a path or URL on the command line names."""
    if str(place).startswith(_POSTGRES):
        return Source(url=str(place), tables=tuple(tables))
    return Source(path=Path(place))


def from_plain(data: Mapping[str, Any]) -> Source:
    """The source of `to_plain`."""
    if "rows" in data:
        return Source(rows=Rows(**data["rows"]))
    if "url" in data:
        return Source(url=data["url"], tables=tuple(data["tables"]))
    return Source(path=Path(data["path"]))
