"""The pairs of wire.py: what goes on the wire comes back as it was."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from services.chassis.messages import Message
from services.knowledge import wire
from services.knowledge.cases.proposal import CaseEvidence, ClosedCase, Proposal
from services.knowledge.model import Change, ImportReport, Manifest, Publication, RejectedTicket, SnapshotCounts

_COUNT = st.integers(0, 2**32 - 1)
_SECONDS = st.integers(0, 2**62)
_WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
st.register_type_strategy(
    Manifest,
    st.builds(
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
_DETAILS = st.dictionaries(_WORDS, _WORDS | _COUNT | st.lists(_WORDS).map(tuple), max_size=2)
_REASON = st.builds(Message, _WORDS, _DETAILS)
_REJECTED = st.builds(RejectedTicket, _COUNT, _WORDS, _WORDS, _REASON)


@given(st.from_type(Manifest))
def test_a_manifest_comes_back(manifest: Manifest) -> None:
    """All of it but what stays in the store: when it was stored and from which files."""
    back = wire.manifest_from_wire(wire.manifest_to_wire(manifest))
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
    assert wire.proposal_from_wire(wire.proposal_to_wire(proposal)) == proposal


@given(st.builds(Publication, _COUNT, _WORDS, _WORDS, _WORDS, _WORDS, _SECONDS, st.booleans()))
def test_a_publication_comes_back(published: Publication) -> None:
    """Number, snapshots, who, why, when, and whether it went back."""
    assert wire.publication_from_wire(wire.publication_to_wire(published)) == published


@given(
    st.builds(
        Change,
        entity_type=_WORDS,
        entity_id=_WORDS,
        fields=st.lists(_WORDS).map(tuple),
        strength_before=_WORDS,
        strength_after=_WORDS,
    )
)
def test_a_change_comes_back(change: Change) -> None:
    """Kind, type, id, fields and strengths."""
    assert wire.change_from_wire(wire.change_to_wire(change)) == change


@given(
    st.builds(
        ImportReport, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, st.lists(_REJECTED, max_size=3).map(tuple)
    )
)
def test_a_report_comes_back(report: ImportReport) -> None:
    """Every count and every refused record."""
    assert wire.report_from_wire(wire.report_to_wire(report)) == report
