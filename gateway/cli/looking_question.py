"""What a question means: the phenomena that its words speak of, kept with them as evidence."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.language import Verdict
from gateway.looking.model import Ending, Finding, Looked
from gateway.looking.state import TOLD

# Each sentence or part of one is understood by itself.
_ENDS = re.compile(r"[;；。！？!?\n]+")
_MOST_PARTS = 8

if TYPE_CHECKING:
    from services.collector.collecting import Collector


def heard(collector: Collector, root: Path, session_id: str, target_id: str, question: str, snapshot: bytes) -> Looked:
    """The question as a look, on record in the session. Words that mean nothing sure are kept and count for nothing."""
    findings = asyncio.run(_meant(collector.redact(question), snapshot))
    return kept(collector.redact, root, session_id, target_id, question, findings)


def parts_of(words: str) -> list[str]:
    """The sentences of a question, each of which is understood by itself."""
    return [part.strip() for part in _ENDS.split(words) if part.strip()][:_MOST_PARTS]


def kept(
    redact: Callable[[str], str],
    root: Path,
    session_id: str,
    target_id: str,
    question: str,
    findings: tuple[Finding, ...],
) -> Looked:
    """What a question means, put on record like a check."""
    from services.collector.evidence.store import EvidenceStore
    from services.collector.model import CheckOutcome

    told = [
        {"phenomenon_id": item.phenomenon_id, "verdict": item.verdict.value, "words": item.words} for item in findings
    ]
    with EvidenceStore(root, session_id, redact, time.time) as store:
        ref = store.begin(TOLD, target_id, {})
        store.finish(ref, CheckOutcome.DONE, "", question, {"signals": [], "findings": told}, 0.0)
    return Looked(TOLD, Ending.DONE, findings=findings, evidence_ref=ref)


async def _meant(words: str, snapshot: bytes) -> tuple[Finding, ...]:
    from services.matcher import embedding, glossary
    from services.matcher.library import name_of, read_snapshot
    from services.matcher.match import MAX_CHARACTERS, Matcher
    from services.matcher.model import Match, MatchContext, MatchRequest, Observation
    from services.matcher.settings import MatcherSettings
    from services.matcher.snapshots import FixedSource, Snapshots
    from services.matcher.store import Store
    from services.matcher.text import language_of

    glossaries, embedder = glossary.load(), embedding.static_embedder()
    source = FixedSource(read_snapshot(snapshot, name_of(snapshot)))
    folder = MatcherSettings().matcher_cache_dir.expanduser()
    snapshots = Snapshots(source, Store(None, 5.0), glossaries, embedder, kept_in=folder)
    matcher = Matcher(snapshots, glossaries, embedder)
    context = MatchContext(language="en" if language_of(words) == "en" else "zh")
    parts = parts_of(words)
    said = tuple(Observation(part[:MAX_CHARACTERS]) for part in parts)
    answer = await matcher.match(MatchRequest("", said, context))
    found: dict[str, Finding] = {}
    for part, item in zip(parts, answer.interpretations, strict=True):
        if isinstance(item.outcome, Match):
            meant = Finding(item.outcome.phenomenon_id, Verdict(item.outcome.verdict.value), part)
            found.setdefault(meant.phenomenon_id, meant)
    return tuple(found.values())
