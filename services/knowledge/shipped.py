"""The libraries that come with dbdiag."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "library"
POSTGRESQL = FOLDER / "postgresql"


# The library that speaks of what the checks of an engine see, where it is not the one that is there by default.
_OF_ENGINES = {"host": "host", "java": "host", "node_exporter": "host", "mysql": "mysql"}


def of_engine(engine: str) -> Path | None:
    """The shipped library for a kind of target; None where the default one is."""
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
