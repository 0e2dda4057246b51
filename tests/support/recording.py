"""A recorder that keeps its steps in memory, and nothing on disk."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from services.chassis.errors import NotFound
from services.collector.evidence.evidence_store import Recorder
from services.collector.model import CheckOutcome, GetEvidenceResponse

MOST_KEPT = 1000
Redact = Callable[[str], str]


class MemoryRecorder(Recorder):
    """Keeps the newest steps of this process in memory, redacted, and nothing on disk."""

    def __init__(self, redact: Redact, now: Callable[[], float]) -> None:
        self._redact = redact
        self._now = now
        self._kept: OrderedDict[tuple[str, str], GetEvidenceResponse] = OrderedDict()
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
        self._kept[session_id, ref] = GetEvidenceResponse(ref.partition("-")[2], text, digest, int(self._now()))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return digest

    def count_checks(self, session_id: str) -> int:
        """See Recorder. Nothing outlives this process."""
        return 0

    def read(self, session_id: str, evidence_ref: str) -> GetEvidenceResponse:
        """See Recorder."""
        found = self._kept.get((session_id, evidence_ref))
        if found is None:
            raise NotFound("evidence_not_found.not_stored", ref=evidence_ref, folder=session_id)
        return found
