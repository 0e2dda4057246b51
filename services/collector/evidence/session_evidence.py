"""The part of this room for the command line: a session's folder of evidence, its journal, documents and audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.chassis.errors import NotFound
from services.chassis.messages import Message
from services.chassis.settings import load
from services.collector.evidence import evidence_store
from services.collector.evidence.chain import ChainWriter, Facts, read_chain, sha256
from services.collector.evidence.evidence_store import (
    INDEX,
    EvidenceStore,
    create_session_folder,
    index_place,
    session_folder,
)
from services.collector.model import CheckOutcome

__all__ = [
    "INDEX",
    "Audit",
    "ChainWriter",
    "CheckOutcome",
    "EvidenceStore",
    "create_session_folder",
    "index_place",
    "redaction_of",
    "session_folder",
    "verify",
]
_PARTS = (evidence_store.RAW, evidence_store.REDACTED, evidence_store.PARSED)


def redaction_of(variables: Mapping[str, str]) -> Callable[[str], str]:
    """The function that removes secrets from a text, and addresses if the settings say so."""
    from services.collector.settings import CollectorSettings

    return load(CollectorSettings, variables).redaction()


@dataclass(frozen=True, slots=True)
class Audit:
    """The result. head: the hash of the last valid entry; unfinished: checks that started and never ended."""

    entries: int
    head: str
    outputs: int
    faults: tuple[Message, ...]
    unfinished: tuple[str, ...] = ()
    torn_bytes: int = 0


def verify(folder: Path, expected_head: str = "") -> Audit:
    """Follows the log and hashes every file again. expected_head: a hash noted elsewhere, which must be in the log.

    Raises NotFound if there is no log.
    """
    path = folder / evidence_store.AUDIT
    if not path.is_file():
        raise NotFound("audit_not_found", folder=str(folder))
    chain = read_chain(path)
    finished = {str(entry["evidence_ref"]): entry for entry in chain.entries if entry["event"] == "check_finished"}
    begun = [str(entry["evidence_ref"]) for entry in chain.entries if entry["event"] == "check_started"]
    unfinished = tuple(ref for ref in begun if ref not in finished)
    faults = [Message("audit_broken.log", {"why": chain.fault})] if chain.fault else []
    if expected_head and expected_head not in {str(entry["hash"]) for entry in chain.entries}:
        faults.append(Message("audit_broken.head", {"head": expected_head}))
    faults += [fault for ref, entry in finished.items() for fault in _output_faults(folder, ref, entry)]
    faults += _index_faults(folder, chain.entries)
    if not chain.fault:
        faults += _unrecorded(folder, set(finished) | set(unfinished))
    return Audit(len(chain.entries), chain.head, len(finished), tuple(faults), unfinished, len(chain.torn))


def _output_faults(folder: Path, ref: str, entry: Facts) -> list[Message]:
    return [
        fault
        for part in _PARTS
        if (fault := _changed(folder, evidence_store.place(folder, part, ref), {str(entry[f"{part}_sha256"])}))
    ]


def _index_faults(folder: Path, entries: tuple[Facts, ...]) -> list[Message]:
    """Each index must have the content that was written last, or that a killed writer announced after that."""
    allowed: dict[str, set[str]] = {}
    for entry in entries:
        if entry["event"] == "index_written":
            allowed[str(entry["name"])] = {str(entry["sha256"])}
        elif entry["event"] == "index_announced" and str(entry["name"]) in allowed:
            allowed[str(entry["name"])].add(str(entry["sha256"]))
    places = {name: evidence_store.index_place(folder, name) for name in sorted(allowed)}
    return [fault for name, path in places.items() if (fault := _changed(folder, path, allowed[name]))]


def _changed(folder: Path, path: Path, allowed: set[str]) -> Message | None:
    file = str(path.relative_to(folder))
    if not path.is_file():
        return Message("audit_broken.missing", {"file": file})
    return None if sha256(path.read_bytes()) in allowed else Message("audit_broken.changed", {"file": file})


def _unrecorded(folder: Path, known: set[str]) -> list[Message]:
    found = (path for part in _PARTS for path in sorted((folder / part).glob("*.json")))
    strange = (path.relative_to(folder) for path in found if path.stem not in known)
    return [Message("audit_broken.unrecorded", {"file": str(file)}) for file in strange]
