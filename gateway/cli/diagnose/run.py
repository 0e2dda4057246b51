"""One investigation from its first step to its documents: run or resumed, replayed, reported from its files."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.cli.knowledge.files import settings_of, store_of
from gateway.cli.services import start_engine
from gateway.investigation.journal import (
    Event,
    Journal,
    RecordedCollector,
    make_document,
    read_case,
    read_events,
    read_text,
    strip_chain,
)
from gateway.investigation.loop import collect_evidence, diagnose, make_first_step
from gateway.investigation.model import Case, Collector, Reasoner, Stop
from gateway.investigation.model_proposals import Proposer, RecordedProposer, has_proposals
from gateway.investigation.ports import RemoteReasoner
from gateway.investigation.reasons import read_failure
from gateway.investigation.report import Words, make_evidence_pack, make_report, read_pack, read_report
from gateway.investigation.state import has_succeeded, restore_state
from services.chassis.errors import DependencyDown, NotFound
from services.chassis.messages import Message
from services.collector.evidence import session_evidence

TRACE, REPORT, PACK = "diagnosis_trace.json", "diagnosis_report.json", "evidence_pack.json"
# The journals of a diagnosis and of a collection, as they grow.
JOURNAL, GATHERED = "diagnosis_trace.jsonl", "collection.jsonl"


@dataclass(frozen=True)
class Instruments:
    """What an investigation works with. collector: takes the seconds that an earlier process had used."""

    root: Path
    redact: Callable[[str], str]
    collector: Callable[[float], Collector]
    reasoner: Reasoner
    words: Words
    proposer: Proposer | None = None

    def store(self, case: Case) -> session_evidence.EvidenceStore:
        """The evidence of the case's session."""
        return session_evidence.EvidenceStore(self.root, case.session_id, self.redact, time.time)


@dataclass(frozen=True)
class Finished:
    """A diagnosis that ended, and where its evidence is."""

    report: dict[str, Any]
    folder: Path


def to_text(body: object) -> str:
    """A document as it stands in its file."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


async def run_diagnosis(instruments: Instruments, case: Case) -> Finished:
    """Runs a diagnosis, or resumes one whose process was killed."""
    with _open_journal(instruments, case, JOURNAL) as (recorded, journal, collector):
        notes = Journal(recorded, journal.append)
        proposer = instruments.proposer
        planner = RecordedProposer(recorded, proposer) if proposer or has_proposals(recorded) else None
        state, stop = await diagnose(case, collector, instruments.reasoner, notes, planner)
        body = make_report(case, state, stop, instruments.words)
        with instruments.store(case) as store:
            store.note("trace_closed", head=journal.head)
            store.write_index(TRACE, make_document(notes.events))
            store.write_index(PACK, make_evidence_pack(case, state.looks))
            store.write_index(REPORT, body)
    return Finished(body, store.folder)


async def run_collection(instruments: Instruments, case: Case) -> Path:
    """Collects evidence into a pack, or resumes doing so; returns the session's folder.

    Raises DependencyDown where no check succeeded.
    """
    with _open_journal(instruments, case, GATHERED) as (recorded, journal, collector):
        state = await collect_evidence(case, collector, instruments.reasoner, Journal(recorded, journal.append))
    with instruments.store(case) as store:
        # With the pack in place the journal has served: nothing is left to resume.
        store.write_index(PACK, make_evidence_pack(case, state.looks)).with_name(GATHERED).unlink()
    if not has_succeeded(state):
        why = next(
            (read_failure(look.reason, look.message) for look in state.looks), Message("target_unreachable.no_check")
        )
        raise DependencyDown("target_unreachable.collecting", target=case.target_id, why=why)
    return store.folder


@contextmanager
def _open_journal(
    instruments: Instruments, case: Case, name: str
) -> Iterator[tuple[list[Event], session_evidence.ChainWriter, RecordedCollector]]:
    """The recorded steps, the journal for the next ones, and a collector that continues from there."""
    folder = session_evidence.create_session_folder(instruments.root, case.session_id)
    with contextlib.closing(session_evidence.ChainWriter(folder / session_evidence.INDEX / name)) as journal:
        recorded = [strip_chain(entry) for entry in journal.entries if entry.get("event") != "torn_line_removed"]
        spent = max((float(event["collected"]["seconds"]) for event in recorded if "collected" in event), default=0.0)
        event = "session_resumed" if recorded else "session_began"
        if not recorded:
            # First of all, so that whatever has a record can be resumed.
            recorded = [make_first_step(case)]
            journal.append(recorded[0])
        with instruments.store(case) as store:
            store.note(event, target_id=case.target_id)
        yield recorded, journal, RecordedCollector(recorded, instruments.collector(spent))


def read_interrupted(root: Path, session_id: str, journal: str = JOURNAL) -> Case:
    """The case of a session that was begun; journal: GATHERED for evidence alone. Raises NotFound."""
    path = session_evidence.session_folder(root, session_id) / session_evidence.INDEX / journal
    if not path.is_file():
        key = "session_not_found.diagnosis" if journal == JOURNAL else "session_not_found.collection"
        raise NotFound(key, session_id=session_id, folder=str(root))
    return read_case(read_events(read_text(path, "bad_trace"), str(path))[0])


async def replay_diagnosis(trace: Path, data_dir: Path) -> tuple[dict[str, Any], bool | None]:
    """The report that a trace leads to, without target or model; whether it is the stored one to the letter.

    None where no report is stored beside the trace. Raises Precondition where a step comes out otherwise.
    """
    events = read_events(read_text(trace, "bad_trace"), str(trace))
    case = read_case(events[0])
    planner = RecordedProposer(events) if has_proposals(events) else None
    async with _start_reasoner(data_dir, case.snapshot_id) as (reasoner, words):
        state, stop = await diagnose(case, RecordedCollector(events), reasoner, Journal(events, None), planner)
    body = make_report(case, state, stop, words)
    kept = trace.parent / REPORT
    return body, kept.read_bytes() == to_text(body).encode() if kept.is_file() else None


async def report_session(root: Path, session_id: str, data_dir: Path) -> dict[str, Any]:
    """The report of a finished diagnosis; for collected evidence, the report it leads to. Raises NotFound."""
    folder = session_evidence.session_folder(root, session_id)
    path, pack = session_evidence.index_place(folder, REPORT), session_evidence.index_place(folder, PACK)
    if path.is_file():
        return read_report(read_text(path, "bad_report"), str(path))
    if not pack.is_file():
        for verb, journal in (("diagnose", JOURNAL), ("collect", GATHERED)):
            if (path.parent / journal).is_file():
                raise NotFound("session_unfinished", session_id=session_id, verb=verb)
        raise NotFound("session_not_found.report", folder=str(path.parent))
    case, looks, seconds = read_pack(read_text(pack, "bad_pack"), str(pack))
    async with _start_reasoner(data_dir, case.snapshot_id) as (reasoner, words):
        return make_report(case, await restore_state(case, reasoner, looks, seconds), Stop.EVIDENCE_ONLY, words)


@contextlib.asynccontextmanager
async def _start_reasoner(data_dir: Path, snapshot_id: str) -> AsyncIterator[tuple[RemoteReasoner, Words]]:
    """An embedded engine over a snapshot of the data folder, and the snapshot's words. Raises NotFound."""
    with contextlib.closing(store_of(settings_of(data_dir))) as store:
        words = Words.of(json.loads(store.read(snapshot_id)))
        async with start_engine(store.read, snapshot_id) as services:
            yield RemoteReasoner(services.engine, snapshot_id, words.phenomena.keys()), words
