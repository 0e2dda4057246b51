"""A snapshot in memory: names, tickets, and the links between phenomena and causes as sparse arrays.

Shapes: P phenomena and R causes, both in id order; E edges, one for each pair that an expert or a ticket links, sorted
by phenomenon, then cause. Arrays use the narrowest type that holds their numbers. `docs/house.md` describes the bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from services.chassis.errors import NotFound, Precondition
from services.engine.model import LocalizedText
from services.engine.tables.numerics import Counts, Indices, Places
from services.engine.tables.parameters import STRENGTHS

FORMAT = "dbdiag.snapshot.v1"
NO_STRENGTH = -1
# An edge's mark is hits * _MARKS + strength - NO_STRENGTH.
_MARKS = len(STRENGTHS) - NO_STRENGTH
_ID = re.compile(r"^sha256:[0-9a-f]{64}$")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A closed case: the positions of its cause and of the phenomena it recorded, in order and distinct."""

    ticket_id: str
    cause: int
    phenomena: tuple[int, ...]
    description: str


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The immutable snapshot.

    edge_cause (E,); edge_marks (E,) holds hits (k_pr) and strength in one number; starts (P+1,) delimits the edges of
    each phenomenon; ticket_counts (R,) is n_r. Entries are the JSON objects of the snapshot.
    """

    snapshot_id: str
    phenomenon_entries: Sequence[Mapping[str, Any]]
    cause_entries: Sequence[Mapping[str, Any]]
    tickets: tuple[Ticket, ...]
    edge_cause: Places
    edge_marks: Counts
    starts: Places
    ticket_counts: Counts

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
        return tuple(localize(entry["name"]) for entry in self.phenomenon_entries)

    @cached_property
    def cause_names(self) -> tuple[LocalizedText, ...]:
        """Names by position."""
        return tuple(localize(entry["name"]) for entry in self.cause_entries)

    @cached_property
    def phenomenon_index(self) -> Mapping[str, int]:
        """Position of each phenomenon id."""
        return {name: index for index, name in enumerate(self.phenomenon_ids)}

    @cached_property
    def cause_index(self) -> Mapping[str, int]:
        """Position of each cause id."""
        return {name: index for index, name in enumerate(self.cause_ids)}

    @cached_property
    def costs(self) -> Counts:
        """The cost of observing each phenomenon (P,)."""
        costs = np.array([int(entry.get("cost") or 1) for entry in self.phenomenon_entries], dtype=np.int64)
        return _narrow(costs)

    @cached_property
    def cause_edges(self) -> tuple[Places, Places]:
        """Edge positions sorted by cause, then phenomenon (E,), and the start of each cause's edges (R+1,)."""
        order = np.argsort(self.edge_cause, kind="stable").astype(np.int32)
        counts = np.bincount(self.edge_cause, minlength=len(self.cause_entries))
        return order, np.concatenate(([0], np.cumsum(counts))).astype(np.int32)

    @cached_property
    def tickets_by_cause(self) -> tuple[tuple[Ticket, ...], ...]:
        """The tickets of each cause, in id order."""
        groups: list[list[Ticket]] = [[] for _ in self.cause_entries]
        for ticket in self.tickets:
            groups[ticket.cause].append(ticket)
        return tuple(tuple(group) for group in groups)

    def recording(self, cause: int) -> Mapping[int, tuple[str, ...]]:
        """For each phenomenon, the ids, in order, of the tickets of a cause that recorded it."""
        found = self._recording.get(cause)
        if found is None:
            lists: dict[int, list[str]] = {}
            for ticket in self.tickets_by_cause[cause]:
                for phenomenon in ticket.phenomena:
                    lists.setdefault(phenomenon, []).append(ticket.ticket_id)
            found = self._recording[cause] = {phenomenon: tuple(ids) for phenomenon, ids in lists.items()}
        return found

    @cached_property
    def _recording(self) -> dict[int, dict[int, tuple[str, ...]]]:
        return {}

    @property
    def edge_phenomenon(self) -> Indices:
        """The phenomenon of every edge (E,); computed on demand."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def edge_hits(self) -> Counts:
        """k_pr of every edge (E,); computed on demand."""
        return self.hits(slice(None))

    @property
    def edge_strength(self) -> npt.NDArray[np.int8]:
        """Position in STRENGTHS of every edge, or NO_STRENGTH (E,); computed on demand."""
        return self.strengths(slice(None))

    def hits(self, edges: Indices | Places | slice) -> Counts:
        """k_pr of some edges."""
        return self.edge_marks[edges] // _MARKS

    def strengths(self, edges: Indices | Places | slice) -> npt.NDArray[np.int8]:
        """Position in STRENGTHS of some edges, or NO_STRENGTH."""
        return (self.edge_marks[edges] % _MARKS).astype(np.int8) + np.int8(NO_STRENGTH)

    def phenomena_of(self, edges: Indices | Places) -> Indices:
        """The phenomena of some edges."""
        return np.searchsorted(self.starts, edges, side="right") - 1

    def edges_of(self, phenomenon: int) -> slice:
        """The slice of the edges of a phenomenon."""
        return slice(int(self.starts[phenomenon]), int(self.starts[phenomenon + 1]))

    def edges_of_all(self, phenomena: Indices) -> tuple[Indices, Indices]:
        """The edges of these phenomena, one phenomenon after another, and the index into `phenomena` of each edge."""
        first = self.starts[phenomena]
        counts = self.starts[phenomena + 1] - first
        rows = np.arange(len(phenomena)).repeat(counts)
        skipped = first - counts.cumsum() + counts
        return np.arange(len(rows)) + skipped[rows], rows

    def edge(self, phenomenon: int, cause: int) -> int | None:
        """The position of the edge of a pair; None if the two are not linked."""
        span = self.edges_of(phenomenon)
        position = bisect_left(self.edge_cause, cause, span.start, span.stop)
        return position if position < span.stop and self.edge_cause[position] == cause else None

    def of_cause(self, cause: int) -> Places:
        """Edge positions of a cause, by phenomenon."""
        order, starts = self.cause_edges
        return order[int(starts[cause]) : int(starts[cause + 1])]

    def without(self, *positions: int) -> Snapshot:
        """The snapshot without the tickets at these positions; keeps the id."""
        left_out = set(positions)
        kept = tuple([ticket for at, ticket in enumerate(self.tickets) if at not in left_out])
        return _assemble(self.snapshot_id, self.phenomenon_entries, self.cause_entries, kept)


def localize(entry: Mapping[str, str] | None) -> LocalizedText:
    """The text in an entry; empty if there is none."""
    return LocalizedText(entry.get("zh") or "", entry.get("en") or "") if entry else LocalizedText("", "")


def read_snapshot(content: bytes, snapshot_id: str) -> Snapshot:
    """Reads a snapshot. Raises Precondition if the bytes do not match the id or are not a snapshot."""
    actual = snapshot_id_of(content)
    if actual != snapshot_id:
        raise Precondition("snapshot_changed", snapshot=snapshot_id, actual=actual)
    try:
        document = json.loads(content)
        if document["format"] != FORMAT:
            raise Precondition(
                "snapshot_malformed.format", snapshot=snapshot_id, found=repr(document["format"]), expected=FORMAT
            )
        return from_document(document, snapshot_id)
    except (ValueError, KeyError, TypeError) as error:
        raise Precondition("snapshot_malformed", snapshot=snapshot_id, problem=str(error)) from error


def snapshot_id_of(content: bytes) -> str:
    """The id of snapshot bytes."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def digest_in(snapshot_id: str) -> str:
    """The digest in a snapshot id. Raises NotFound if it is not an id."""
    if not _ID.match(snapshot_id):
        raise NotFound("snapshot_not_found.not_an_id", snapshot=repr(snapshot_id[:80]))
    return snapshot_id.removeprefix("sha256:")


def from_document(document: Mapping[str, Any], snapshot_id: str) -> Snapshot:
    """The snapshot in a parsed document. Raises KeyError, TypeError or ValueError if it is not a snapshot."""
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


def from_edges(
    snapshot_id: str,
    phenomena: Sequence[Mapping[str, Any]],
    causes: Sequence[Mapping[str, Any]],
    tickets: tuple[Ticket, ...],
    keys: Indices,
    hits: npt.NDArray[Any],
    strengths: npt.NDArray[Any],
    ticket_counts: npt.NDArray[Any],
) -> Snapshot:
    """The snapshot with these edges: ascending keys (E,), phenomenon times R plus cause; k_pr; strengths; n_r (R,)."""
    size = max(len(causes), 1)
    counts = np.bincount(keys // size, minlength=len(phenomena))
    return Snapshot(
        snapshot_id=snapshot_id,
        phenomenon_entries=phenomena,
        cause_entries=causes,
        tickets=tickets,
        edge_cause=(keys % size).astype(np.int32),
        edge_marks=_narrow(hits.astype(np.int64) * _MARKS + strengths - NO_STRENGTH),
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        ticket_counts=_narrow(ticket_counts),
    )


def _narrow(counts: npt.NDArray[Any]) -> Counts:
    return np.asarray(counts.astype(np.min_scalar_type(int(np.max(counts, initial=0)))))


def _assemble(
    snapshot_id: str,
    phenomena: Sequence[Mapping[str, Any]],
    causes: Sequence[Mapping[str, Any]],
    tickets: tuple[Ticket, ...],
) -> Snapshot:
    size = max(len(causes), 1)
    strengths = _stated(phenomena, causes)
    hits = Counter(phenomenon * size + ticket.cause for ticket in tickets for phenomenon in ticket.phenomena)
    pairs = sorted(strengths.keys() | hits.keys())
    return from_edges(
        snapshot_id,
        phenomena,
        causes,
        tickets,
        keys=np.array(pairs, dtype=np.int64),
        hits=np.array([hits[key] for key in pairs], dtype=np.int64),
        strengths=np.array([strengths.get(key, NO_STRENGTH) for key in pairs], dtype=np.int8),
        ticket_counts=np.bincount([ticket.cause for ticket in tickets], minlength=len(causes)),
    )


def _stated(phenomena: Sequence[Mapping[str, Any]], causes: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    index = {entry["id"]: position for position, entry in enumerate(phenomena)}
    size = max(len(causes), 1)
    return {
        index[link["phenomenon"]] * size + cause: STRENGTHS.index(link["strength"])
        for cause, entry in enumerate(causes)
        for link in entry.get("links") or ()
    }
