"""Where a session's evidence lies, and how a file gets there whole or not at all."""

from __future__ import annotations

import os
import re
from pathlib import Path

from services.chassis.errors import InvalidInput
from services.collector.evidence.chain import not_written

RAW, REDACTED, PARSED, INDEX = "raw", "redacted", "parsed", "index"
AUDIT = "audit.jsonl"

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REF = re.compile(r"\d{4}-[a-z0-9_.]{1,80}")
_INDEX_NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\.json")


def session_folder(root: Path, session_id: str) -> Path:
    """The folder of a session. Raises InvalidInput for an id that could lead elsewhere."""
    if not _SESSION.fullmatch(session_id):
        raise InvalidInput(f"the session id {session_id!r} is no name of letters, digits, `.`, `_` and `-`")
    return root / session_id


def made(root: Path, session_id: str) -> Path:
    """The folder of a session with its four parts, for this user alone."""
    folder = session_folder(root, session_id)
    try:
        for name in (RAW, REDACTED, PARSED, INDEX):
            (folder / name).mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        message = f"keeping evidence in {folder}: {error.strerror}; choose another folder"
        raise InvalidInput(message, reason="evidence_not_writable") from error
    return folder


def place(folder: Path, part: str, ref: str) -> Path:
    """The file of one output. Raises InvalidInput for what is no reference."""
    if not _REF.fullmatch(ref):
        raise InvalidInput(f"{ref!r} is no reference to an output", reason="evidence_not_found")
    return folder / part / f"{ref}.json"


def index_place(folder: Path, name: str) -> Path:
    """The file of an index. Raises InvalidInput for what is no such name."""
    if not _INDEX_NAME.fullmatch(name):
        raise InvalidInput(f"{name!r} is no name of an index")
    return folder / INDEX / name


def write_whole(path: Path, text: str) -> None:
    """Puts a file in place at once: a reader sees the old one or the new one, never half of it.

    Raises Precondition where it cannot be written; nothing is left of it then.
    """
    try:
        _written_whole(path, text)
    except OSError as error:
        path.with_name(path.name + ".part").unlink(missing_ok=True)
        raise not_written(path, error) from error


def _written_whole(path: Path, text: str) -> None:
    draft = path.with_name(path.name + ".part")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
