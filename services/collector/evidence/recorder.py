"""The recorder: it names each step before it runs, and stores its outcome, refusals included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from services.collector.evidence.chain import read_chain
from services.collector.evidence.evidence_store import EvidenceStore, read_evidence
from services.collector.evidence.folders import AUDIT, session_folder
from services.collector.model import CheckOutcome, GetEvidenceResponse

Redact = Callable[[str], str]


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
