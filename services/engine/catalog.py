"""What a snapshot holds, listed: phenomena, root causes, relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from services.chassis.errors import InvalidInput
from services.engine.answers import known_causes, known_phenomena
from services.engine.catalog_model import (
    ListPhenomenaRequest,
    ListRelationsRequest,
    ListRootCausesRequest,
    LoadedSnapshot,
    Phenomenon,
    PhenomenonList,
    Relation,
    RelationList,
    RootCause,
    RootCauseList,
    SolutionStep,
    TicketReference,
)
from services.engine.model import LocalizedText
from services.engine.numerics import Indices, Places, by_falling, shown
from services.engine.parameters import STRENGTHS
from services.engine.reasoner import Library
from services.engine.snapshot import NO_STRENGTH, localized


def phenomena(library: Library, request: ListPhenomenaRequest) -> PhenomenonList:
    """The phenomena asked for, in id order. Raises InvalidInput for unknown ids."""
    named = known_phenomena(library.snapshot, request.phenomenon_ids)
    chosen = sorted(set(named)) if named else range(len(library.snapshot.phenomenon_ids))
    return PhenomenonList(library.snapshot.snapshot_id, tuple(_phenomenon(library, index) for index in chosen))


def root_causes(library: Library, request: ListRootCausesRequest) -> RootCauseList:
    """The causes asked for, in id order. Raises InvalidInput for unknown ids."""
    named = known_causes(library.snapshot, request.root_cause_ids)
    chosen = sorted(set(named)) if named else range(len(library.snapshot.cause_ids))
    return RootCauseList(library.snapshot.snapshot_id, tuple(_root_cause(library, index) for index in chosen))


def relations(library: Library, request: ListRelationsRequest) -> RelationList:
    """The links asked for by falling likelihood. Raises InvalidInput when both ends are named, or an id is unknown."""
    if request.phenomenon_id and request.root_cause_id:
        raise InvalidInput("listing relations: a phenomenon and a root cause are named; name one of the two, or none")
    edges = _edges(library, request)
    rates, phenomena = library.likelihoods.fact_rates(library.snapshot, edges), library.snapshot.phenomena_of(edges)
    whys = _reasons(library)
    listed = (
        _relation(library, int(edges[at]), int(phenomena[at]), float(rates[at]), whys) for at in by_falling(rates)
    )
    return RelationList(library.snapshot.snapshot_id, tuple(listed))


def loaded(library: Library, current: bool) -> LoadedSnapshot:
    """What the snapshot holds, counted."""
    snapshot = library.snapshot
    return LoadedSnapshot(
        snapshot_id=snapshot.snapshot_id,
        current=current,
        phenomenon_count=len(snapshot.phenomenon_ids),
        root_cause_count=len(snapshot.cause_ids),
        link_count=int(np.count_nonzero(snapshot.edge_strength != NO_STRENGTH)),
        ticket_count=len(snapshot.tickets),
    )


def _edges(library: Library, request: ListRelationsRequest) -> Indices | Places:
    snapshot = library.snapshot
    if request.phenomenon_id:
        span = snapshot.edges_of(known_phenomena(snapshot, [request.phenomenon_id])[0])
        return np.arange(span.start, span.stop, dtype=np.int64)
    if request.root_cause_id:
        return snapshot.of_cause(known_causes(snapshot, [request.root_cause_id])[0])
    return np.arange(len(snapshot.edge_cause), dtype=np.int64)


def _reasons(library: Library) -> Mapping[tuple[str, str], Mapping[str, str]]:
    return {
        (link["phenomenon"], entry["id"]): link.get("why") or {}
        for entry in library.snapshot.cause_entries
        for link in entry.get("links") or ()
    }


def _relation(
    library: Library, edge: int, phenomenon: int, rate: float, whys: Mapping[tuple[str, str], Mapping[str, str]]
) -> Relation:
    snapshot = library.snapshot
    cause, strength = int(snapshot.edge_cause[edge]), int(snapshot.strengths(slice(edge, edge + 1))[0])
    ends = snapshot.phenomenon_ids[phenomenon], snapshot.cause_ids[cause]
    return Relation(
        phenomenon_id=ends[0],
        root_cause_id=ends[1],
        likelihood=shown(rate),
        strength="" if strength == NO_STRENGTH else STRENGTHS[strength],
        reason=localized(whys.get(ends)),
        ticket_hits=int(snapshot.hits(slice(edge, edge + 1))[0]),
        ticket_count=int(snapshot.ticket_counts[cause]),
    )


def _phenomenon(library: Library, index: int) -> Phenomenon:
    entry = library.snapshot.phenomenon_entries[index]
    observe = entry.get("observe") or {}
    how = _how(observe.get("how"))
    hits = library.snapshot.hits(library.snapshot.edges_of(index))
    return Phenomenon(
        phenomenon_id=entry["id"],
        name=library.snapshot.phenomenon_names[index],
        description=localized(entry.get("description")),
        observe_kind=observe.get("kind") or "",
        observation_method=how.en,
        present_when=localized(observe.get("present_when")),
        versions=observe.get("versions") or "",
        cost=int(library.snapshot.costs[index]),
        base_rate=float(library.likelihoods.base[index]),
        ticket_count=int(np.add.reduce(hits, dtype=np.int64)),
        complaint=bool(entry.get("complaint")),
        how=how,
    )


def _how(entry: str | Mapping[str, str] | None) -> LocalizedText:
    """A snapshot says it once where both languages have the same words."""
    return LocalizedText(entry, entry) if isinstance(entry, str) else localized(entry)


def _root_cause(library: Library, index: int) -> RootCause:
    entry = library.snapshot.cause_entries[index]
    tickets = library.snapshot.tickets_by_cause[index]
    return RootCause(
        root_cause_id=entry["id"],
        name=library.snapshot.cause_names[index],
        category=entry.get("category") or "",
        mechanism=localized(entry.get("mechanism")),
        solution=_steps(entry.get("solution") or ()),
        verify=localized(entry.get("verify")),
        references=tuple(entry.get("references") or ()),
        prior=float(library.likelihoods.prior[index]),
        tickets=tuple(TicketReference(ticket.ticket_id, ticket.description) for ticket in tickets),
    )


def _steps(entries: Sequence[Mapping[str, Any]]) -> tuple[SolutionStep, ...]:
    return tuple(
        SolutionStep(
            action=localized(entry.get("do")),
            how=entry.get("how") or "",
            risk=entry.get("risk") or "",
            undo=localized(entry.get("undo")),
            helps=entry.get("helps") or "",
            prevents=bool(entry.get("prevents")),
        )
        for entry in entries
    )
