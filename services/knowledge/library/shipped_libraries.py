"""The libraries shipped with dbdiag."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"
POSTGRESQL = FOLDER / "postgresql"


# The library with the phenomena that checks of a kind of target find, if it is not the default one.
_OF_ENGINES = {"host": "host", "java": "host", "node_exporter": "host", "mysql": "mysql"}


def of_engine(engine: str) -> Path | None:
    """The shipped library for a kind of target; None if that is the default one."""
    name = _OF_ENGINES.get(engine)
    return FOLDER / name if name else None


def names() -> list[str]:
    """The short names of the shipped libraries."""
    return sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())


def locate(name: str) -> Path:
    """The folder of that path or, when there is none, the shipped library of that name (`postgresql`)."""
    path = Path(name)
    shipped = FOLDER / name
    return shipped if not path.exists() and name.isidentifier() and shipped.is_dir() else path
