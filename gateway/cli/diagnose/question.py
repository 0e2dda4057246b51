"""What the question of a diagnosis means: the phenomena that its words describe, recorded as evidence."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Standing
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import MatcherClient
from gateway.investigation.model import Case, CheckRun, Ending, Finding
from gateway.investigation.state import QUESTION
from services.collector.evidence import session_evidence

# The matcher reads no more of one message.
_MOST_CHARACTERS = 20_000


async def read_question(matcher: MatcherClient, redact: Callable[[str], str], root: Path, case: Case) -> CheckRun:
    """The case's question as a look, recorded in its session. Words that are unclear are recorded without a finding."""
    message = case.question[:_MOST_CHARACTERS]
    language = "en" if case.question.isascii() else "zh"
    reply = await matcher.match(MatchPhenomenaRequest(case.snapshot_id, language=language, message=message))
    counted = [item for item in reply.readings if item.standing is Standing.COUNTS and item.verdict is not None]
    found = tuple(Finding(item.phenomenon_id, item.verdict or Verdict.UNKNOWN, item.words) for item in counted)
    return _record(redact, root, case, found)


def _record(redact: Callable[[str], str], root: Path, case: Case, findings: tuple[Finding, ...]) -> CheckRun:
    parsed = [
        {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict.value, "words": item.words} for item in findings
    ]
    with session_evidence.EvidenceStore(root, case.session_id, redact, time.time) as store:
        ref = store.begin(QUESTION, case.target_id, {})
        body = {"signals": [], "findings": parsed}
        store.finish(ref, session_evidence.CheckOutcome.DONE, "", case.question, body, 0.0)
    return CheckRun(QUESTION, Ending.DONE, findings=findings, evidence_ref=ref)
