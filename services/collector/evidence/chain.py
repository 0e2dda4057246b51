"""A log of JSON lines, each with the hash of the one before, so that any change, move or removal shows.

A line is on the disk before `append` returns. A killed process leaves at most one torn line at the end; readers ignore
it, and the next writer removes it and records the removal.
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
from services.chassis.messages import Message
from services.chassis.problems import system_problem

GENESIS = "0" * 64
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chain:
    """A log as read. fault: what is wrong and where, if anything; torn: bytes after the last line."""

    entries: tuple[Facts, ...]
    head: str
    fault: Message | None = None
    torn: bytes = b""


def canonical(body: Any) -> str:
    """The canonical text of a JSON value: keys sorted, no spaces."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(text: str | bytes) -> str:
    """The hex digest of a text in UTF-8, or of bytes."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def write_error(path: Path, error: OSError) -> Precondition:
    """The error for a record that cannot be written; an action without a record does not happen."""
    return Precondition("evidence_not_writable.file", path=str(path), why=system_problem(error))


def read_chain(path: Path) -> Chain:
    """Reads a log and follows its hashes up to the first that does not fit."""
    content = path.read_bytes() if path.exists() else b""
    *lines, torn = content.split(b"\n")
    entries: list[Facts] = []
    head = GENESIS
    for number, line in enumerate(lines, 1):
        entry = _entry(line)
        if entry is None:
            return Chain(tuple(entries), head, Message("audit_broken.line", {"number": number}))
        if fault := _misfit(entry, len(entries), head):
            return Chain(tuple(entries), head, Message(fault, {"number": number}))
        entries.append(entry)
        head = entry["hash"]
    return Chain(tuple(entries), head, None, torn)


def _entry(line: bytes) -> Facts | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("hash"), str) else None


def _misfit(entry: Facts, count: int, head: str) -> str:
    """The key of what is wrong with an entry; empty if nothing is."""
    if entry.get("prev") != head or entry.get("seq") != count:
        return "audit_broken.order"
    if entry["hash"] != _digest(entry):
        return "audit_broken.hash"
    return ""


def _digest(entry: Facts) -> str:
    return sha256(canonical({name: value for name, value in entry.items() if name != "hash"}))


class ChainWriter:
    """Appends to a log; one writer at a time. Raises Precondition if another process writes or the log was changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            chain = read_chain(path)
            if chain.fault:
                raise Precondition("audit_broken.append", path=str(path), why=chain.fault)
        except BlockingIOError:
            os.close(self._file)
            raise Precondition("session_in_use.writer", path=str(path)) from None
        except BaseException:
            os.close(self._file)
            raise
        self.entries: list[Facts] = list(chain.entries)
        self.head = chain.head
        if chain.torn:
            os.ftruncate(self._file, path.stat().st_size - len(chain.torn))
            self.append({"event": "torn_line_removed", "bytes": len(chain.torn), "sha256": sha256(chain.torn)})

    def append(self, facts: Facts) -> Facts:
        """Writes one entry through to the disk and returns it with its number and hashes.

        Raises Precondition if that fails; the next writer removes a partial line.
        """
        entry = {**facts, "seq": len(self.entries), "prev": self.head}
        entry["hash"] = _digest(entry)
        line = (canonical(entry) + "\n").encode()
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            raise write_error(self._path, error) from error
        self.entries.append(entry)
        self.head = entry["hash"]
        return entry

    def close(self) -> None:
        """Closes the log."""
        os.close(self._file)
