"""Small libraries and exports that the tests of knowledge write into a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

EXAMPLE_EXPORT = Path(__file__).parents[2] / "services/knowledge/library/shipped/example_export.json"
Entry = dict[str, Any]
# The same language, written by libyaml where it is there: it is many times faster.
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def both(text: str) -> dict[str, str]:
    """The same words in both languages."""
    return {"zh": text, "en": text}


def phenomenon(identity: str = "P-0001", name: str = "queries are slow", **more: Any) -> Entry:
    """A valid phenomenon."""
    observe = {"kind": "manual", "how": "ask", "present_when": both(name)}
    return {"id": identity, "name": both(name), "description": both(name), "observe": observe, **more}


def refused_phenomenon() -> Entry:
    """A phenomenon whose SQL is not admitted: it writes."""
    observe = {"kind": "sql", "how": "DELETE FROM orders", "present_when": both("rows are gone")}
    return phenomenon() | {"observe": observe}


def root_cause(identity: str = "RC-0001", links: Iterable[str] = ("P-0001",), **more: Any) -> Entry:
    """A valid cause with `usually` links."""
    linked = [{"phenomenon": item, "strength": "usually", "why": both("it does")} for item in links]
    return {
        "id": identity,
        "name": both("no index"),
        "category": "QUERY",
        "mechanism": both("it scans"),
        "links": linked,
        **more,
    }


def ticket(
    identity: str = "TK-1", cause: str | None = "RC-0001", seen: Iterable[str] = ("P-0001",), **more: Any
) -> Entry:
    """A valid ticket of the library."""
    anomalies = [{"description": f"saw {item}", "phenomenon_id": item} for item in seen]
    ids = {"root_cause_id": cause} if cause else {}
    return {
        "ticket_id": identity,
        "description": "slow",
        "root_cause": "no index",
        "anomalies": anomalies,
        **ids,
        **more,
    }


def exported(identity: str, cause: str, *anomalies: str, **more: Any) -> Entry:
    """A ticket as an upstream export has it: no ids."""
    seen = [{"description": words, "observation_method": "", "why_relevant": ""} for words in anomalies]
    return {"ticket_id": identity, "description": "慢", "root_cause": cause, "solution": "", "anomalies": seen, **more}


def write_library(
    folder: Path,
    phenomena: Iterable[Entry] | None = None,
    root_causes: Iterable[Entry] | None = None,
    tickets: Iterable[Entry] | None = None,
    vocabulary: Iterable[Entry] = (),
) -> Path:
    """A library of these entries, by default one of each kind, and vocabulary documents; file names say nothing."""
    for kind, entries in (("phenomena", phenomena), ("root_causes", root_causes), ("vocabulary", vocabulary)):
        given = entries if entries is not None else [phenomenon() if kind == "phenomena" else root_cause()]
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for number, entry in enumerate(given):
            text = yaml.dump(entry, Dumper=_Dumper, allow_unicode=True)
            (folder / kind / f"{number:03d}.yaml").write_text(text, encoding="utf-8")
    lines = [json.dumps(entry, ensure_ascii=False) for entry in (tickets if tickets is not None else [ticket()])]
    (folder / "tickets").mkdir(parents=True, exist_ok=True)
    (folder / "tickets" / "all.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def as_export(tickets: Iterable[Mapping[str, Any]]) -> bytes:
    """A JSON export of these tickets."""
    return json.dumps(list(tickets), ensure_ascii=False).encode()


def tree_hash(folder: Path) -> dict[str, str]:
    """Every file below a folder with the hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
