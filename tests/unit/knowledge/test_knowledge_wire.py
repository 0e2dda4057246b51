"""The pairs of wire.py: what goes on the wire comes back as it was."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from services.knowledge import wire
from services.knowledge.model import Change, ImportReport, Manifest, RejectedTicket, SnapshotCounts

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
_REJECTED = st.builds(RejectedTicket, _COUNT, _WORDS, _WORDS, _WORDS)


@given(st.from_type(Manifest))
def test_a_manifest_comes_back(manifest: Manifest) -> None:
    """All of it but what stays in the store: when it was stored and from which files."""
    back = wire.manifest_from_wire(wire.manifest_to_wire(manifest))
    assert back == replace(manifest, stored_at=0, fingerprint="")


@given(st.builds(Change, entity_type=_WORDS, entity_id=_WORDS, fields=st.lists(_WORDS).map(tuple)))
def test_a_change_comes_back(change: Change) -> None:
    """Kind, type, id and fields."""
    assert wire.change_from_wire(wire.change_to_wire(change)) == change


@given(
    st.builds(
        ImportReport, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, _COUNT, st.lists(_REJECTED, max_size=3).map(tuple)
    )
)
def test_a_report_comes_back(report: ImportReport) -> None:
    """Every count and every refused record."""
    assert wire.report_from_wire(wire.report_to_wire(report)) == report
