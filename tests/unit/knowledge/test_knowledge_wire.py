"""What goes on the wire says all that the room's own types say."""

from __future__ import annotations

import json
from dataclasses import fields, replace

from dbdiag.knowledge.v1 import knowledge_pb2 as pb
from dbdiag.knowledge.v1 import knowledge_types as types
from hypothesis import given
from hypothesis import strategies as st

from services.chassis.messages import Message, from_plain
from services.chassis.wire import from_wire, to_wire
from services.knowledge import wire
from services.knowledge.cases.proposal import CaseEvidence, ClosedCase, Proposal
from services.knowledge.model import (
    Change,
    ChangeKind,
    ImportReport,
    Manifest,
    Publication,
    RejectedTicket,
    SnapshotCounts,
)

_COUNT = st.integers(0, 2**32 - 1)
_SECONDS = st.integers(0, 2**62)
_WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
# Made at its first use: making text of all letters takes a second, in every worker.
st.register_type_strategy(
    Manifest,
    lambda _: st.builds(
        Manifest,
        counts=st.builds(SnapshotCounts, _COUNT, _COUNT, _COUNT, _COUNT),
        snapshot_id=_WORDS,
        parent_ids=st.lists(_WORDS, max_size=2).map(tuple),
        author=_WORDS,
        reason=_WORDS,
        stored_at=_SECONDS,
        published_at=_SECONDS,
        size_bytes=_SECONDS,
        fingerprint=_WORDS,
    ),
)
_REPORT: tuple[str, ...] = (
    "ticket_count",
    "new_ticket_count",
    "anomaly_count",
    "merged_anomaly_count",
    "new_phenomenon_count",
)
_REPORT += ("new_root_cause_count", "unclear_count", "rejected", "ticket_without_anomalies_count")
_DETAILS = st.dictionaries(_WORDS, _WORDS | _COUNT | st.lists(_WORDS).map(tuple), max_size=2)
_REASON = st.builds(Message, _WORDS, _DETAILS)
_REJECTED = st.builds(RejectedTicket, _COUNT, _WORDS, _WORDS, _REASON)


@given(st.from_type(Manifest))
def test_a_manifest_comes_back(manifest: Manifest) -> None:
    """All of it but what stays in the store: when it was stored and from which files."""
    told = from_wire(wire.manifest_to_wire(manifest), types.SnapshotManifest)
    counts = SnapshotCounts(told.phenomenon_count, told.root_cause_count, told.link_count, told.ticket_count)
    back = Manifest(
        told.snapshot_id,
        counts,
        told.parent_ids,
        told.author,
        told.reason,
        0,
        told.published_at_unix_seconds,
        told.size_bytes,
        "",
    )
    assert back == replace(manifest, stored_at=0, fingerprint="")


_EVIDENCE = st.builds(CaseEvidence, phenomenon_id=_WORDS, words=_WORDS, score=st.floats(0.01, 1))
_CASE = st.builds(
    ClosedCase,
    session_id=_WORDS,
    case=_COUNT,
    snapshot_id=_WORDS,
    complaint=_WORDS,
    evidence=st.lists(_EVIDENCE, max_size=3).map(tuple),
    root_cause_id=_WORDS,
    new_root_cause_description=_WORDS,
    solution=_WORDS,
)


@given(
    st.builds(
        Proposal,
        proposal_id=_WORDS,
        case=_CASE,
        proposed_at=_SECONDS,
        reviewer=_WORDS,
        review_reason=_WORDS,
        reviewed_at=_SECONDS,
        redacted_count=_COUNT,
    )
)
def test_a_proposal_comes_back(proposal: Proposal) -> None:
    """The case with its evidence, and all that was decided."""
    told = from_wire(wire.proposal_to_wire(proposal), types.Proposal)
    same = (name for name in Proposal.model_fields if name != "case" and hasattr(told, name))
    assert {name: getattr(told, name) for name in same} == proposal.model_dump(
        exclude={"case", "proposed_at", "reviewed_at"}
    )
    times = told.proposed_at_unix_seconds, told.reviewed_at_unix_seconds
    assert (*times, told.ticket_id) == (proposal.proposed_at, proposal.reviewed_at, proposal.ticket_id)
    names = {field.name for field in fields(types.ProposeCaseRequest)}
    case = to_wire(types.ProposeCaseRequest(**{name: getattr(told, name) for name in names}), pb.ProposeCaseRequest)
    assert wire.case_from_wire(case) == proposal.case.model_copy(update={"case": proposal.case.case or 1})


@given(st.builds(Publication, _COUNT, _WORDS, _WORDS, _WORDS, _WORDS, _SECONDS, st.booleans()))
def test_a_publication_comes_back(published: Publication) -> None:
    """Number, snapshots, who, why, when, and whether it went back."""
    told = from_wire(wire.publication_to_wire(published), types.Publication)
    assert tuple(vars(told).values()) == tuple(vars(published).values())


@given(
    st.builds(
        Change,
        kind=st.sampled_from(ChangeKind),
        entity_type=_WORDS,
        entity_id=_WORDS,
        fields=st.lists(_WORDS).map(tuple),
        strength_before=_WORDS,
        strength_after=_WORDS,
    )
)
def test_a_change_comes_back(change: Change) -> None:
    """Kind, type, id, fields and strengths."""
    assert from_wire(to_wire(change, pb.SnapshotChange), Change) == change


@given(
    st.builds(
        ImportReport,
        *[_COUNT] * 7,
        st.lists(_REJECTED, max_size=3).map(tuple),
        _COUNT,
    )
)
def test_a_report_comes_back(report: ImportReport) -> None:
    """Every count and every refused record."""
    counts = vars(from_wire(wire.report_to_wire(report), types.ImportTicketsResponse))
    counts |= {"rejected": tuple(map(_rejected, counts["rejected"]))}
    assert ImportReport(*(counts[name] for name in _REPORT)) == report


def _rejected(told: types.RejectedTicket) -> RejectedTicket:
    return RejectedTicket(told.record, told.ticket_id, told.field, from_plain(json.loads(told.reason_json)), told.line)
