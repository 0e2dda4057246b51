"""A snapshot as the engine holds it: names, tickets, and the links between phenomena and causes as sparse arrays.

Shapes: P phenomena and R causes, both in id order; E edges, one for each pair that an expert or a ticket links, sorted
by phenomenon, then cause. `docs/house.md` describes the bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from services.chassis.errors import NotFound, Precondition
from services.engine.model import LocalizedText
from services.engine.numerics import Floats, Indices
from services.engine.parameters import STRENGTHS

FORMAT = "dbdiag.snapshot.v1"
NO_STRENGTH = -1
_ID = re.compile(r"^sha256:[0-9a-f]{64}$")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A closed case: positions of its cause and of what it recorded, in order and without repetition."""

    ticket_id: str
    cause: int
    phenomena: tuple[int, ...]
    description: str


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The immutable library in arrays.

    edge_cause, edge_phenomenon, edge_hits (k_pr) and edge_strength (position in STRENGTHS or NO_STRENGTH) have shape
    (E,); starts (P+1,) delimits a phenomenon's edges. ticket_counts (R,) is n_r, hit_counts (P,) counts the tickets
    that recorded a phenomenon. Entries are the snapshot's own JSON objects.
    """

    snapshot_id: str
    phenomenon_entries: Sequence[Mapping[str, Any]]
    cause_entries: Sequence[Mapping[str, Any]]
    tickets: tuple[Ticket, ...]
    edge_phenomenon: Indices
    edge_cause: Indices
    edge_hits: Floats
    edge_strength: npt.NDArray[np.int8]
    starts: Indices
    ticket_counts: Floats
    hit_counts: Floats

    @cached_property
    def phenomenon_ids(self) -> tuple[str, ...]:
        """Ids by position."""
        return tuple(entry["id"] for entry in self.phenomenon_entries)

    @cached_property
    def cause_ids(self) -> tuple[str, ...]:
        """Ids by position."""
        return tuple(entry["id"] for entry in self.cause_entries)

    @cached_property
    def phenomenon_names(self) -> tuple[LocalizedText, ...]:
        """Names by position."""
        return tuple(localized(entry["name"]) for entry in self.phenomenon_entries)

    @cached_property
    def cause_names(self) -> tuple[LocalizedText, ...]:
        """Names by position."""
        return tuple(localized(entry["name"]) for entry in self.cause_entries)

    @cached_property
    def phenomenon_index(self) -> Mapping[str, int]:
        """Position of each phenomenon id."""
        return {name: index for index, name in enumerate(self.phenomenon_ids)}

    @cached_property
    def cause_index(self) -> Mapping[str, int]:
        """Position of each cause id."""
        return {name: index for index, name in enumerate(self.cause_ids)}

    @cached_property
    def costs(self) -> Indices:
        """What it costs to look, of each phenomenon (P,)."""
        return np.array([int(entry.get("cost") or 1) for entry in self.phenomenon_entries], dtype=np.int64)

    @cached_property
    def cause_edges(self) -> tuple[Indices, Indices]:
        """Edge positions sorted by cause, then phenomenon (E,), and where each cause's begin (R+1,)."""
        order = np.argsort(self.edge_cause, kind="stable").astype(np.int64)
        counts = np.bincount(self.edge_cause, minlength=len(self.cause_entries))
        return order, np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    @cached_property
    def tickets_by_cause(self) -> tuple[tuple[Ticket, ...], ...]:
        """The tickets of each cause, in id order."""
        groups: list[list[Ticket]] = [[] for _ in self.cause_entries]
        for ticket in self.tickets:
            groups[ticket.cause].append(ticket)
        return tuple(tuple(group) for group in groups)

    def edges_of(self, phenomenon: int) -> slice:
        """Where the edges of a phenomenon stand."""
        return slice(int(self.starts[phenomenon]), int(self.starts[phenomenon + 1]))

    def edge(self, phenomenon: int, cause: int) -> int | None:
        """The position of a pair's edge, or None where nothing links it."""
        span = self.edges_of(phenomenon)
        position = span.start + int(np.searchsorted(self.edge_cause[span], cause))
        linked = position < span.stop and int(self.edge_cause[position]) == cause
        return position if linked else None

    def of_cause(self, cause: int) -> Indices:
        """Edge positions of a cause, by phenomenon."""
        order, starts = self.cause_edges
        return order[int(starts[cause]) : int(starts[cause + 1])]

    def without(self, ticket: int) -> Snapshot:
        """The same library had the ticket at this position never been closed; keeps the id."""
        kept = self.tickets[:ticket] + self.tickets[ticket + 1 :]
        return _assemble(self.snapshot_id, self.phenomenon_entries, self.cause_entries, kept)


def localized(entry: Mapping[str, str] | None) -> LocalizedText:
    """The text of an entry's object; empty where there is none."""
    return LocalizedText(entry.get("zh") or "", entry.get("en") or "") if entry else LocalizedText("", "")


def read_snapshot(content: bytes, snapshot_id: str) -> Snapshot:
    """The snapshot in `content`. Raises Precondition when the bytes do not fit the name or are no snapshot."""
    actual = snapshot_id_of(content)
    if actual != snapshot_id:
        raise Precondition(
            f"reading snapshot {snapshot_id}: its bytes are those of {actual}; fetch it again",
            reason="snapshot_changed",
        )
    try:
        document = json.loads(content)
        if document["format"] != FORMAT:
            raise ValueError(f"its format is {document['format']!r}, this engine reads {FORMAT}")
        return from_document(document, snapshot_id)
    except (ValueError, KeyError, TypeError) as error:
        raise Precondition(
            f"reading snapshot {snapshot_id}: {error}; compile the library again", reason="snapshot_malformed"
        ) from error


def snapshot_id_of(content: bytes) -> str:
    """The name of snapshot bytes."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def hex_of(snapshot_id: str) -> str:
    """The digest in an id. Raises NotFound for what cannot name a snapshot."""
    if not _ID.match(snapshot_id):
        raise NotFound(
            f"looking for snapshot {snapshot_id[:80]!r}: ids are sha256: and 64 hex digits; leave it empty for the "
            "current one",
            reason="snapshot_not_found",
        )
    return snapshot_id.removeprefix("sha256:")


def from_document(document: Mapping[str, Any], snapshot_id: str) -> Snapshot:
    """The snapshot in a parsed document. Raises KeyError, TypeError or ValueError for what is none."""
    phenomena = sorted(document["phenomena"], key=lambda entry: str(entry["id"]))
    causes = sorted(document["root_causes"], key=lambda entry: str(entry["id"]))
    phenomenon_index = {entry["id"]: index for index, entry in enumerate(phenomena)}
    cause_index = {entry["id"]: index for index, entry in enumerate(causes)}
    tickets = tuple(
        Ticket(
            ticket_id=entry["id"],
            cause=cause_index[entry["root_cause"]],
            phenomena=tuple(sorted({phenomenon_index[name] for name in entry["phenomena"]})),
            description=entry.get("description") or "",
        )
        for entry in sorted(document["tickets"], key=lambda entry: str(entry["id"]))
    )
    return _assemble(snapshot_id, phenomena, causes, tickets)


def _assemble(
    snapshot_id: str,
    phenomena: Sequence[Mapping[str, Any]],
    causes: Sequence[Mapping[str, Any]],
    tickets: tuple[Ticket, ...],
) -> Snapshot:
    size = max(len(causes), 1)
    strengths = _stated(phenomena, causes)
    hits = Counter(phenomenon * size + ticket.cause for ticket in tickets for phenomenon in ticket.phenomena)
    keys = np.array(sorted(strengths.keys() | hits.keys()), dtype=np.int64)
    pairs = keys.tolist()
    edge_phenomenon = keys // size
    counts = np.bincount(edge_phenomenon, minlength=len(phenomena))
    return Snapshot(
        snapshot_id=snapshot_id,
        phenomenon_entries=phenomena,
        cause_entries=causes,
        tickets=tickets,
        edge_phenomenon=edge_phenomenon,
        edge_cause=keys % size,
        edge_hits=np.array([hits[key] for key in pairs], dtype=np.float64),
        edge_strength=np.array([strengths.get(key, NO_STRENGTH) for key in pairs], dtype=np.int8),
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        ticket_counts=_counted((ticket.cause for ticket in tickets), len(causes)),
        hit_counts=_counted((index for ticket in tickets for index in ticket.phenomena), len(phenomena)),
    )


def _stated(phenomena: Sequence[Mapping[str, Any]], causes: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    index = {entry["id"]: position for position, entry in enumerate(phenomena)}
    size = max(len(causes), 1)
    return {
        index[link["phenomenon"]] * size + cause: STRENGTHS.index(link["strength"])
        for cause, entry in enumerate(causes)
        for link in entry.get("links") or ()
    }


def _counted(positions: Iterable[int], size: int) -> Floats:
    counts = np.zeros(size, dtype=np.float64)
    for position, count in Counter(positions).items():
        counts[position] = count
    return counts
