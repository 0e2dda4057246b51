"""One diagnosis from its first step to its documents; taken up again after a kill, replayed without a target."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.cli import looking_parts
from gateway.cli.looking_knowledge import Knowledge, knowledge_of
from gateway.looking import stored
from gateway.looking.loop import began, diagnose, gather
from gateway.looking.model import Case, Eyes, Mind, Stop
from gateway.looking.proposing import Proposer, RecordedProposer, had_planner
from gateway.looking.report import Words, evidence_pack, read_pack, read_report, report
from gateway.looking.state import could_look, from_looks
from gateway.looking.trace import Event, Journal, RecordedEyes, document, events_of, read_case

if TYPE_CHECKING:
    from services.collector.collecting import Collector
    from services.collector.evidence.chain import ChainWriter
    from services.collector.evidence.store import EvidenceStore

GATHERED = "collection.jsonl"
TRACE, JOURNAL, REPORT, PACK = (
    "diagnosis_trace.json",
    "diagnosis_trace.jsonl",
    "diagnosis_report.json",
    "evidence_pack.json",
)


@dataclass(frozen=True)
class Sight:
    """What a diagnosis sees and thinks with. eyes: given the seconds that an earlier process had used."""

    root: Path
    redact: Callable[[str], str]
    eyes: Callable[[Case, float], Eyes]
    mind: Mind
    words: Words
    proposer: Proposer | None = None


@dataclass(frozen=True)
class Finished:
    """A diagnosis that ended, and where its evidence is."""

    report: dict[str, Any]
    folder: Path


def text_of(body: object) -> str:
    """A document as it stands in its file."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def new_session_id() -> str:
    """A name that sorts by time."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + os.urandom(3).hex()


def sight_here(collector: Collector, root: Path, knowledge: Knowledge, proposer: Proposer | None = None) -> Sight:
    """Everything in this process."""
    return Sight(
        root,
        collector.redact,
        lambda case, before: _live(collector, case, before),
        knowledge.mind,
        knowledge.words,
        proposer,
    )


def look(collector: Collector, root: Path, case: Case, knowledge: Knowledge) -> Finished:
    """Runs a diagnosis in this process."""
    return asyncio.run(looked(sight_here(collector, root, knowledge), case))


async def looked(sight: Sight, case: Case) -> Finished:
    """Runs a diagnosis that is new, or goes on with one whose process was killed."""
    from services.collector.evidence import folders
    from services.collector.evidence.chain import ChainWriter

    folder = folders.made(sight.root, case.session_id)
    journal = ChainWriter(folder / folders.INDEX / JOURNAL)
    try:
        recorded, spent = _opened(journal, sight.redact, sight.root, case)
        notes = Journal(recorded, journal.append)
        eyes = RecordedEyes(recorded, sight.eyes(case, spent))
        planner = RecordedProposer(recorded, sight.proposer) if sight.proposer or had_planner(recorded) else None
        state, stop = await diagnose(case, eyes, sight.mind, notes, planner)
        body = report(case, state, stop, sight.words)
        with _store(sight.redact, sight.root, case) as store:
            _keep(store, case, state.looks, notes, body, journal.head)
    finally:
        journal.close()
    return Finished(body, folder)


def _opened(journal: ChainWriter, redact: Callable[[str], str], root: Path, case: Case) -> tuple[list[Event], float]:
    """What an earlier process noted, and the seconds it had used; puts on record that this one begins."""
    recorded = [_bare(entry) for entry in journal.entries if entry.get("event") != "torn_line_removed"]
    spent = max((float(event["collected"]["seconds"]) for event in recorded if "collected" in event), default=0.0)
    event = "session_resumed" if recorded else "session_began"
    if not recorded:
        # Before anything else is on record, so that whatever has a record can be gone on with.
        recorded = [began(case)]
        journal.append(recorded[0])
    with _store(redact, root, case) as store:
        store.note(event, target_id=case.target_id)
    return recorded, spent


def collect(collector: Collector, root: Path, case: Case, knowledge: Knowledge) -> Path:
    """Evidence only, as a pack, new or gone on with; the value is the session's folder.

    Raises DependencyDown where nothing was seen.
    """
    from services.chassis.errors import DependencyDown
    from services.collector.evidence import folders
    from services.collector.evidence.chain import ChainWriter

    journal = ChainWriter(folders.made(root, case.session_id) / folders.INDEX / GATHERED)
    try:
        recorded, spent = _opened(journal, collector.redact, root, case)
        eyes = RecordedEyes(recorded, _live(collector, case, spent))
        state = asyncio.run(gather(case, eyes, knowledge.mind, Journal(recorded, journal.append)))
    finally:
        journal.close()
    with _store(collector.redact, root, case) as store:
        # With the pack in place the journal has served: nothing is left to go on with.
        store.write_index(PACK, evidence_pack(case, state.looks)).with_name(GATHERED).unlink()
    if not could_look(state):
        reason = next((look.reason for look in state.looks), "there is no check for it")
        raise DependencyDown(f"collecting from {case.target_id}: {reason}", reason="target_unreachable")
    return store.folder


def _live(collector: Collector, case: Case, before: float = 0.0) -> looking_parts.LiveEyes:
    budget, now = case.budget.time_budget_seconds, time.monotonic()
    return looking_parts.LiveEyes(collector, case.session_id, case.target_id, budget, time.monotonic, now, before)


def _store(redact: Callable[[str], str], root: Path, case: Case) -> EvidenceStore:
    from services.collector.evidence.store import EvidenceStore

    return EvidenceStore(root, case.session_id, redact, time.time)


def _keep(store: EvidenceStore, case: Case, looks: Any, notes: Journal, body: dict[str, Any], trace_head: str) -> None:
    store.note("trace_closed", head=trace_head)
    store.write_index(TRACE, document(notes.events))
    store.write_index(PACK, evidence_pack(case, looks))
    store.write_index(REPORT, body)


def interrupted(root: Path, session_id: str, journal: str = JOURNAL) -> Case:
    """The case of a session that was begun; journal: GATHERED for evidence alone. Raises NotFound."""
    from services.chassis.errors import NotFound
    from services.collector.evidence import folders

    path = folders.session_folder(root, session_id) / folders.INDEX / journal
    if not path.is_file():
        diagnosis = f"there is no diagnosis {session_id} in {root}"
        collection = f"there is no unfinished collection {session_id} in {root}"
        raise NotFound(diagnosis if journal == JOURNAL else collection, reason="session_not_found")
    return read_case(events_of(stored.text_of(path, "bad_trace"), str(path))[0])


def replayed(trace: Path, data_dir: Path) -> tuple[dict[str, Any], bool | None]:
    """The report that a trace leads to, without target or model; whether it is the stored one to the letter.

    None where no report is stored beside the trace. Raises Precondition where a step comes out otherwise.
    """
    events = events_of(stored.text_of(trace, "bad_trace"), str(trace))
    case = read_case(events[0])
    knowledge = knowledge_of(data_dir, case.snapshot_id)
    planner = RecordedProposer(events) if had_planner(events) else None
    notes = Journal(events, None)
    state, stop = asyncio.run(diagnose(case, RecordedEyes(events), knowledge.mind, notes, planner))
    body = report(case, state, stop, knowledge.words)
    kept = trace.parent / REPORT
    return body, kept.read_bytes() == text_of(body).encode() if kept.is_file() else None


def reported(root: Path, session_id: str, data_dir: Path) -> dict[str, Any]:
    """The report of a session that ended; where only evidence was collected, what it comes to. Raises NotFound."""
    from services.chassis.errors import NotFound
    from services.collector.evidence import folders

    folder = folders.session_folder(root, session_id)
    path, pack = folders.index_place(folder, REPORT), folders.index_place(folder, PACK)
    if path.is_file():
        return read_report(stored.text_of(path, "bad_report"), str(path))
    if not pack.is_file():
        for verb, journal in (("diagnose", JOURNAL), ("collect", GATHERED)):
            if (path.parent / journal).is_file():
                said = f"{session_id} was begun and not finished; `dbdiag {verb} --resume {session_id}` goes on with it"
                raise NotFound(said, reason="session_unfinished")
        raise NotFound(f"there is no report and no evidence pack in {path.parent}", reason="session_not_found")
    case, looks, seconds = read_pack(stored.text_of(pack, "bad_pack"), str(pack))
    knowledge = knowledge_of(data_dir, case.snapshot_id)
    state = asyncio.run(from_looks(case, knowledge.mind, looks, seconds))
    return report(case, state, Stop.EVIDENCE_ONLY, knowledge.words)


def _bare(entry: Event) -> Event:
    return {name: value for name, value in entry.items() if name not in ("seq", "prev", "hash")}
