"""A store of named blobs, as the snapshots need it. Folder, PostgreSQL and S3 implement it."""

from __future__ import annotations

from typing import Protocol


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
