"""How a blob store fails, whichever kind it is."""

from __future__ import annotations

from pathlib import Path

from services.chassis.errors import DependencyDown, InvalidInput, Precondition
from services.chassis.messages import Detail, Message


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
