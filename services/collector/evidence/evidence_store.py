"""The evidence of one session: each step recorded before it runs, each output redacted, hashed and capped."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from services.chassis.errors import InvalidInput, NotFound
from services.chassis.problems import system_problem
from services.collector.evidence.chain import ChainWriter, Facts, canonical, read_chain, sha256, write_error
from services.collector.model import CheckOutcome, GetEvidenceResponse

MOST_BYTES = 262_144
MOST_SESSION_BYTES = 33_554_432
Redact = Callable[[str], str]
RAW, REDACTED, PARSED, INDEX = "raw", "redacted", "parsed", "index"
AUDIT = "audit.jsonl"
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REF = re.compile(r"\d{4}-[a-z0-9_.]{1,80}")
_INDEX_NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\.json")


class EvidenceStore:
    """Use as a context manager. redact: applied to every text; clock: seconds since 1970.

    keep_raw also stores the original outputs, readable by this user alone; otherwise only their hash and size.
    """

    def __init__(
        self,
        root: Path,
        session_id: str,
        redact: Redact,
        clock: Callable[[], float],
        keep_raw: bool = False,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.folder = create_session_folder(root, session_id)
        self.session_id = session_id
        self._redact = redact
        self._clock = clock
        self._keep_raw = keep_raw
        self._most = most_bytes
        self._audit = ChainWriter(self.folder / AUDIT)
        self._count = sum(1 for entry in self._audit.entries if "evidence_ref" in entry and _opens(entry))
        self._bytes = sum(int(entry.get("bytes", 0)) for entry in self._audit.entries)

    def __enter__(self) -> EvidenceStore:
        return self

    def __exit__(self, *raised: object) -> None:
        self._audit.close()

    @property
    def head(self) -> str:
        """The hash of the last entry of the audit log."""
        return self._audit.head

    def note(self, event: str, **facts: Any) -> Facts:
        """Records an event."""
        cleaned = {name: fact if _is_own(name) else self._clean(fact) for name, fact in facts.items()}
        return self._audit.append({"at": self._clock(), "event": event, **cleaned})

    def begin(self, check_id: str, target_id: str, parameters: Mapping[str, str]) -> str:
        """Records a check before it runs; returns the reference of its future output."""
        ref = self._next(check_id)
        self.note(
            "check_started", evidence_ref=ref, check_id=check_id, target_id=target_id, parameters=dict(parameters)
        )
        return ref

    def refuse(self, check_id: str, target_id: str, reason: str) -> str:
        """Records a check that was refused."""
        ref = self._next(check_id)
        self.note("check_refused", evidence_ref=ref, check_id=check_id, target_id=target_id, reason=reason)
        return ref

    def repeat(self, ref: str, check_id: str, target_id: str) -> None:
        """Records that an earlier result was returned again, to a caller that may have missed it."""
        self.note("check_given_again", evidence_ref=ref, check_id=check_id, target_id=target_id)

    def finish(
        self, ref: str, outcome: CheckOutcome, reason: str, output: str, parsed: Mapping[str, Any], seconds: float
    ) -> str:
        """Stores the output of a check, then records its end with the hashes of the stored files.

        Returns the SHA-256 of the stored, redacted output, the same as `read` gives.
        """
        check_id = ref.partition("-")[2]
        redacted, truncated = self._capped(self._redact(output))
        body = canonical({"check_id": check_id, "at": int(self._clock()), "output": redacted, "truncated": truncated})
        found = canonical(self._clean({"check_id": check_id, **parsed}))
        raw = canonical({"sha256": sha256(output), "bytes": len(output.encode())} | self._raw(output))
        for part, text in ((RAW, raw), (REDACTED, body), (PARSED, found)):
            write_atomically(place(self.folder, part, ref), text)
        self._bytes += len(body)
        self.note(
            "check_finished",
            evidence_ref=ref,
            outcome=outcome,
            reason=reason,
            elapsed_seconds=round(seconds, 6),
            bytes=len(body),
            raw_sha256=sha256(raw),
            redacted_sha256=sha256(body),
            parsed_sha256=sha256(found),
        )
        return sha256(body)

    def write_index(self, name: str, body: Mapping[str, Any]) -> Path:
        """Stores a document about the session, and records its hash before and after it is in place."""
        text = json.dumps(body, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
        path = index_place(self.folder, name)
        self.note("index_announced", name=name, sha256=sha256(text))
        write_atomically(path, text)
        self.note("index_written", name=name, sha256=sha256(text))
        return path

    def read(self, ref: str) -> GetEvidenceResponse:
        """One stored output. Raises NotFound."""
        return read_evidence(self.folder, ref)

    def _next(self, check_id: str) -> str:
        self._count += 1
        return f"{self._count:04d}-{check_id}"

    def _capped(self, text: str) -> tuple[str, bool]:
        room = max(0, min(self._most, MOST_SESSION_BYTES - self._bytes))
        encoded = text.encode()
        return (text, False) if len(encoded) <= room else (encoded[:room].decode(errors="ignore"), True)

    def _raw(self, output: str) -> dict[str, Any]:
        if not self._keep_raw:
            return {}
        text, truncated = self._capped(output)
        return {"output": text, "truncated": truncated}

    def _clean(self, value: Any) -> Any:
        """Every text in a JSON value, redacted."""
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, Mapping):
            return {str(name): self._clean(item) for name, item in value.items()}
        return [self._clean(item) for item in value] if isinstance(value, list | tuple) else value


def _is_own(name: str) -> bool:
    """True for facts that need no redaction: a digest may contain digits that look like a phone number."""
    return name == "sha256" or name.endswith("_sha256") or name in ("evidence_ref", "check_id", "outcome", "name")


def _opens(entry: Facts) -> bool:
    return entry["event"] in ("check_started", "check_refused")


def read_evidence(folder: Path, ref: str) -> GetEvidenceResponse:
    """One stored output of a session's folder. Raises NotFound."""
    path = place(folder, REDACTED, ref)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise NotFound("evidence_not_found.not_stored", ref=ref, folder=str(folder)) from None
    body = json.loads(text)
    return GetEvidenceResponse(body["check_id"], body["output"], sha256(text), int(body["at"]))


class Recorder:
    """Stores each session's steps in a folder below `root`. now: seconds since 1970, UTC. Blocking."""

    def __init__(self, root: Path, redact: Redact, now: Callable[[], float]) -> None:
        self._root = root
        self._redact = redact
        self._now = now

    def begin(self, session_id: str, check_id: str, target_id: str, parameters: Mapping[str, str]) -> str:
        """Records a check before it runs; returns the reference of its evidence."""
        with self._opened(session_id) as store:
            return store.begin(check_id, target_id, parameters)

    def refuse(self, session_id: str, check_id: str, target_id: str, reason: str) -> str:
        """Records a check that the gate refused."""
        with self._opened(session_id) as store:
            return store.refuse(check_id, target_id, reason)

    def repeat(self, session_id: str, check_id: str, target_id: str, evidence_ref: str) -> None:
        """Records that a recent result was returned again."""
        with self._opened(session_id) as store:
            store.repeat(evidence_ref, check_id, target_id)

    def finish(
        self,
        session_id: str,
        ref: str,
        outcome: CheckOutcome,
        reason: str,
        output: str,
        parsed: Mapping[str, Any],
        seconds: float,
    ) -> str:
        """Redacts and stores the output of a check; returns the hash of what was stored, as `read` gives it."""
        with self._opened(session_id) as store:
            return store.finish(ref, outcome, reason, output, parsed, seconds)

    def count_checks(self, session_id: str) -> int:
        """The number of checks that any process started in a session."""
        log = read_chain(session_folder(self._root, session_id) / AUDIT)
        return sum(1 for entry in log.entries if entry["event"] == "check_started")

    def read(self, session_id: str, evidence_ref: str) -> GetEvidenceResponse:
        """One stored, redacted output. Raises NotFound with the reason evidence_not_found."""
        return read_evidence(session_folder(self._root, session_id), evidence_ref)

    def _opened(self, session_id: str) -> EvidenceStore:
        # Opened for one step only: between steps other processes may write the session's index.
        return EvidenceStore(self._root, session_id, self._redact, self._now)


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
