"""Libraries to snapshot: canonical JSON bytes, named by their hash. The form: docs/house.md, "The snapshot"."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from lang.vocabulary import Vocabulary
from services.chassis.errors import InvalidInput
from services.knowledge.library.load import Library, load
from services.knowledge.library.schema import Link, PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.model import SnapshotCounts

FORMAT = "dbdiag.snapshot.v1"
# Goes up when equal library files give other bytes than before, so that a start-up compiles again.
COMPILER_VERSION = 5
_HASH = "sha256:"


def compile_libraries(paths: Sequence[Path]) -> bytes:
    """The canonical bytes of the snapshot of the libraries at `paths`. Raises InvalidLibrary with every problem."""
    return compile_library(load(paths))


def compile_library(library: Library) -> bytes:
    """The canonical bytes of a loaded library: equal content gives equal bytes, wherever it was read from."""
    tickets = (_ticket(ticket) for ticket in library.tickets.values())
    return to_canonical(
        {
            "format": FORMAT,
            "phenomena": [_phenomenon(entry) for entry in library.phenomena.values()],
            "root_causes": [_root_cause(entry) for entry in library.root_causes.values()],
            "tickets": [ticket for ticket in tickets if ticket["root_cause"] and ticket["phenomena"]],
            **vocabulary_part(library.vocabulary),
            **views_part([_plain(view) for view in library.views.values()]),
        }
    )


def vocabulary_part(vocabulary: Vocabulary) -> dict[str, Any]:
    """The snapshot's key for a vocabulary, with defaults left out; no key for an empty one."""
    value = _plain(vocabulary)
    return {"vocabulary": value} if value else {}


def views_part(views: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The snapshot's key for the views that people query; no key for none."""
    return {"views": list(views)} if views else {}


def to_canonical(value: object) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def snapshot_id(content: bytes) -> str:
    """`sha256:` and the hex digest of the bytes."""
    return _HASH + hashlib.sha256(content).hexdigest()


def hex_of(identity: str) -> str:
    """The 64 hex digits of a snapshot id. Raises InvalidInput for any other text, so that an id can be a file name."""
    digits = identity.removeprefix(_HASH)
    if identity.startswith(_HASH) and len(digits) == 64 and set(digits) <= set("0123456789abcdef"):
        return digits
    raise InvalidInput("invalid_request.snapshot_id", snapshot=repr(identity[:80]))


def read_snapshot(content: bytes) -> dict[str, Any]:
    """The snapshot's values. Raises InvalidInput when the bytes are no snapshot of this format."""
    try:
        value = json.loads(content)
    except ValueError as error:
        raise InvalidInput("invalid_request.snapshot_bytes", why=str(error)) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InvalidInput("invalid_request.snapshot_format", format=FORMAT)
    return value


def count_entries(content: bytes) -> SnapshotCounts:
    """How many of each the snapshot in `content` holds."""
    value = read_snapshot(content)
    links = sum(len(cause["links"]) for cause in value["root_causes"])
    return SnapshotCounts(len(value["phenomena"]), len(value["root_causes"]), links, len(value["tickets"]))


def _phenomenon(entry: PhenomenonEntry) -> dict[str, Any]:
    kept = {"id", "name", "description", "aliases", "observe", "cost", "complaint"}
    shown = entry.model_dump(mode="json", include=kept) | _same_as(entry)
    if entry.observe.rows is None:
        del shown["observe"]["rows"]
    rules = [_plain(rule) for rule in entry.observe.views]
    shown["observe"] = {key: value for key, value in shown["observe"].items() if key != "views"}
    shown["observe"] |= {"views": rules} if rules else {}
    # An empty list says that it is only asked for; without one, predicates are derived from its name.
    means = {"means": [_plain(predicate) for predicate in entry.means]} if "means" in entry.model_fields_set else {}
    needs = {"needs": sorted(entry.needs)} if entry.needs else {}
    return shown | needs | means


def _root_cause(entry: RootCauseEntry) -> dict[str, Any]:
    kept = {"id", "name", "category", "mechanism", "aliases", "solution", "verify", "references"}
    links = sorted(entry.links, key=lambda link: link.phenomenon)
    relief = {"relief": [_plain(step) for step in entry.relief]} if entry.relief else {}
    document = entry.model_dump(mode="json", include=kept)
    plain = {"plain": _plain(entry.plain)} if entry.plain else {}
    questions = {"questions": [_plain(question) for question in entry.questions]} if entry.questions else {}
    return document | plain | relief | questions | _same_as(entry) | {"links": [_link(link) for link in links]}


def _same_as(entry: PhenomenonEntry | RootCauseEntry) -> dict[str, Any]:
    """Left out where it is empty, so that a library that says nothing of others compiles to the bytes it always had."""
    return {"same_as": sorted(entry.same_as)} if entry.same_as else {}


def _plain(item: BaseModel) -> dict[str, Any]:
    return item.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _link(link: Link) -> dict[str, Any]:
    return link.model_dump(mode="json")


def _ticket(entry: TicketEntry) -> dict[str, Any]:
    seen = {anomaly.phenomenon_id for anomaly in entry.anomalies if anomaly.phenomenon_id}
    return {
        "id": entry.ticket_id,
        "root_cause": entry.root_cause_id,
        "phenomena": sorted(seen),
        "description": entry.description,
    }
