"""Where a store keeps its bytes: named pieces on a shelf. A folder by default; PostgreSQL or S3 by URL."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Protocol

from services.chassis.errors import DependencyDown, InvalidInput, Precondition
from services.knowledge.files import refused_writing, sync_folder, write_atomically

POSTGRESQL = ("postgresql://", "postgres://")
S3 = "s3://"
UNREACHABLE = "knowledge_store_unreachable"


class Shelf(Protocol):
    """Named bytes. A name is letters, digits, `.`, `-` and one `/` at most; a reader sees a piece whole or not at all.

    `place` says where it is, without any password. Raises DependencyDown when it cannot be reached.
    """

    place: str

    def read(self, name: str) -> bytes | None:
        """The piece of that name; None when there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Puts a piece there, or in place of the old one."""

    def create(self, name: str, content: bytes) -> bool:
        """Puts a piece where there is none. Of several callers at once one gets True; the others change nothing."""

    def remove(self, name: str) -> None:
        """Takes a piece away; one that is not there is no failure."""

    def names(self, prefix: str = "") -> list[str]:
        """The names that begin with `prefix` and have no `/` after it, sorted."""

    def close(self) -> None:
        """Lets go of connections; the next use opens them again."""


def is_url(place: str) -> bool:
    """Whether a store's place is the URL of a server rather than a folder."""
    return "://" in place


def open_shelf(place: str | Path) -> Shelf:
    """The shelf at a folder, at `postgresql://...`, or at `s3://bucket/prefix?endpoint=...`. Connects at the first use.

    Raises InvalidInput for another kind of URL, or when the extra that it needs is not installed.
    """
    text = str(place)
    if not is_url(text):
        return DirectoryShelf(Path(text))
    if text.startswith(POSTGRESQL):
        from services.knowledge.shelf_postgresql import PostgresqlShelf

        return PostgresqlShelf(text)
    if text.startswith(S3):
        from services.knowledge.shelf_s3 import S3Shelf

        return S3Shelf(text)
    raise InvalidInput(
        f"opening the snapshot store: {text.split('://')[0]}:// is no kind of store; give a folder, postgresql://... "
        "or s3://bucket/prefix",
        reason="invalid_setting",
    )


def missing_extra(extra: str, error: ImportError) -> InvalidInput:
    """What to do when the client of a kind of store is not installed."""
    return InvalidInput(
        f"opening the snapshot store: {error.name} is not installed; install dbdiag[{extra}]", reason="missing_extra"
    )


def unreachable(place: str, why: str) -> DependencyDown:
    """A store that does not answer; `why` must hold no secret."""
    return DependencyDown(f"using the snapshot store {place}: {why}", reason=UNREACHABLE)


class DirectoryShelf:
    """A folder; every piece is a file that is replaced atomically."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = str(folder)

    def read(self, name: str) -> bytes | None:
        """See Shelf."""
        try:
            return (self._folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreachable(self.place, f"reading {name}: {error.strerror}") from error

    def write(self, name: str, content: bytes) -> None:
        """See Shelf."""
        write_atomically(self._folder / name, content)

    def create(self, name: str, content: bytes) -> bool:
        """See Shelf. A link to a complete file: it comes into being whole, and only where there is none."""
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _linked(path, content)
        except OSError as error:
            raise refused_writing(path, error) from error

    def remove(self, name: str) -> None:
        """See Shelf."""
        path = self._folder / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            message = f"removing {path}: {error.strerror or error}; see to its permissions"
            raise Precondition(message, reason="not_writable") from error

    def names(self, prefix: str = "") -> list[str]:
        """See Shelf."""
        folder, _, begins = prefix.rpartition("/")
        inside = f"{folder}/" if folder else ""
        try:
            entries = [entry.name for entry in os.scandir(self._folder / folder) if entry.is_file()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(inside + name for name in entries if name.startswith(begins) and not name.startswith("."))

    def close(self) -> None:
        """Nothing is held open."""


def _linked(path: Path, content: bytes) -> bool:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.link(name, path)
    except FileExistsError:
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    sync_folder(path.parent)
    return True
