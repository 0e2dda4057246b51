"""Opens the blob store that a folder or URL names."""

from __future__ import annotations

from pathlib import Path

from services.chassis.errors import InvalidInput
from services.knowledge.blobs.directory import DirectoryBlobs
from services.knowledge.blobs.port import BlobStore

_POSTGRESQL = ("postgresql://", "postgres://")
_S3 = "s3://"


def is_url(place: str) -> bool:
    """True if the store is a server with a URL rather than a folder."""
    return "://" in place


def open_blobs(place: str | Path) -> BlobStore:
    """The store in a folder, at `postgresql://...` or at `s3://bucket/prefix?endpoint=...`. Connects on first use.

    Raises InvalidInput for any other kind of URL, or if the extra for it is not installed.
    """
    text = str(place)
    if not is_url(text):
        return DirectoryBlobs(Path(text))
    if text.startswith(_POSTGRESQL):
        from services.knowledge.blobs.postgresql import PostgresqlBlobs

        return PostgresqlBlobs(text)
    if text.startswith(_S3):
        from services.knowledge.blobs.s3 import S3Blobs

        return S3Blobs(text)
    raise InvalidInput("invalid_setting.store_scheme", scheme=text.split("://")[0])
