"""A log of JSON lines, each carrying the hash of the one before: what is changed, moved or taken out shows.

A line is on the disk before `append` returns. A process that is killed leaves at most one torn line at the end; it is
not counted, and the next writer puts on record that it took it away.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.chassis.errors import Precondition

GENESIS = "0" * 64
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chain:
    """A log as it was read. fault: what is wrong and where, empty when nothing; torn: bytes after the last line."""

    entries: tuple[Facts, ...]
    head: str
    fault: str = ""
    torn: bytes = b""


def canonical(body: Any) -> str:
    """The one text of a JSON value: keys sorted, no spaces."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(text: str | bytes) -> str:
    """The hex digest of a text in UTF-8, or of bytes."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def not_written(path: Path, error: OSError) -> Precondition:
    """Why something could not be put on record; what is not, is not done either."""
    message = f"writing {path}: {error.strerror or error}; free the place or choose another folder"
    return Precondition(message, reason="evidence_not_writable")


def read(path: Path) -> Chain:
    """Reads a log and follows its hashes up to the first that does not fit."""
    content = path.read_bytes() if path.exists() else b""
    *lines, torn = content.split(b"\n")
    entries: list[Facts] = []
    head = GENESIS
    for number, line in enumerate(lines, 1):
        entry = _entry(line)
        if entry is None:
            return Chain(tuple(entries), head, f"line {number} is no entry")
        if fault := _misfit(entry, len(entries), head):
            return Chain(tuple(entries), head, f"line {number}: {fault}")
        entries.append(entry)
        head = entry["hash"]
    return Chain(tuple(entries), head, "", torn)


def _entry(line: bytes) -> Facts | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("hash"), str) else None


def _misfit(entry: Facts, count: int, head: str) -> str:
    if entry.get("prev") != head or entry.get("seq") != count:
        return "it does not follow the line before it"
    if entry["hash"] != _digest(entry):
        return "its content does not fit its hash"
    return ""


def _digest(entry: Facts) -> str:
    return sha256(canonical({name: value for name, value in entry.items() if name != "hash"}))


class ChainWriter:
    """Appends to a log; one writer at a time. Raises Precondition where another writes or the log was changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            chain = read(path)
            if chain.fault:
                message = f"appending to {path}: {chain.fault}; it was changed after it was written"
                raise Precondition(message, reason="audit_broken")
        except BlockingIOError:
            os.close(self._file)
            message = f"writing {path}: another process writes this session"
            raise Precondition(message, reason="session_in_use") from None
        except BaseException:
            os.close(self._file)
            raise
        self.entries: list[Facts] = list(chain.entries)
        self.head = chain.head
        if chain.torn:
            os.ftruncate(self._file, path.stat().st_size - len(chain.torn))
            self.append({"event": "torn_line_removed", "bytes": len(chain.torn), "sha256": sha256(chain.torn)})

    def append(self, facts: Facts) -> Facts:
        """Writes one entry through to the disk; returns it with its number and hashes. Raises Precondition where it
        cannot be; what then stands there of it the next writer takes away."""
        entry = {**facts, "seq": len(self.entries), "prev": self.head}
        entry["hash"] = _digest(entry)
        line = (canonical(entry) + "\n").encode()
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            raise not_written(self._path, error) from error
        self.entries.append(entry)
        self.head = entry["hash"]
        return entry

    def close(self) -> None:
        """Lets the log go."""
        os.close(self._file)
