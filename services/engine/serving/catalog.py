"""Lists the contents of a snapshot: phenomena, root causes, relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from dbdiag.engine.v1.engine_types import (
    CauseQuestion,
    ListPhenomenaRequest,
    ListPhenomenaResponse,
    ListRelationsRequest,
    ListRelationsResponse,
    ListRootCausesRequest,
    ListRootCausesResponse,
    LoadedSnapshot,
    LocalizedText,
    Phenomenon,
    Relation,
    ReliefStep,
    RootCause,
    SolutionStep,
    TicketReference,
)

from services.chassis.errors import InvalidInput
from services.engine.inference.evidence import find_causes, find_phenomena
from services.engine.inference.reasoner import ReasoningModel
from services.engine.tables.numerics import Indices, Places, order_descending, round_reported
from services.engine.tables.parameters import STRENGTHS
from services.engine.tables.snapshot import NO_STRENGTH, localize


def list_phenomena(model: ReasoningModel, request: ListPhenomenaRequest) -> ListPhenomenaResponse:
    """The requested phenomena, in id order. Raises InvalidInput for unknown ids."""
    named = find_phenomena(model.snapshot, request.phenomenon_ids)
    chosen = sorted(set(named)) if named else range(len(model.snapshot.phenomenon_ids))
    return ListPhenomenaResponse(model.snapshot.snapshot_id, tuple(_phenomenon(model, index) for index in chosen))


def list_root_causes(model: ReasoningModel, request: ListRootCausesRequest) -> ListRootCausesResponse:
    """The requested causes, in id order. Raises InvalidInput for unknown ids."""
    named = find_causes(model.snapshot, request.root_cause_ids)
    chosen = sorted(set(named)) if named else range(len(model.snapshot.cause_ids))
    return ListRootCausesResponse(model.snapshot.snapshot_id, tuple(_root_cause(model, index) for index in chosen))


def list_relations(model: ReasoningModel, request: ListRelationsRequest) -> ListRelationsResponse:
    """The requested links by falling likelihood. Raises InvalidInput if both ends are given or an id is unknown."""
    if request.phenomenon_id and request.root_cause_id:
        raise InvalidInput("invalid_request.both_ends")
    edges = _edges(model, request)
    rates, phenomena = model.likelihoods.fact_rates(model.snapshot, edges), model.snapshot.phenomena_of(edges)
    whys = _reasons(model)
    listed = (
        _relation(model, int(edges[at]), int(phenomena[at]), float(rates[at]), whys) for at in order_descending(rates)
    )
    return ListRelationsResponse(model.snapshot.snapshot_id, tuple(listed))


def describe_loaded(model: ReasoningModel, current: bool) -> LoadedSnapshot:
    """The size of a snapshot, and the parameters in use."""
    snapshot, chosen = model.snapshot, model.likelihoods.parameters
    return LoadedSnapshot(
        snapshot_id=snapshot.snapshot_id,
        current=current,
        phenomenon_count=len(snapshot.phenomenon_ids),
        root_cause_count=len(snapshot.cause_ids),
        link_count=int(np.count_nonzero(snapshot.edge_strength != NO_STRENGTH)),
        ticket_count=len(snapshot.tickets),
        answer_noise=chosen.answer_noise,
        temper=chosen.temper,
        told_apart=chosen.told_apart,
    )


def _edges(model: ReasoningModel, request: ListRelationsRequest) -> Indices | Places:
    snapshot = model.snapshot
    if request.phenomenon_id:
        span = snapshot.edges_of(find_phenomena(snapshot, [request.phenomenon_id])[0])
        return np.arange(span.start, span.stop, dtype=np.int64)
    if request.root_cause_id:
        return snapshot.of_cause(find_causes(snapshot, [request.root_cause_id])[0])
    return np.arange(len(snapshot.edge_cause), dtype=np.int64)


def _reasons(model: ReasoningModel) -> Mapping[tuple[str, str], Mapping[str, str]]:
    return {
        (link["phenomenon"], entry["id"]): link.get("why") or {}
        for entry in model.snapshot.cause_entries
        for link in entry.get("links") or ()
    }


def _relation(
    model: ReasoningModel, edge: int, phenomenon: int, rate: float, whys: Mapping[tuple[str, str], Mapping[str, str]]
) -> Relation:
    snapshot = model.snapshot
    cause, strength = int(snapshot.edge_cause[edge]), int(snapshot.strengths(slice(edge, edge + 1))[0])
    ends = snapshot.phenomenon_ids[phenomenon], snapshot.cause_ids[cause]
    return Relation(
        phenomenon_id=ends[0],
        root_cause_id=ends[1],
        likelihood=round_reported(rate),
        strength="" if strength == NO_STRENGTH else STRENGTHS[strength],
        reason=localize(whys.get(ends)),
        ticket_hits=int(snapshot.hits(slice(edge, edge + 1))[0]),
        ticket_count=int(snapshot.ticket_counts[cause]),
    )


def _phenomenon(model: ReasoningModel, index: int) -> Phenomenon:
    entry = model.snapshot.phenomenon_entries[index]
    observe = entry.get("observe") or {}
    how = _how(observe.get("how"))
    hits = model.snapshot.hits(model.snapshot.edges_of(index))
    return Phenomenon(
        phenomenon_id=entry["id"],
        name=model.snapshot.phenomenon_names[index],
        description=localize(entry.get("description")),
        observe_kind=observe.get("kind") or "",
        observation_method=how.en,
        present_when=localize(observe.get("present_when")),
        versions=observe.get("versions") or "",
        cost=int(model.snapshot.costs[index]),
        base_rate=float(model.likelihoods.base[index]),
        ticket_count=int(np.add.reduce(hits, dtype=np.int64)),
        complaint=bool(entry.get("complaint")),
        how=how,
        engine=(observe.get("engine") or "") if observe.get("kind") == "sql" else "",
    )


def _how(entry: str | Mapping[str, str] | None) -> LocalizedText:
    """A plain string stands for the same text in both languages."""
    return LocalizedText(entry, entry) if isinstance(entry, str) else localize(entry)


def _root_cause(model: ReasoningModel, index: int) -> RootCause:
    entry = model.snapshot.cause_entries[index]
    tickets = model.snapshot.tickets_by_cause[index]
    return RootCause(
        root_cause_id=entry["id"],
        name=model.snapshot.cause_names[index],
        category=entry.get("category") or "",
        mechanism=localize(entry.get("mechanism")),
        plain=localize(entry.get("plain")),
        relief=_relief(entry.get("relief") or ()),
        solution=_steps(entry.get("solution") or ()),
        verify=localize(entry.get("verify")),
        references=tuple(entry.get("references") or ()),
        prior=float(model.likelihoods.prior[index]),
        tickets=tuple(TicketReference(ticket.ticket_id, ticket.description) for ticket in tickets),
        questions=_questions(entry.get("questions") or ()),
    )


def _steps(entries: Sequence[Mapping[str, Any]]) -> tuple[SolutionStep, ...]:
    return tuple(
        SolutionStep(
            action=localize(entry.get("do")),
            how=entry.get("how") or "",
            risk=entry.get("risk") or "",
            undo=localize(entry.get("undo")),
            helps=entry.get("helps") or "",
            prevents=bool(entry.get("prevents")),
        )
        for entry in entries
    )


def _relief(entries: Sequence[Mapping[str, Any]]) -> tuple[ReliefStep, ...]:
    return tuple(
        ReliefStep(
            action=localize(entry.get("do")),
            how=entry.get("how") or "",
            risk=entry.get("risk") or "",
            costs=localize(entry.get("costs")),
            not_when=localize(entry.get("not_when")),
        )
        for entry in entries
    )


def _questions(entries: Sequence[Mapping[str, Any]]) -> tuple[CauseQuestion, ...]:
    return tuple(
        CauseQuestion(tuple(entry["asked"]["zh"]), tuple(entry["asked"]["en"]), localize(entry.get("answer")))
        for entry in entries
    )
