"""What the question of a diagnosis means: the phenomena that its words describe, recorded as evidence."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Observation

from gateway.contracts.clients import MatcherClient
from gateway.investigation.model import Case, CheckRun, Ending, Finding
from gateway.investigation.state import QUESTION
from services.collector.evidence import session_evidence

# Each sentence or part of one is understood by itself.
_ENDS = re.compile(r"[;；。！？!?\n]+")
_MOST_PARTS = 8
# The matcher reads no more of one observation.
_MOST_CHARACTERS = 20_000


async def read_question(matcher: MatcherClient, redact: Callable[[str], str], root: Path, case: Case) -> CheckRun:
    """The case's question as a look, recorded in its session. Words that are unclear are recorded without a finding."""
    parts = [part.strip() for part in _ENDS.split(case.question) if part.strip()][:_MOST_PARTS]
    observations = tuple(Observation(part[:_MOST_CHARACTERS]) for part in parts)
    language = "en" if case.question.isascii() else "zh"
    reply = await matcher.match(MatchPhenomenaRequest(case.snapshot_id, observations, language=language))
    found: dict[str, Finding] = {}
    for part, item in zip(parts, reply.interpretations, strict=True):
        if item.match is not None and item.match.verdict is not None:
            found.setdefault(item.match.phenomenon_id, Finding(item.match.phenomenon_id, item.match.verdict, part))
    return _record(redact, root, case, tuple(found.values()))


def _record(redact: Callable[[str], str], root: Path, case: Case, findings: tuple[Finding, ...]) -> CheckRun:
    parsed = [
        {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict.value, "words": item.words} for item in findings
    ]
    with session_evidence.EvidenceStore(root, case.session_id, redact, time.time) as store:
        ref = store.begin(QUESTION, case.target_id, {})
        body = {"signals": [], "findings": parsed}
        store.finish(ref, session_evidence.CheckOutcome.DONE, "", case.question, body, 0.0)
    return CheckRun(QUESTION, Ending.DONE, findings=findings, evidence_ref=ref)
