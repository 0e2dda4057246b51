"""Whether a session's evidence is as it was written: the chain of the audit log, and every file that it names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from services.chassis.errors import NotFound
from services.collector.evidence import folders
from services.collector.evidence.chain import Facts, read, sha256

_PARTS = (folders.RAW, folders.REDACTED, folders.PARSED)


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found. head: the hash of the last entry that fits; unfinished: checks that began and never ended."""

    entries: int
    head: str
    outputs: int
    faults: tuple[str, ...]
    unfinished: tuple[str, ...] = ()
    torn_bytes: int = 0


def verify(folder: Path, expected_head: str = "") -> Audit:
    """Follows the log and hashes every file again. expected_head: a head noted elsewhere, which must be in the log.

    Raises NotFound where there is no log.
    """
    path = folder / folders.AUDIT
    if not path.is_file():
        raise NotFound(f"there is no audit log in {folder}", reason="audit_not_found")
    chain = read(path)
    finished = {str(entry["evidence_ref"]): entry for entry in chain.entries if entry["event"] == "check_finished"}
    begun = [str(entry["evidence_ref"]) for entry in chain.entries if entry["event"] == "check_started"]
    unfinished = tuple(ref for ref in begun if ref not in finished)
    faults = [f"{folders.AUDIT}: {chain.fault}"] if chain.fault else []
    if expected_head and expected_head not in {str(entry["hash"]) for entry in chain.entries}:
        faults.append(f"{folders.AUDIT}: no entry has the hash {expected_head}; its end was taken off")
    faults += [fault for ref, entry in finished.items() for fault in _output_faults(folder, ref, entry)]
    faults += _index_faults(folder, chain.entries)
    if not chain.fault:
        faults += _strangers(folder, set(finished) | set(unfinished))
    return Audit(len(chain.entries), chain.head, len(finished), tuple(faults), unfinished, len(chain.torn))


def _output_faults(folder: Path, ref: str, entry: Facts) -> list[str]:
    return [
        fault
        for part in _PARTS
        if (fault := _changed(folder, folders.place(folder, part, ref), {str(entry[f"{part}_sha256"])}))
    ]


def _index_faults(folder: Path, entries: tuple[Facts, ...]) -> list[str]:
    """What stands in each index must be what was written last, or what a killed writer had announced after that."""
    allowed: dict[str, set[str]] = {}
    for entry in entries:
        if entry["event"] == "index_written":
            allowed[str(entry["name"])] = {str(entry["sha256"])}
        elif entry["event"] == "index_announced" and str(entry["name"]) in allowed:
            allowed[str(entry["name"])].add(str(entry["sha256"]))
    places = {name: folders.index_place(folder, name) for name in sorted(allowed)}
    return [fault for name, path in places.items() if (fault := _changed(folder, path, allowed[name]))]


def _changed(folder: Path, path: Path, allowed: set[str]) -> str:
    name = path.relative_to(folder)
    if not path.is_file():
        return f"{name} is missing"
    return "" if sha256(path.read_bytes()) in allowed else f"{name} was changed after it was written"


def _strangers(folder: Path, known: set[str]) -> list[str]:
    found = (path for part in _PARTS for path in sorted((folder / part).glob("*.json")))
    return [f"{path.relative_to(folder)} is in no entry of the log" for path in found if path.stem not in known]
