"""A store of named blobs, as the snapshots need it, and its errors. Folder, PostgreSQL and S3 implement it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from services.chassis.errors import DependencyDown, InvalidInput, Precondition
from services.chassis.messages import Detail, Message


class BlobStore(Protocol):
    """Named bytes. A name has letters, digits, `.`, `-` and at most one `/`; a reader sees a whole blob or none.

    `place` tells people where the store is, without a password. Every method raises DependencyDown when the store
    cannot be reached.
    """

    place: str

    def read(self, name: str) -> bytes | None:
        """The blob of that name; None if it does not exist."""

    def write(self, name: str, content: bytes) -> None:
        """Creates or replaces a blob."""

    def create(self, name: str, content: bytes) -> bool:
        """Creates a blob unless it exists. Of several concurrent callers exactly one gets True."""

    def remove(self, name: str) -> None:
        """Deletes a blob; a missing one is no error."""

    def names(self, prefix: str = "") -> list[str]:
        """The sorted names that begin with `prefix` and have no `/` after it."""

    def close(self) -> None:
        """Closes connections; the next call opens them again."""


def missing_extra(extra: str, error: ImportError) -> InvalidInput:
    """The client library for this kind of store is not installed."""
    return InvalidInput("missing_extra.snapshot_store", package=str(error.name), extra=extra)


def unreachable(place: str, why: Detail) -> DependencyDown:
    """The store does not answer; `why` must not contain a secret."""
    return DependencyDown("knowledge_store_unreachable", place=place, why=why)


def failed(action: str, why: Detail, name: str = "") -> Message:
    """Which action on a blob failed, and why. action: a key `blob_failure.*`."""
    return Message(action, {"name": name, "why": why} if name else {"why": why})


def refused_writing(path: Path, error: OSError) -> Precondition:
    """The operating system refuses to write a file."""
    return Precondition("not_writable.knowledge_file", path=str(path), why=str(error.strerror or error))


def refused_removing(path: Path, error: OSError) -> Precondition:
    """The operating system refuses to delete a file."""
    return Precondition("not_writable.knowledge_removal", path=str(path), why=str(error.strerror or error))
