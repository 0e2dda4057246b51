"""The folders of a session's evidence, and atomic writes to them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from services.chassis.errors import InvalidInput
from services.chassis.problems import system_problem
from services.collector.evidence.chain import write_error

RAW, REDACTED, PARSED, INDEX = "raw", "redacted", "parsed", "index"
AUDIT = "audit.jsonl"

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REF = re.compile(r"\d{4}-[a-z0-9_.]{1,80}")
_INDEX_NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\.json")


def session_folder(root: Path, session_id: str) -> Path:
    """The folder of a session. Raises InvalidInput for an id that could lead elsewhere."""
    if not _SESSION.fullmatch(session_id):
        raise InvalidInput("invalid_request.session_id", session=repr(session_id))
    return root / session_id


def create_session_folder(root: Path, session_id: str) -> Path:
    """The folder of a session with its four parts, created for this user alone. Raises InvalidInput."""
    folder = session_folder(root, session_id)
    try:
        for name in (RAW, REDACTED, PARSED, INDEX):
            (folder / name).mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise InvalidInput("evidence_not_writable.folder", folder=str(folder), why=system_problem(error)) from error
    return folder


def place(folder: Path, part: str, ref: str) -> Path:
    """The file of one output. Raises InvalidInput for a malformed reference."""
    if not _REF.fullmatch(ref):
        raise InvalidInput("evidence_not_found.no_reference", name=repr(ref))
    return folder / part / f"{ref}.json"


def index_place(folder: Path, name: str) -> Path:
    """The file of an index. Raises InvalidInput for a malformed name."""
    if not _INDEX_NAME.fullmatch(name):
        raise InvalidInput("invalid_request.index_name", name=repr(name))
    return folder / INDEX / name


def write_atomically(path: Path, text: str) -> None:
    """Writes a file atomically: a reader sees the old content or the new, never a mix.

    Raises Precondition if it cannot be written, and leaves nothing behind.
    """
    try:
        _write_and_rename(path, text)
    except OSError as error:
        path.with_name(path.name + ".part").unlink(missing_ok=True)
        raise write_error(path, error) from error


def _write_and_rename(path: Path, text: str) -> None:
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
