"""Recorders: they name each step before it runs, and store its outcome, refusals included."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from services.chassis.errors import NotFound
from services.collector.evidence.chain import read_chain
from services.collector.evidence.evidence_store import EvidenceStore, read_evidence
from services.collector.evidence.folders import AUDIT, session_folder
from services.collector.model import CheckOutcome, Evidence

MOST_KEPT = 1000
Redact = Callable[[str], str]


class Recorder(Protocol):
    """Records steps. All methods run off the event loop."""

    def begin(self, session_id: str, check_id: str, target_id: str, parameters: Mapping[str, str]) -> str:
        """Records a check before it runs; returns the reference of its evidence."""

    def refuse(self, session_id: str, check_id: str, target_id: str, reason: str) -> str:
        """Records a check that the gate refused."""

    def repeat(self, session_id: str, check_id: str, target_id: str, evidence_ref: str) -> None:
        """Records that a recent result was returned again."""

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

    def count_checks(self, session_id: str) -> int:
        """The number of checks that any process started in a session."""

    def read(self, session_id: str, evidence_ref: str) -> Evidence:
        """One stored, redacted output. Raises NotFound with the reason evidence_not_found."""


class StoredRecorder:
    """Stores each session's steps in a folder below `root`. now: seconds since 1970, UTC."""

    def __init__(self, root: Path, redact: Redact, now: Callable[[], float]) -> None:
        self._root = root
        self._redact = redact
        self._now = now

    def begin(self, session_id: str, check_id: str, target_id: str, parameters: Mapping[str, str]) -> str:
        """See Recorder."""
        with self._opened(session_id) as store:
            return store.begin(check_id, target_id, parameters)

    def refuse(self, session_id: str, check_id: str, target_id: str, reason: str) -> str:
        """See Recorder."""
        with self._opened(session_id) as store:
            return store.refuse(check_id, target_id, reason)

    def repeat(self, session_id: str, check_id: str, target_id: str, evidence_ref: str) -> None:
        """See Recorder."""
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
        """See Recorder."""
        with self._opened(session_id) as store:
            return store.finish(ref, outcome, reason, output, parsed, seconds)

    def count_checks(self, session_id: str) -> int:
        """See Recorder."""
        log = read_chain(session_folder(self._root, session_id) / AUDIT)
        return sum(1 for entry in log.entries if entry["event"] == "check_started")

    def read(self, session_id: str, evidence_ref: str) -> Evidence:
        """See Recorder."""
        return read_evidence(session_folder(self._root, session_id), evidence_ref)

    def _opened(self, session_id: str) -> EvidenceStore:
        # Opened for one step only: between steps other processes may write the session's index.
        return EvidenceStore(self._root, session_id, self._redact, self._now)


class MemoryRecorder:
    """Keeps the newest steps of this process in memory, redacted, and nothing on disk."""

    def __init__(self, redact: Redact, now: Callable[[], float]) -> None:
        self._redact = redact
        self._now = now
        self._kept: OrderedDict[tuple[str, str], Evidence] = OrderedDict()
        self._number = 0

    def begin(self, session_id: str, check_id: str, target_id: str, parameters: Mapping[str, str]) -> str:
        """See Recorder."""
        self._number += 1
        return f"{self._number:04d}-{check_id}"

    def refuse(self, session_id: str, check_id: str, target_id: str, reason: str) -> str:
        """See Recorder."""
        return self.begin(session_id, check_id, target_id, {})

    def repeat(self, session_id: str, check_id: str, target_id: str, evidence_ref: str) -> None:
        """See Recorder."""

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
        """See Recorder."""
        text = self._redact(output)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self._kept[session_id, ref] = Evidence(ref.partition("-")[2], text, digest, int(self._now()))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return digest

    def count_checks(self, session_id: str) -> int:
        """See Recorder. Nothing outlives this process."""
        return 0

    def read(self, session_id: str, evidence_ref: str) -> Evidence:
        """See Recorder."""
        found = self._kept.get((session_id, evidence_ref))
        if found is None:
            raise NotFound("evidence_not_found.of_session", ref=evidence_ref, session=session_id)
        return found
